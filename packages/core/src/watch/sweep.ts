import { ownMessage } from '../base/errors.ts';
import { type ListPage, type ListReader, readList } from '../list/list-reader.ts';
import { fullPage, pageAt, startOf, totalOf } from '../list/slice.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import { leaveToHead } from './head.ts';
import { isUnsent, mayPass, type Poll, take, type Urgency, update } from './poll.ts';
import { dueAt, hourSeconds, type Known, type Sweep } from './state.ts';

/** If a list of at most this many pages has shrunk, it is read as a whole at once. */
const maxPages = 8;
/** If the page before was due this many seconds ago, reading the next one may use the reserve. */
const patience = { pending: 110, others: 280 };
/** If more orders than this have left their lists, they are looked for in the lists of their new statuses. */
const fewGone = 2;
/** Maximum number of pages that a poll reads in these lists. */
const maxSearched = 10;

/**
 * Sweeps through the lists of the watched statuses. Every poll reads at least one page of pending orders. The other
 * lists are read every four minutes if they have up to 400 orders, and within an hour if they have up to 12,000. A known
 * order that a list no longer shows is read individually. A page that fails is read again by the next poll, and skipped
 * if it fails again.
 */
export const readLists = async (poll: Poll): Promise<void> => {
  for (const [status, list] of poll.state.lists) {
    try {
      await sweep(poll, status, list);
    } catch (error) {
      if (isUnsent(error)) continue;
      if (!mayPass(error)) throw error;
      poll.warn(
        `Page ${Math.round(list.rows / list.size) + 1} of the orders with status ${status} could not be read; a later poll will try again: ${ownMessage(error)}`,
      );
      poll.pageError = error;
      if (list.hasFailed) skip(poll, status, list);
      list.hasFailed = true;
    }
  }
};

const sweep = async (poll: Poll, status: StatusFilter, list: Sweep): Promise<void> => {
  const isPending = status === 'ausstehend';
  const isFirst = list.round === 1;
  const { now } = poll.state;
  const plan = planOf(list, now, isPending);
  let { left, urgency } = plan;
  let reader: ListReader | undefined;
  while (list.isWhole || left > 0) {
    reader ??= openAt(poll, status, list, () => (list.isWhole ? 'event' : urgency));
    const step = await reader.next();
    const isEmpty = step?.slice.page === 1 && step.list.orders.length === 0;
    if (isEmpty && !list.isWhole && knownIn(poll, status).length > fullPage) {
      // The list is read again before so many orders count as gone.
      list.isWhole = true;
      reader = undefined;
      continue;
    }
    const isEnd = !step || isLast(list, step);
    if (step) takePage(poll, list, step);
    const known = knownIn(poll, status);
    const present = known.filter(([, { due }]) => due.gone === undefined);
    const total = (step && totalOf(step.list)) ?? Infinity;
    const missing = present.length - total - list.excess;
    if (!list.isWhole && missing > 0 && (list.pages <= maxPages || missing >= list.pages)) {
      list.isWhole = true;
      if (step && step.slice.page > 1) {
        // Orders may have left from the rows that were read before, so the sweep starts again.
        restart(list);
        reader = undefined;
        continue;
      }
    }
    // A response that does not join is not a page of the sweep: the reader asks again.
    if (step && !step.joins && !isEnd) continue;
    left -= 1;
    list.nextAt = (isEnd || isPending ? now : Math.min(list.nextAt, now)) + secondsPerPage(list, isPending);
    urgency = plan.isOverdue ? 'event' : 'routine';
    const found = findGone(poll, list, known, isEnd ? undefined : step?.list.orders);
    if (isEnd) {
      list.excess = Math.max(0, present.filter(([, { round }]) => round === list.round).length - total);
      restart(list);
    }
    if (list.isWhole && (isEnd || (!isFirst && missing <= found)))
      Object.assign(list, { isWhole: false, rows: list.rows - (list.rows % list.size) });
    if (isEnd) return;
    if (!list.isWhole) reader = undefined;
  }
};

const knownIn = ({ state }: Poll, status: StatusFilter): [id: string, known: Known][] =>
  [...state.orders].filter(([, known]) => known.status === status);

/**
 * Opens the list where its sweep stopped. A list that is read as a whole goes on with the last page again, so that no
 * row is skipped. Otherwise, a row that moved up between two polls is read individually.
 */
const openAt = (poll: Poll, status: StatusFilter, list: Sweep, urgency: () => Urgency): ListReader => {
  const again = list.isWhole && !list.hasFailed ? list.size : 0;
  return readList(({ page, perPage }) => poll.listOrders({ status, page, perPage }, urgency()), {
    status,
    start: pageAt(Math.max(0, list.rows - again), list.size),
    isAbove: () => true,
  });
};

/**
 * Whether the list ends with a response: its count agrees, or the reader went back because there is no later page. The
 * reader itself would ask for the page behind a full one.
 */
const isLast = (sweep: Sweep, { list, slice, joins, isEnd }: ListPage): boolean => {
  const start = startOf(slice);
  const isCounted = slice.page >= list.pagination.pages && totalOf(list) === start + list.orders.length;
  return isEnd || (joins && (isCounted || (!sweep.isWhole && start < sweep.rows)));
};

const restart = (list: Sweep): void => {
  Object.assign(list, { rows: 0, size: fullPage, round: list.round + 1 });
};

/** Goes on below a page that failed again. Its orders do not count as gone. */
const skip = (poll: Poll, status: StatusFilter, list: Sweep): void => {
  const unseen = knownIn(poll, status).filter(([, { round }]) => Number(round) < list.round);
  for (const [id] of unseen.slice(0, list.size)) update(poll.state, id, { round: list.round });
  list.rows += list.size;
  if (list.rows >= list.pages * fullPage) restart(list);
};

/** What a poll should read of a list. */
interface Plan {
  /** Number of pages that are due. */
  left: number;
  /** How urgent the first of them is. */
  urgency: Urgency;
  /** Whether the poll is incomplete without them. */
  isOverdue: boolean;
}

const planOf = (list: Sweep, now: number, isPending: boolean): Plan => {
  const seconds = secondsPerPage(list, isPending);
  const overdue = now - list.nextAt;
  const isLate = overdue + seconds > (isPending ? patience.pending : patience.others);
  // Adds a tenth of a page before rounding down: polls are not exactly a minute apart.
  const due = Math.max(Math.floor(overdue / seconds + 1.1), Number(isPending));
  // A program that polls once a night reads the whole list.
  const isOverdue = overdue >= hourSeconds;
  const left = Math.min(due, isOverdue ? list.pages : maxPages);
  return { left, urgency: isLate ? 'event' : isPending ? 'soon' : 'routine', isOverdue };
};

/** Returns the time from page to page: a sweep takes four minutes, or an hour if it has many pages. */
const secondsPerPage = ({ pages }: Sweep, isPending: boolean): number =>
  60 / Math.min(Math.max(pages / 60, isPending ? 1 : Math.min(pages, maxPages) / 4), 4);

/** Compares the rows of a page with what is known. */
const takePage = (poll: Poll, list: Sweep, { list: { orders: entries, pagination }, slice, joins }: ListPage): void => {
  const { head, orders } = poll.state;
  if (slice.page === 1 && pagination.pages > 1 && entries.length > 0) list.size = entries.length;
  const size = Math.min(slice.perPage, list.size);
  list.pages = Math.max(1, Math.ceil((pagination.pages * size) / fullPage));
  if (joins) {
    list.rows = startOf(slice) + size;
    list.hasFailed = false;
  }
  for (const entry of entries) {
    const id = String(entry.id);
    if (orders.has(id) || !head || !leaveToHead(head, entry)) take(poll, { id, entry });
  }
};

/**
 * Makes the orders that left their list due to be read: those that the sweep has not seen, although a page shows that
 * it is below them, because IDs usually fall down the list.
 * @param page undefined at the end of the list
 * @returns how many of them were not known to have left
 */
const findGone = (
  { state }: Poll,
  { round }: Sweep,
  known: [id: string, known: Known][],
  page?: OrderSummary[],
): number => {
  const lowest = lowestId(page ?? []);
  const gone = known.filter(
    ([id, order]) => Number(order.round) < round && (!page || (!order.isElsewhere && Number(id) > lowest)),
  );
  // If IDs don't fall, a whole page seems to be missing.
  if (page && gone.length > fullPage) return 0;
  for (const [id, { due, unlistedSince = state.now, isElsewhere }] of gone) {
    // Waits as long again as the order has been unlisted.
    const next = { ...due, gone: due.gone ?? state.now + (state.now - unlistedSince) };
    update(state, id, { due: next, unlistedSince, round, isElsewhere: page ? true : isElsewhere });
  }
  return gone.filter(([, { due }]) => due.gone === undefined).length;
};

/**
 * Reads the lists of the statuses that orders may have now that left their lists, from the top. If there are many of
 * them, as long as a page brings one: 50 orders cost one request, and have their list entries. For orders whose reads
 * fail, down to where their IDs belong. The others are read one by one.
 */
export const readNewStatuses = async (poll: Poll): Promise<void> => {
  const { orders, now } = poll.state;
  const gone = new Map([...orders].filter(([, known]) => known.due.gone !== undefined && dueAt(known) <= now));
  const isSought = (): boolean => gone.size > fewGone || [...gone.values()].some(({ failed }) => failed);
  // Changes that this poll or an earlier one found before do not end the search.
  const before = new Set(poll.entries.keys());
  const isFound = ({ id }: OrderSummary): boolean =>
    before.has(String(id)) || orders.get(String(id))?.unlistedSince !== undefined;
  let left = maxSearched;
  for (const status of ['bezahlt', 'abgeschlossen', 'storniert'] as const) {
    let isLast = [...gone.values()].every((known) => known.status === status);
    for (let page = 1; !isLast && left > 0 && isSought(); page++, left--) {
      const list = await poll.listOrders({ status, page, perPage: fullPage }, 'event');
      const found = list.orders.filter(({ id }) => gone.delete(String(id)));
      for (const entry of found) take(poll, { id: String(entry.id), entry });
      const lowest = lowestId(list.orders);
      const hasMore =
        found.length > 0 ||
        list.orders.some(isFound) ||
        [...gone].some(([id, { failed }]) => failed && Number(id) < lowest);
      isLast = !hasMore || page >= list.pagination.pages;
    }
  }
};

const lowestId = (orders: readonly OrderSummary[]): number => Math.min(...orders.map(({ id }) => Number(id)));
