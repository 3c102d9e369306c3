import { ownMessage } from '../base/errors.ts';
import { fullPage, requestSlice, type Slice, totalOf } from '../list/slice.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import { isNewInList } from './head.ts';
import { isUnsent, mayPass, type Poll, take, type Urgency, update } from './poll.ts';
import { dueAt, hasLeft, hourSeconds, type Known, type Sweep } from './state.ts';

/**
 * A list is read to its end at once if it has at most this many pages for each order that has left it. An outdated
 * `total` can make new orders look like departures. So the list must also have at most this many pages for each 50
 * seconds since it was last read to its end.
 */
const pagesPerDeparture = 8;
const secondsPerDeparture = 50;
/** If the page before was due this many seconds ago, the next one is needed. */
const patience = { pending: 110, others: 280 };
/**
 * Up to this many orders that have left a list are read individually. More are looked for in the lists of their new
 * statuses.
 */
const fewGone = 2;
/** Maximum number of pages that a poll reads in these lists. */
const maxSearched = 10;

/**
 * Sweeps through the lists of the watched statuses, page by page. Every poll reads at least one page of pending orders.
 * The other lists are read every four minutes if they have up to 400 orders, and within an hour if they have up to
 * 12,000. A known order that no page has shown by the end of the list is read individually: it has left the list, or
 * moved between two pages. A page that fails is read again by the next poll. After a second failure in the same sweep,
 * the page is skipped.
 */
export const readLists = async (poll: Poll): Promise<void> => {
  for (const [status, list] of poll.state.lists as Map<StatusFilter, Sweep>) {
    try {
      await sweep(poll, status, list);
    } catch (error) {
      if (isUnsent(error)) continue;
      if (!mayPass(error)) throw error;
      poll.warn(
        `Page ${list.page} of the orders with status ${status} could not be read; a later poll will try again: ${ownMessage(error)}`,
      );
      poll.pageError = error;
      if (list.failed === undefined) list.failed = list.page;
      else list.page += 1;
      if (list.page > pagesOf(knownIn(poll, status))) beginSweep(poll, status, list);
    }
  }
};

/** Reads the pages of a list that are due, at most to the end of the list. */
const sweep = async (poll: Poll, status: StatusFilter, list: Sweep): Promise<void> => {
  const { now } = poll.state;
  const isPending = status === 'ausstehend';
  // A program that polls once a night reads the whole list.
  if (list.nextAt > 0 && now - list.nextAt >= hourSeconds) {
    list.nextAt = 0;
    beginSweep(poll, status, list);
  }
  if (isPending) list.nextAt = Math.min(list.nextAt, now);
  for (let isFirst = true; ; isFirst = false) {
    const seconds = secondsPerPage(pagesOf(knownIn(poll, status)), isPending);
    // Polls are not exactly a minute apart.
    if (now + seconds / 10 < list.nextAt) return;
    const isLate = isFirst && now - list.nextAt + seconds > (isPending ? patience.pending : patience.others);
    const usual = isPending ? 'soon' : 'routine';
    const page = await readPage(poll, { status, page: list.page }, list.nextAt === 0 || isLate ? 'needed' : usual);
    for (const entry of page.orders) takeEntry(poll, entry);
    if (findLeft(poll, status, list, page) && list.nextAt > 0) {
      list.nextAt = 0;
      // Orders may have left from the pages before this one, too. An empty page in place of many orders can be wrong.
      if (list.page > 1 || (page.orders.length === 0 && pagesOf(knownIn(poll, status)) > 1)) {
        beginSweep(poll, status, list);
        continue;
      }
    }
    if (page.isEnd) {
      if (list.failed === undefined) findGone(poll, status, list);
      beginSweep(poll, status, list);
      list.nextAt = now + seconds;
      return;
    }
    if (list.nextAt > 0) list.nextAt += seconds;
    if (list.failed === list.page) list.failed = undefined;
    list.page += 1;
  }
};

interface SweptPage {
  orders: OrderSummary[];
  total: number | undefined;
  isEnd: boolean;
}

/** Reads a page. The list ends there if it has fewer rows than a page can have, and no page behind it. */
const readPage = async (
  poll: Poll,
  { status, page }: { status: StatusFilter; page: number },
  urgency: Urgency,
): Promise<SweptPage> => {
  const ask = (slice: Slice) => poll.listOrders({ ...slice, status }, urgency);
  const { is, list, error } = await requestSlice(ask, { page, perPage: fullPage }, status);
  if (error && page === 1) throw error;
  const orders = is === 'none' || !list ? [] : list.orders;
  const isLast = page >= Number(list?.pagination.pages) && orders.length < fullPage;
  return { orders, total: list && totalOf(list), isEnd: isLast || orders.length === 0 };
};

const knownIn = ({ state }: Poll, status: StatusFilter): [id: string, known: Known][] =>
  [...state.orders].filter(([, known]) => known.status === status);

const pagesOf = (known: readonly unknown[]): number => Math.max(1, Math.ceil(known.length / fullPage));

/** Returns the time from page to page: a sweep takes four minutes, or an hour if it has many pages. */
const secondsPerPage = (pages: number, isPending: boolean): number => {
  const usual = isPending ? 60 : Math.max(30, 240 / pages);
  return Math.max(15, Math.min(usual, hourSeconds / pages));
};

const takeEntry = (poll: Poll, entry: OrderSummary): void => {
  const { head, orders } = poll.state;
  const id = String(entry.id);
  const isNew = head && !orders.has(id) && isNewInList(head, entry);
  // The baseline has no events. The next poll reports the order.
  if (!isNew || !poll.isStart) take(poll, { id, entry, isNew });
};

/**
 * Finds orders that have left a list. If `total` shows that some are missing, and by their IDs one or two of them
 * should be on this page, these are due to be read.
 * @returns whether so many others are missing that reading the whole list is worth its requests
 */
const findLeft = (poll: Poll, status: StatusFilter, list: Sweep, page: SweptPage): boolean => {
  const { orders, total = Infinity } = page;
  const { state } = poll;
  const known = knownIn(poll, status);
  const stayed = known.filter(([, one]) => !hasLeft(state, one) && !(Number(one.readAt) <= state.now));
  const ids = orders.map(({ id }) => Number(id));
  const [lowest, highest] = [Math.min(...ids), Math.max(...ids)];
  const unlisted = stayed.filter(([, { isUnlisted }]) => isUnlisted);
  const left = unlisted.filter(([id]) => Number(id) > lowest && Number(id) < highest);
  let missing = stayed.length - total;
  if (left.length <= Math.min(fewGone, missing)) {
    missing -= left.length;
    for (const [id, { readAt = state.now }] of left) update(state, id, { readAt });
  }
  const worth = Math.min(missing, (state.now - list.sweptAt) / secondsPerDeparture);
  return missing > 0 && pagesOf(known) <= pagesPerDeparture * worth;
};

/** Begins a sweep. Each order is unlisted until a page shows it. */
const beginSweep = (poll: Poll, status: StatusFilter, list: Sweep): void => {
  Object.assign(list, { page: 1, failed: undefined });
  for (const [id] of knownIn(poll, status)) update(poll.state, id, { isUnlisted: true });
};

/** Ends a complete sweep: makes the orders that no page has shown due to be read. */
const findGone = (poll: Poll, status: StatusFilter, list: Sweep): void => {
  const { state } = poll;
  const { now } = state;
  list.sweptAt = now;
  for (const [id, { isUnlisted, leftAt = now, readAt }] of knownIn(poll, status)) {
    // An order that is in its list after all waits as long again as it has been missing from sweeps.
    if (isUnlisted) update(state, id, { leftAt, readAt: readAt ?? now + (now - leftAt) });
  }
};

/**
 * Looks for orders that left their lists in the lists of the statuses that they may have now. One request returns 50
 * orders with their list entries, so each list is read from the top as long as a page shows such an order, or to its
 * end if an order could not be read on its own. Orders that are not found are read one by one.
 */
export const readNewStatuses = async (poll: Poll): Promise<void> => {
  const { state } = poll;
  const { orders, lists, now } = state;
  const isGone = (known: Known): boolean => lists.has(known.status) && hasLeft(state, known) && dueAt(known) <= now;
  const gone = new Map([...orders].filter(([, known]) => isGone(known)));
  const hasFailed = [...gone.values()].some(({ failed }) => failed);
  if (gone.size <= fewGone && !hasFailed) return;
  // Changes that this poll or an earlier one found before do not end the search.
  const before = new Set(poll.entries.keys());
  const isFound = ({ id }: OrderSummary): boolean => {
    const known = orders.get(String(id));
    return before.has(String(id)) || (known !== undefined && hasLeft(state, known));
  };
  let left = maxSearched;
  for (const status of ['bezahlt', 'abgeschlossen', 'storniert'] as const) {
    let isLast = [...gone.values()].every((known) => known.status === status);
    // IDs rise with the dates, so orders of this list with higher IDs are above all that are looked for.
    const highest = Math.max(...[...gone.keys()].map(Number));
    const above = knownIn(poll, status).filter(([id]) => Number(id) > highest && !gone.has(id));
    for (let page = 1 + Math.floor(above.length / fullPage); !isLast && left > 0; page++, left--) {
      const list = await poll.listOrders({ status, page, perPage: fullPage }, 'needed');
      isLast = page >= list.pagination.pages || !(hasFailed || list.orders.some(isFound));
      for (const entry of list.orders) if (gone.delete(String(entry.id))) take(poll, { id: String(entry.id), entry });
    }
  }
};
