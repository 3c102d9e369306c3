import { isOrderLicenseError } from '../base/errors.ts';
import type { OrderList, StatusFilter } from '../model/order.ts';
import { isStillNew, totalOf } from './head.ts';
import { needsAPerson, readLater, type Urgency } from './reads.ts';
import { forget, listOf, recordEntry, watchedLists } from './record.ts';
import { idsOf, type Memory, type Poll, type StatusList } from './state.ts';

const pageSize = 50;
/** A list of at most this many pages is read to its end at once if it has shrunk. */
const maxPages = 8;
/** Pages of a list that one poll reads during the first sweep. */
const maxFirstPages = 40;
/** Lists not read for longer than this may use the reserve: that of pending orders, and others. */
const pendingPatience = 110;
const patience = 280;

/**
 * Sweeps through the status lists, page by page: the pending one in every poll, the others every four minutes up to
 * 400 orders, and within an hour up to 12,000. A known order that a page should show and does not has left the list,
 * and is read by itself.
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
      poll.warn(
        `Page ${list.page} of the orders with status ${status} could not be read; this poll leaves it out: ${error.message}`,
      );
      // The orders that it should have are not absent.
      list.above.push(...list.below.splice(0, pageSize));
      if (list.page < list.pages) list.page += 1;
      else restart(list);
    }
  }
};

/** Drops lists that the selected events don't need, and their orders. */
const dropOthers = (memory: Memory, watched: readonly StatusFilter[]): void => {
  for (const [status, list] of memory.lists) {
    if (watched.includes(status)) continue;
    for (const id of idsOf(list)) forget(memory, id);
    memory.lists.delete(status);
  }
  if (watched.length === 0) memory.orders.clear();
};

const readList = async (poll: Poll, status: StatusFilter, list: StatusList): Promise<void> => {
  const isPending = status === 'ausstehend';
  const elapsed = Math.abs(poll.now - list.readAt);
  let left = list.isKnown ? pagesDue(list, elapsed, isPending) : maxFirstPages;
  // Until a list is known, its changes are lost.
  const isLate = !list.isKnown || elapsed > (isPending ? pendingPatience : patience);
  let urgency: Urgency = isLate ? 'event' : 'routine';
  let isSearch = false;
  for (; left > 0; left--) {
    const response = await poll.reads.listOrders({ status, page: list.page, perPage: pageSize }, urgency);
    if (!response) return;
    list.readAt = poll.now;
    list.pages = Math.max(1, response.pagination.pages);
    const isLast = response.orders.length === 0 || list.page >= response.pagination.pages;
    const { first, between } = takePage(poll, list, response, isLast);
    readAbsent(poll, list, between);
    const countMissing = (): number => idsOf(list).length - (totalOf(response) ?? Number.POSITIVE_INFINITY);
    const isShort = list.isKnown && list.pages <= maxPages && countMissing() > list.tolerated;
    if (isSearch && !isShort) left = 1;
    if (isShort && !isSearch) {
      isSearch = true;
      urgency = 'event';
      left = list.pages + 1;
      // An order has left a page above.
      if (first.length > 0) {
        restart(list);
        continue;
      }
    }
    readAbsent(poll, list, first);
    // All pages have been read, and none is absent.
    if (isShort && left === 1) list.tolerated = countMissing();
    if (!isSearch && (list.isKnown || list.page >= maxPages)) urgency = 'routine';
    list.page += 1;
    if (!isLast) continue;
    restart(list);
    if (!isSearch) list.tolerated = Math.max(0, countMissing());
    if (!list.isKnown || list.pages === 1) left = 1;
    list.isKnown = true;
  }
};

const restart = (list: StatusList): void => {
  Object.assign(list, { page: 1, above: [], below: idsOf(list) });
};

/** A tenth of a page more, since polls are not exactly a minute apart. */
const pagesDue = ({ pages }: StatusList, elapsed: number, isPending: boolean): number => {
  const perMinute = Math.min(Math.max(pages / 60, isPending ? 1 : Math.min(pages, maxPages) / 4), 4);
  const due = Math.floor((elapsed / 60) * perMinute + 0.1);
  return Math.min(Math.max(due, Number(isPending)), Math.ceil(perMinute) + 1);
};

/**
 * Records the orders of a page. @returns the known orders that it lacks: `between` its own, or those that should be its
 * first, which an order leaves, too, if it has moved up since the page before
 */
const takePage = (
  poll: Poll,
  list: StatusList,
  { orders }: OrderList,
  isLast: boolean,
): { between: string[]; first: string[] } => {
  const { head } = poll.memory;
  const onPage = new Set(orders.map(({ id }) => String(id)));
  const expected = list.below;
  const places = new Map(expected.map((id, place) => [id, place]));
  const known = [...onPage].flatMap((id) => places.get(id) ?? []);
  const end = isLast ? expected.length : (known.at(-1) ?? -1) + 1;
  const start = list.page === 1 ? 0 : (known[0] ?? end);
  for (const order of orders.toReversed()) {
    // The next poll records orders that arrived during this one.
    if (!head || !isStillNew(head, order)) recordEntry(poll, order);
  }
  const isElsewhere = (id: string): boolean => !onPage.has(id);
  const listed = new Set(idsOf(list));
  list.above = [...list.above.filter(isElsewhere), ...[...onPage].filter((id) => listed.has(id))];
  list.below = list.below.filter(isElsewhere);
  return { first: expected.slice(0, start), between: expected.slice(start, end).filter(isElsewhere) };
};

/** Plans to read orders that are absent from their list. */
const readAbsent = (poll: Poll, list: StatusList, absent: string[]): void => {
  const { toRead, orders } = poll.memory;
  list.below = list.below.filter((id) => !absent.includes(id));
  for (const id of absent) if (orders.has(id) && !toRead.get(id)?.tries) readLater(poll, id, 0, true);
};
