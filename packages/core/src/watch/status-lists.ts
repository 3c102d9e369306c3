import { type OrderLicenseError, ownMessage } from '../base/errors.ts';
import { fullPage, totalOf } from '../list/slice.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import { isStillNew } from './head.ts';
import type { Poll } from './poll.ts';
import { mayPass, type Urgency } from './reads.ts';
import { foundAgain, recordEntry } from './record.ts';
import { readLater, type StatusList } from './state.ts';

/** If a list of at most this many pages has shrunk, it is read to its end at once. */
const maxPages = 8;
/** Maximum number of pages of a list that one poll reads during the first sweep. */
const maxFirstPages = 40;
/**
 * If a list has not been read for this many seconds, reading it may use the reserve: one value is for the list of
 * pending orders, the other for all other lists.
 */
const pendingPatience = 110;
const patience = 280;

/**
 * Sweeps through the status lists page by page. Every poll reads at least one page of pending orders. The other lists
 * are read every four minutes if they have up to 400 orders, and within an hour if they have up to 12,000. A known
 * order that is missing where a page should show it has left the list, and is read individually. A page that fails is
 * read again by the next poll, and skipped if it fails again.
 * @returns the last error of a page, if any page failed
 */
export const readStatusLists = async (poll: Poll): Promise<OrderLicenseError | undefined> => {
  let pageError: OrderLicenseError | undefined;
  for (const [status, list] of poll.state.lists) {
    try {
      await readList(poll, status, list);
    } catch (error) {
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

const readList = async (poll: Poll, status: StatusFilter, list: StatusList): Promise<void> => {
  const { now } = poll.state;
  const isPending = status === 'ausstehend';
  const isFirst = !list.isKnown;
  const elapsed = now - list.readAt;
  let left = isFirst ? maxFirstPages : pagesDue(list, elapsed, isPending);
  // Until the first sweep of a list is complete, changes in the list are lost, so the sweep is urgent.
  let urgency: Urgency = isFirst || elapsed > (isPending ? pendingPatience : patience) ? 'event' : 'routine';
  let isSearch = false;
  for (; left > 0; left--) {
    const response = await poll.reads.listOrders({ status, page: list.page, perPage: fullPage }, urgency);
    if (!response) return;
    list.readAt = now;
    list.pages = Math.max(1, response.pagination.pages);
    const isLast = response.orders.length === 0 || list.page >= list.pages;
    if (list.failedPage === list.page || (isLast && Number(list.failedPage) > list.page)) list.failedPage = undefined;
    const { moved, gone } = takePage(poll, status, list, response.orders, isLast);
    readAbsent(poll, list, gone);
    const countMissing = (): number => list.seen.size + list.unseen.size - (totalOf(response) ?? Infinity);
    const isShort = !isFirst && list.pages <= maxPages && countMissing() > list.excess;
    if (isShort && !isSearch) {
      isSearch = true;
      urgency = 'event';
      left = list.pages + 1;
      // An order has left an earlier page, so the sweep starts again.
      if (moved.length > 0) {
        restart(list);
        continue;
      }
    }
    readAbsent(poll, list, moved);
    if (!isSearch && (!isFirst || list.page >= maxPages)) urgency = 'routine';
    list.page += 1;
    if (isLast) {
      restart(list);
      list.isKnown = true;
    }
    // All pages have been read and no other order is absent, so the remaining difference comes from the API's count.
    if (isSearch ? left === 1 : isLast) list.excess = Math.max(0, countMissing());
    if (isSearch ? !isShort : isLast && (isFirst || list.pages === 1)) return;
  }
};

const restart = (list: StatusList): void => {
  Object.assign(list, { page: 1, seen: new Set(), unseen: new Set([...list.seen, ...list.unseen]) });
};

/**
 * Returns how many pages are due. Adds a tenth of a page before rounding down, since polls are not exactly a minute
 * apart.
 */
const pagesDue = ({ pages }: StatusList, elapsed: number, isPending: boolean): number => {
  const perMinute = Math.min(Math.max(pages / 60, isPending ? 1 : Math.min(pages, maxPages) / 4), 4);
  const due = Math.floor((elapsed / 60) * perMinute + 0.1);
  return Math.min(Math.max(due, Number(isPending)), Math.ceil(perMinute) + 1);
};

/**
 * Records the orders of a page.
 * @returns the known orders that the page lacks: those `gone` from its middle, and those expected at its start, which
 * may have `moved` up since the previous page was read
 */
const takePage = (
  poll: Poll,
  status: StatusFilter,
  list: StatusList,
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
  const back = onPage.filter((id) => !list.seen.has(id) && !list.unseen.has(id));
  for (const id of [...moved, ...onPage]) moveToEnd(list, id);
  for (const order of orders.toReversed()) {
    const id = String(order.id);
    // The next poll records orders that arrived during this poll.
    if (!head || !isStillNew(head, order)) recordEntry(poll, order);
    if (watched.get(id)?.status !== status) list.seen.delete(id);
  }
  for (const id of back) foundAgain(poll.state, id);
  return { moved, gone: expected.slice(start, end).filter((id) => list.unseen.has(id)) };
};

const moveToEnd = ({ seen, unseen }: StatusList, id: string): void => {
  unseen.delete(id);
  seen.delete(id);
  seen.add(id);
};

const readAbsent = ({ state }: Poll, list: StatusList, absent: string[]): void => {
  for (const id of absent) {
    list.seen.delete(id);
    list.unseen.delete(id);
    if (!state.toRead.get(id)?.tries) readLater(state, id, 0, true);
  }
};
