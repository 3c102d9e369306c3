import { ownMessage } from '../base/errors.ts';
import { fullPage, totalOf } from '../list/slice.ts';
import { hasLicenseCodes, type OrderSummary, orderStatuses, type StatusFilter } from '../model/order.ts';
import { paidBefore, wantsCodes } from './compare.ts';
import type { Selection } from './events.ts';
import { isStillNew } from './head.ts';
import { forget, mayPass, type Poll, take, Unsent, type Urgency, update } from './poll.ts';
import { newSweep, type Sweep } from './state.ts';

/** If a list of at most this many pages has shrunk, it is read to its end at once. */
const maxPages = 8;
/**
 * If a list has not been read for this many seconds, reading it may use the reserve: one value is for the list of
 * pending orders, the other for all other lists.
 */
const pendingPatience = 110;
const patience = 280;
/** If more orders than this have left their lists, they are looked for in the lists of their new statuses. */
const fewGone = 2;
/** Maximum number of pages that a poll reads in these lists. */
const maxSearched = 10;

/** Makes the state watch the lists and license codes that the selected events need, and no others. */
export const beginLists = ({ state, selection }: Poll): void => {
  const { lists, orders } = state;
  const watched = watchedLists(selection);
  for (const [status, { seen, unseen }] of lists) {
    if (watched.includes(status)) continue;
    for (const id of [...seen, ...unseen]) forget(state, id);
    lists.delete(status);
  }
  if (watched.length === 0) for (const [id, { isNew }] of orders) if (!isNew) forget(state, id);
  for (const status of watched) if (!lists.has(status)) lists.set(status, newSweep());
  const hasCodes = wantsCodes(selection);
  if (hasCodes === state.hasCodes) return;
  state.hasCodes = hasCodes;
  for (const [id, { status }] of orders) {
    update(state, id, { codes: hasCodes && hasLicenseCodes(status) ? paidBefore() : undefined });
  }
};

const watchedLists = ({ events, watch }: Selection): StatusFilter[] => {
  const others = events.filter((event) => event !== 'newOrder');
  if (others.length === 0) return [];
  if (watch === 'all') return orderStatuses;
  return others.every((event) => event === 'paid') ? ['ausstehend'] : ['ausstehend', 'bezahlt'];
};

/**
 * Sweeps through the status lists page by page. Every poll reads at least one page of pending orders. The other lists
 * are read every four minutes if they have up to 400 orders, and within an hour if they have up to 12,000. A known
 * order that is missing where a page should show it has left the list, and is read individually. A page that fails is
 * read again by the next poll, and skipped if it fails again.
 * @returns the last error of a page, if any page failed
 */
export const readLists = async (poll: Poll): Promise<unknown> => {
  let pageError: unknown;
  for (const [status, list] of poll.state.lists) {
    try {
      await readPages(poll, status, list);
    } catch (error) {
      if (error instanceof Unsent) {
        if (list.isDue || !list.isKnown) poll.isCutShort = true;
        continue;
      }
      if (!mayPass(error)) throw error;
      poll.warn(
        `Page ${list.page} of the orders with status ${status} could not be read; a later poll will try again: ${ownMessage(error)}`,
      );
      pageError = error;
      const isFirstFailure = list.failedPage !== list.page;
      list.failedPage = list.page;
      if (isFirstFailure) continue;
      // Orders on the page that failed do not count as absent.
      for (const id of [...list.unseen].slice(0, fullPage)) moveToEnd(list, id);
      if (list.page < list.pages) list.page += 1;
      else restart(list);
    }
  }
  return pageError;
};

const readPages = async (poll: Poll, status: StatusFilter, list: Sweep): Promise<void> => {
  const { now } = poll.state;
  const isPending = status === 'ausstehend';
  const isFirst = !list.isKnown;
  const elapsed = now - list.readAt;
  let left = isFirst || list.isDue ? Infinity : pagesDue(list, elapsed, isPending);
  // Until the first sweep of a list is complete, changes in the list are lost, so the sweep is urgent.
  const isLate = elapsed > (isPending ? pendingPatience : patience);
  let urgency: Urgency = isFirst || list.isDue || isLate ? 'event' : 'routine';
  let searched = list.isDue ? 1 : 0;
  for (; left > 0; left--) {
    const response = await poll.listOrders({ status, page: list.page, perPage: fullPage }, urgency);
    list.readAt = now;
    list.pages = Math.max(1, response.pagination.pages);
    const isLast = response.orders.length === 0 || list.page >= list.pages;
    if (list.failedPage === list.page || (isLast && Number(list.failedPage) > list.page)) list.failedPage = undefined;
    const { moved, gone } = takePage(poll, status, list, response.orders, isLast);
    readAbsent(poll, list, gone);
    const missing = list.seen.size + list.unseen.size - (totalOf(response) ?? Infinity) - list.excess;
    const isShort = !isFirst && missing > 0 && (list.pages <= maxPages || missing >= list.pages);
    list.isDue = isShort;
    if (isShort && searched === 0) {
      searched = 1;
      urgency = 'event';
      left = list.pages + 1;
      // An order has left an earlier page, so the sweep starts again.
      if (moved.length > 0) {
        restart(list);
        continue;
      }
    }
    readAbsent(poll, list, moved);
    if (searched === 0 && !isFirst) urgency = 'routine';
    list.page += 1;
    if (isLast) {
      restart(list);
      list.isKnown = true;
    }
    searched += searched && 1;
    // All pages have been read and no other order is absent, so the remaining difference comes from the API's count.
    if (searched ? searched > list.pages + 1 : isLast) {
      list.excess = Math.max(0, missing + list.excess);
      list.isDue = false;
    }
    if (searched ? !list.isDue : isLast && (isFirst || list.pages === 1)) return;
  }
};

const restart = (list: Sweep): void => {
  Object.assign(list, { page: 1, seen: new Set(), unseen: new Set([...list.seen, ...list.unseen]) });
};

/**
 * Returns how many pages are due: after a pause, all of them. Adds a tenth of a page before rounding down, since polls
 * are not exactly a minute apart.
 */
const pagesDue = ({ pages }: Sweep, elapsed: number, isPending: boolean): number => {
  const perMinute = Math.min(Math.max(pages / 60, isPending ? 1 : Math.min(pages, maxPages) / 4), 4);
  const due = Math.floor((elapsed / 60) * perMinute + 0.1);
  return Math.min(Math.max(due, Number(isPending)), elapsed >= 3_600 ? pages : Math.ceil(perMinute) + 1);
};

/**
 * Records the orders of a page.
 * @returns the known orders that the page lacks: those `gone` from its middle, and those expected at its start, which
 * may have `moved` up since the previous page was read
 */
const takePage = (
  poll: Poll,
  status: StatusFilter,
  list: Sweep,
  orders: readonly OrderSummary[],
  isLast: boolean,
): { moved: string[]; gone: string[] } => {
  const { head, orders: watched } = poll.state;
  const onPage = orders.map(({ id }) => String(id));
  const expected = [...list.unseen];
  const known = onPage.filter((id) => list.unseen.has(id));
  const end = isLast ? expected.length : expected.indexOf(known.at(-1) ?? '') + 1;
  const start = list.page === 1 ? 0 : known[0] === undefined ? end : expected.indexOf(known[0]);
  const moved = expected.slice(0, start).filter((id) => !onPage.includes(id));
  for (const id of [...moved, ...onPage]) moveToEnd(list, id);
  for (const entry of orders.toReversed()) {
    const id = String(entry.id);
    // The next poll records orders that arrived during this poll.
    if (!head || !isStillNew(head, entry)) take(poll, { id, entry });
    if (watched.get(id)?.status !== status) list.seen.delete(id);
  }
  return { moved, gone: expected.slice(start, end).filter((id) => list.unseen.has(id)) };
};

const moveToEnd = ({ seen, unseen }: Sweep, id: string): void => {
  unseen.delete(id);
  seen.delete(id);
  seen.add(id);
};

/** Makes orders that left their list due to be read, also those that wait for license codes. */
const readAbsent = ({ state }: Poll, list: Sweep, absent: string[]): void => {
  for (const id of absent) {
    list.seen.delete(id);
    list.unseen.delete(id);
    const { read } = state.orders.get(id) ?? {};
    if (!read?.tries) update(state, id, { read: { ...read, due: state.now, isUrgent: true, isGone: true } });
  }
};

/**
 * If many orders have left their lists, reads the lists of the statuses that they may have now, from the top, as long
 * as a page brings one of them: 50 orders cost one request, and have their list entries.
 */
export const readNewStatuses = async (poll: Poll): Promise<void> => {
  const { orders, now } = poll.state;
  const gone = new Set<string>();
  for (const [id, { read }] of orders) if (read?.isGone && read.due <= now) gone.add(id);
  // Changes of the newest orders were found before, so they do not end the search.
  const before = new Set(poll.entries.keys());
  let left = maxSearched;
  for (const status of ['bezahlt', 'abgeschlossen', 'storniert'] as const) {
    for (let page = 1; left > 0 && gone.size > fewGone; page++, left--) {
      if ([...gone].every((id) => orders.get(id)?.status === status)) break;
      const list = await poll.listOrders({ status, page, perPage: fullPage }, 'event').catch((error: unknown) => {
        if (!(error instanceof Unsent) && !mayPass(error)) throw error;
        if (error instanceof Unsent) poll.isCutShort = true;
      });
      // Orders that were not found here are read one by one.
      if (!list) return;
      const found = list.orders.filter(({ id }) => gone.delete(String(id)));
      for (const entry of found.toReversed()) take(poll, { id: String(entry.id), entry });
      const isInVain = found.length === 0 && !list.orders.some(({ id }) => before.has(String(id)));
      if (isInVain || page >= list.pagination.pages) break;
    }
  }
};
