import { isOrderLicenseError } from '../base/errors.ts';
import type { OrderList, StatusFilter } from '../model/order.ts';
import { isStillNew, totalOf } from './head.ts';
import type { Poll } from './poll.ts';
import { needsAPerson, type Urgency } from './reads.ts';
import { forget, listOf, record, watchedLists } from './record.ts';
import type { Memory, StatusList } from './state.ts';

const pageSize = 50;
/** A list of at most this many pages is read to its end at once if it has shrunk. */
const maxPages = 8;
/** Pages of a list that one poll reads during the first sweep. */
const maxFirstPages = 40;
/** Absent orders that one poll reads. */
const maxLoose = 10;
/** Pending orders not read for longer than this may use the reserve. */
const patienceSeconds = 110;

/**
 * Sweeps through the status lists, page by page: the pending one in every poll, the others every five minutes, or within
 * an hour if that takes at most 4 pages a minute. A known order that is absent between the ends of a page has left the
 * list, and is read by itself.
 */
export const readOpenOrders = async (poll: Poll): Promise<void> => {
  const lists = watchedLists(poll.selection);
  dropOthers(poll.memory, lists);
  for (const status of lists) {
    const list = listOf(poll.memory, status);
    try {
      await readList(poll, status, list);
    } catch (error) {
      if (needsAPerson(error) || !isOrderLicenseError(error)) throw error;
      poll.warn(`Page ${list.page} of the list ${status} could not be read, and is left out: ${error.message}`);
      nextPage(list, list.page >= list.pages ? 1 : list.page + 1);
    }
  }
  if (lists.length > 0) await readLoose(poll);
};

/** Drops orders and lists that the selected events don't need. */
const dropOthers = (memory: Memory, watched: readonly StatusFilter[]): void => {
  for (const [status, { ids }] of memory.lists) {
    if (watched.includes(status)) continue;
    for (const id of [...ids]) forget(memory, id);
    memory.lists.delete(status);
  }
  if (watched.length === 0) for (const id of memory.loose.keys()) forget(memory, id);
};

const readList = async (poll: Poll, status: StatusFilter, list: StatusList): Promise<void> => {
  const isPending = status === 'ausstehend';
  const elapsed = Math.abs(poll.now - list.readAt);
  let left = list.isKnown ? pagesDue(list, elapsed, isPending) : maxFirstPages;
  // Until a list is known, its changes are lost.
  const isLate = !list.isKnown || elapsed > (isPending ? patienceSeconds : 10 * 60);
  let urgency: Urgency = isLate ? 'event' : 'routine';
  let isSearch = false;
  for (; left > 0; left--) {
    const response = await poll.reads.listOrders({ status, page: list.page, perPage: pageSize }, urgency);
    if (!response || !(await recordPage(poll, response))) return;
    const { orders, pagination } = response;
    list.readAt = poll.now;
    list.pages = Math.max(1, pagination.pages);
    const isLast = orders.length === 0 || list.page >= pagination.pages;
    const { between, above } = findAbsent(list, response, isLast);
    const absent = (ids: string[]): void => {
      for (const id of ids) if (!poll.memory.loose.has(id)) poll.memory.loose.set(id, poll.now);
    };
    absent(between);
    const mayBeSearched = list.isKnown && !isSearch && list.pages <= maxPages;
    if (!list.isKnown && list.page >= maxPages) urgency = 'routine';
    if (mayBeSearched && isShort(poll.memory, list, response)) {
      isSearch = true;
      urgency = 'event';
      left = list.pages + 1;
      if (list.page > 1) {
        nextPage(list, 1);
        continue;
      }
    }
    absent(above);
    if (!isLast) {
      nextPage(list, list.page + 1, String(orders.at(-1)?.id));
      continue;
    }
    const isDone = isSearch || !list.isKnown || list.pages === 1;
    nextPage(list, 1);
    list.isKnown = true;
    list.tolerated = Math.max(0, countPresent(poll.memory, list) - (totalOf(response) ?? Number.POSITIVE_INFINITY));
    if (isDone) return;
  }
};

const nextPage = (list: StatusList, page: number, after?: string): void => {
  Object.assign(list, { page, after });
};

/** A tenth of a page more, since polls are not exactly a minute apart. */
const pagesDue = ({ pages }: StatusList, elapsed: number, isPending: boolean): number => {
  const perMinute = Math.min(Math.max(pages / 60, isPending ? 1 : 0.2), 4);
  const due = Math.floor((elapsed / 60) * perMinute + 0.1);
  return Math.min(Math.max(due, Number(isPending)), Math.ceil(perMinute) + 1);
};

/** @returns false if an order cannot be read in full now */
const recordPage = async (poll: Poll, { orders }: OrderList): Promise<boolean> => {
  const { head } = poll.memory;
  for (const order of orders.toReversed()) {
    // The next poll records orders that arrived during this one.
    if (head && isStillNew(head, order)) continue;
    if (!(await record(poll, order))) return false;
  }
  return true;
};

/**
 * Takes over the sequence of a page, and finds the known orders that it lacks: `between` its entries, or `above` them, in
 * the gap after the page before, which orders that moved up between the two requests leave as well.
 */
const findAbsent = (
  list: StatusList,
  { orders }: OrderList,
  isLast: boolean,
): { between: string[]; above: string[] } => {
  const listed = new Set(list.ids);
  const shown = orders.map(({ id }) => String(id)).filter((id) => listed.has(id));
  const onPage = new Set(shown);
  const isElsewhere = (id: string): boolean => !onPage.has(id);
  const places = list.ids.flatMap((id, place) => (onPage.has(id) ? [place] : []));
  const after = list.after === undefined ? -1 : list.ids.indexOf(list.after);
  const end = isLast ? list.ids.length : (places.at(-1) ?? -1) + 1;
  const first = list.page === 1 ? 0 : Math.min(places[0] ?? end, end);
  const start = list.page > 1 && after >= 0 ? after + 1 : first;
  const above = list.ids.slice(start, Math.max(first, start)).filter(isElsewhere);
  const between = list.ids.slice(Math.max(first, start), end).filter(isElsewhere);
  const before = list.ids.slice(0, start).filter(isElsewhere);
  list.ids = [...before, ...above, ...shown, ...between, ...list.ids.slice(Math.max(start, end)).filter(isElsewhere)];
  return { between, above };
};

/** Whether the API counts fewer orders than are known, so that one has left the list. */
const isShort = (memory: Memory, list: StatusList, response: OrderList): boolean => {
  const total = totalOf(response);
  return total !== undefined && total < countPresent(memory, list) - list.tolerated;
};

const countPresent = ({ loose }: Memory, { ids }: StatusList): number =>
  loose.size === 0 ? ids.length : ids.filter((id) => !loose.has(id)).length;

/** Reads absent orders one by one: their status has changed, or their page has moved. */
const readLoose = async (poll: Poll): Promise<void> => {
  const { memory, reads, now } = poll;
  const due = [...memory.loose].filter(([, at]) => at <= now || at > now + 3_600).slice(0, maxLoose);
  for (const [id] of due) {
    const order = await reads.getOrder(id, 'event');
    if (order === undefined) return;
    if (typeof order === 'object') {
      if (!(await record(poll, order))) return;
    } else if (order === 'gone') forget(memory, id);
    else memory.loose.set(id, memory.failing.get(id)?.due ?? now + 60);
  }
};
