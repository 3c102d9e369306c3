import { fullPage, type Slice, startOf, totalOf } from '../list/slice.ts';
import { toDate } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import type { Poll } from './poll.ts';
import { recordEntry } from './record.ts';
import type { Head } from './state.ts';

/** Number of orders kept in `seen`: two pages, so that an order that appears late still has a known order below it. */
const kept = 100;
/** Maximum number of orders kept in `seen` if many were created in the same second. */
const maxSeen = 1_000;
/** Maximum number of pages that one poll reads after a pause; the next poll continues. */
const maxPages = 30;
/** Number of orders that may arrive between two requests of a catch-up, so that the two pages still overlap. */
const margin = 4;
/** With this many waiting events, a poll reads no further pages; the next poll continues. */
const maxHeld = 500;

/**
 * Finds new orders and changes of the newest orders at the head of the list, usually with one request.
 * @returns false if no more requests may be sent in this poll
 */
export const readHead = async (poll: Poll): Promise<boolean> => {
  const { state, reads } = poll;
  const first = await reads.listOrders({ page: 1, perPage: fullPage }, 'head');
  if (!first) return false;
  const head = state.head ?? (await beginWith(poll, first));
  // If the API shows the list as empty for a moment, its `total` of 0 would make all orders count as arrived.
  if (!head || first.orders.length === 0) return true;
  const { fresh, isReached } = split(head, first.orders);
  const total = totalOf(first);
  const arrived = total === undefined || head.total === undefined ? undefined : total - head.total;
  // The API may return smaller pages than requested (U-02).
  const size = Math.min(fullPage, first.orders.length);
  // Whether there may be new orders below the first page: the page contains no known order, or more orders arrived than
  // it shows as new, because one of them has an earlier date.
  const hasMore = !isReached || (arrived ?? 0) > fresh.size;
  const last = total === undefined ? (first.pagination.pages - 1) * size : total - 1;
  const place = Math.min(Math.max(arrived ?? 0, kept - 1), last);
  if (first.pagination.pages > 1 && hasMore) await readUpFrom(poll, head, place, size);
  else recordPage(poll, head, first, 0);
  return true;
};

/** Records the newest orders as the baseline. Uses the dates in the list, not a clock. */
const beginWith = async ({ state, reads }: Poll, first: OrderList): Promise<Head | undefined> => {
  const isShort = first.pagination.pages <= 1;
  const second = isShort ? first : await reads.listOrders({ page: 2, perPage: fullPage }, 'head');
  if (!second) return undefined;
  const seen = new Map([...first.orders, ...second.orders].map((order) => [String(order.id), createdAt(order)]));
  // If an order was removed between the two responses, another order moved up to the first page, and neither response
  // contains it.
  const hasShrunk = Number(totalOf(second)) < Number(totalOf(first));
  // Whether the two responses contain the whole list: then every other order is new, whatever its date.
  const isWhole = isShort || (!hasShrunk && seen.size === totalOf(second));
  const dates = (hasShrunk ? first.orders.map(createdAt) : [...seen.values()]).filter((date) => date !== null);
  // Orders created in the same second may change places between the two responses (U-09), so both responses may lack
  // some of these orders.
  const [above, below] = [first.orders.at(-1), second.orders[0]].map((order) => order && createdAt(order));
  const splitAt = isWhole || above !== below ? undefined : above;
  // One second after the oldest order: the next page may contain more orders created in the same second.
  const from = isWhole || dates.length === 0 ? 0 : Math.min(...dates) + 1;
  state.head = { from, splitAt, total: totalOf(first), seen };
  return state.head;
};

/**
 * Finds the new orders in a part of the list. `isReached` means that the part also contains a known order, so no new
 * order follows.
 */
const split = (head: Head, orders: readonly OrderSummary[]): { fresh: Set<unknown>; isReached: boolean } => {
  const { seen } = head;
  const firstSeen = orders.findIndex(({ id }) => seen.has(String(id)));
  const fresh = orders.filter((order, index) => {
    if (seen.has(String(order.id))) return false;
    const created = createdAt(order);
    // Orders listed above one that was already seen are new, whatever their date (U-24, U-63).
    return index < firstSeen || (created === null ? firstSeen < 0 : isRecent(head, created));
  });
  return { fresh: new Set(fresh.map(({ id }) => id)), isReached: fresh.length < orders.length };
};

/**
 * Reads orders that arrived during a pause, oldest first, over as many polls as needed. Begins at the index `start`,
 * counted from 0, and moves down the list until it finds a known order. Then reads up the list. Each page overlaps the
 * page below it, so that orders that arrive between two requests cause no gap.
 */
const readUpFrom = async (poll: Poll, head: Head, start: number, size: number): Promise<void> => {
  const { reads, warn, state } = poll;
  let place = Math.max(start, 0);
  let search = noSearch(size);
  for (let pages = 0; pages < maxPages && state.held.length < maxHeld; pages++) {
    const window = windowAt(place, size);
    const list = await reads.listOrders(window, 'event');
    if (!list) return;
    const isLowest = list.orders.length === 0 || window.page >= list.pagination.pages;
    if (!split(head, list.orders).isReached && !isLowest) {
      const { below, step } = search;
      search = { above: place, below: below > place ? below : Infinity, step: 2 * step };
      const lowest = (list.pagination.pages - 1) * window.perPage;
      place = below > place && below < Infinity ? between(place, below, size) : Math.min(place + step, lowest);
      continue;
    }
    if (place - search.above > size) {
      search.below = place;
      place = between(search.above, place, size);
      continue;
    }
    search = noSearch(size);
    const first = startOf(window);
    // The next page repeats all orders from this page's first second, because they may swap places (U-09).
    const tied = list.orders.findLastIndex((order) => createdAt(order) === createdAt(list.orders[0] ?? {}));
    const next = first + Math.min(tied + margin, list.orders.length - 1);
    place = first > 0 && startOf(windowAt(next, size)) < first ? next : first;
    recordPage(poll, head, list, place);
    if (place === 0) return;
  }
  warn('Many orders have arrived since the last poll. The next polls report the rest, oldest first.');
};

/**
 * Returns the initial state of a search for the first known order. That order is below the index `above`, and at or
 * above the index `below`. The steps down the list double until a page has a known order; then the last step is
 * bisected.
 */
const noSearch = (step: number) => ({ above: Infinity, below: Infinity, step });

/** Returns the index to read next in a search: halfway, or `below` if it is at most a page away from `above`. */
const between = (above: number, below: number, size: number): number =>
  below - above > size ? Math.floor((above + below) / 2) : below;

/** Returns the page that has the order at this index and as many of the orders above it as possible. */
const windowAt = (place: number, size: number): Slice => {
  const sizes = Array.from({ length: Math.ceil((size + 1) / 2) }, (_, less) => size - less);
  const windows = sizes.map((perPage) => ({ page: Math.floor(place / perPage) + 1, perPage }));
  return windows.reduce((best, window) => (startOf(window) < startOf(best) ? window : best));
};

/**
 * Records the orders of a page, oldest first.
 * @param place index of the page's first order in the list
 */
const recordPage = (poll: Poll, head: Head, list: OrderList, place: number): void => {
  const { fresh } = split(head, list.orders);
  for (const order of list.orders.toReversed()) {
    recordEntry(poll, order, fresh.has(order.id));
    if (fresh.has(order.id)) head.seen.set(String(order.id), createdAt(order));
  }
  const total = totalOf(list);
  head.total = total === undefined ? undefined : total - place;
  trimSeen(head);
};

/**
 * Whether an order from a status list has yet to appear at the head of the whole list. A backdated order may be listed
 * so far down that it never appears, so only orders as new as the newest one seen are expected.
 */
export const isStillNew = (head: Head, order: OrderSummary): boolean => {
  const created = createdAt(order) ?? -Infinity;
  if (!isRecent(head, created) || head.seen.has(String(order.id))) return false;
  return [...head.seen.values()].every((known) => known === null || known <= created);
};

/** Whether an order that was created at this time and has not been seen is new. */
const isRecent = ({ from, splitAt }: Head, created: number): boolean => created >= from && created !== splitAt;

/** Returns when an order was created, in seconds since 1970; null for a date that cannot be read. */
const createdAt = ({ created_at }: { created_at?: unknown }): number | null => {
  const created = toDate(created_at);
  return created && Math.floor(created.getTime() / 1000);
};

/**
 * Drops the oldest orders, but never only some of those created in the same second. Orders without a date count as the
 * newest.
 */
const trimSeen = (head: Head): void => {
  const dateOf = ([, created]: [string, number | null]): number => created ?? Infinity;
  const newestFirst = [...head.seen].reverse().sort((one, other) => dateOf(other) - dateOf(one) || 0);
  const last = newestFirst[kept - 1];
  if (!last) return;
  const stay = newestFirst.filter((entry) => dateOf(entry) >= dateOf(last)).slice(0, maxSeen);
  const gone = newestFirst[stay.length]?.[1] ?? -1;
  head.from = Math.max(head.from, gone + 1);
  head.seen = new Map(stay.reverse());
};
