import { toDate } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { recordEntry } from './record.ts';
import type { Head, Poll } from './state.ts';

const pageSize = 50;
/** Orders kept in `seen`: two pages, so that an order that appears late still has a known one below it. */
const kept = 100;
/** The most of one second. */
const maxSeen = 1_000;
/** Pages that one poll reads after a pause; the next poll continues. */
const maxPages = 30;
/** Events that wait before the next poll reads on. */
const maxHeld = 500;

/**
 * Reads the head of the list, usually with one request: new orders, and changes of the newest ones.
 * @returns false if no request may be sent in this poll
 */
export const readHead = async (poll: Poll): Promise<boolean> => {
  const { memory, reads } = poll;
  const first = await reads.listOrders({ page: 1, perPage: pageSize }, 'head');
  if (!first) return false;
  const head = memory.head ?? (await beginWith(poll, first));
  if (!head) return true;
  const { fresh, isReached } = split(head, first.orders);
  if (!isReached && first.pagination.pages > 1) await catchUp(poll, head, first);
  else {
    const arrived = arrivedSince(head, first);
    // If more orders arrived than the first page shows as new, one may have an earlier date.
    const isHiding = arrived !== undefined && arrived > fresh.size && first.pagination.pages > 1;
    const second = isHiding ? await reads.listOrders({ page: 2, perPage: pageSize }, 'event') : undefined;
    const shown = new Set(first.orders.map(({ id }) => id));
    const orders = [...first.orders, ...(second?.orders ?? []).filter(({ id }) => !shown.has(id))];
    const found = recordPage(poll, head, orders);
    head.total = isHiding && !second && head.total !== undefined ? head.total + found : totalOf(first);
  }
  trimSeen(head);
  return true;
};

/** The baseline: the newest orders. It uses the dates of the list, not a clock. */
const beginWith = async ({ memory, reads }: Poll, first: OrderList): Promise<Head | undefined> => {
  const isWhole = first.pagination.pages <= 1;
  const second = isWhole ? { orders: [] } : await reads.listOrders({ page: 2, perPage: pageSize }, 'head');
  if (!second) return undefined;
  const seen = new Map([...first.orders, ...second.orders].map((order) => [String(order.id), createdAt(order)]));
  const dates = [...seen.values()].filter((date) => date !== null);
  // The next page may start with orders of the same second.
  memory.head = { from: isWhole || dates.length === 0 ? 0 : Math.min(...dates) + 1, total: totalOf(first), seen };
  return memory.head;
};

/** The new orders of a part of the list; `isReached`: it has a known order, too, so that no new one follows. */
const split = ({ from, seen }: Head, orders: readonly OrderSummary[]): { fresh: Set<unknown>; isReached: boolean } => {
  const firstSeen = orders.findIndex(({ id }) => seen.has(String(id)));
  const fresh = orders.filter((order, index) => {
    if (seen.has(String(order.id))) return false;
    const created = createdAt(order);
    // Orders listed above a seen one are new, whatever their date (U-24, U-63).
    return index < firstSeen || (created === null ? firstSeen < 0 : created >= from);
  });
  return { fresh: new Set(fresh.map(({ id }) => id)), isReached: fresh.length < orders.length };
};

/**
 * Reads orders that arrived during a pause, oldest first, over as many polls as needed. It starts where the newest known
 * order should be, and steps back until it finds a known one. Each page overlaps the one below it, so that orders which
 * arrive meanwhile cause no gap.
 */
const catchUp = async (poll: Poll, head: Head, first: OrderList): Promise<void> => {
  const { reads, warn, memory } = poll;
  // The API may return smaller pages than requested (U-02).
  const size = Math.min(pageSize, first.orders.length);
  let place = arrivedSince(head, first) ?? size;
  for (let pages = 0; pages < maxPages && memory.held.length < maxHeld; pages++) {
    const { page, perPage } = windowAt(Math.max(place, 0), size);
    const list = await reads.listOrders({ page, perPage }, 'event');
    if (!list) return;
    if (!split(head, list.orders).isReached && list.orders.length > 0 && page < list.pagination.pages) {
      place += size;
      continue;
    }
    recordPage(poll, head, list.orders);
    trimSeen(head);
    place = (page - 1) * perPage;
    const total = totalOf(list);
    head.total = total === undefined ? undefined : total - place;
    if (place === 0) return;
  }
  warn('Many orders arrived since the last poll. The next polls report the rest, oldest first.');
};

/** The page that has the order at this place, and as many of those above it as possible. */
const windowAt = (place: number, size: number): { page: number; perPage: number } => {
  let best = { page: Math.floor(place / size) + 1, perPage: size };
  for (let perPage = size - 1; perPage >= size / 2; perPage--) {
    const page = Math.floor(place / perPage) + 1;
    if ((page - 1) * perPage < (best.page - 1) * best.perPage) best = { page, perPage };
  }
  return best;
};

/** Records a part of the list, oldest first. @returns how many of its orders are new */
const recordPage = (poll: Poll, head: Head, orders: readonly OrderSummary[]): number => {
  const { fresh } = split(head, orders);
  for (const order of orders.toReversed()) {
    recordEntry(poll, order, fresh.has(order.id));
    if (fresh.has(order.id)) head.seen.set(String(order.id), createdAt(order));
  }
  return fresh.size;
};

/** Whether an order of another list has yet to appear at the head of the whole one. */
export const isStillNew = ({ from, seen }: Head, order: OrderSummary): boolean =>
  (createdAt(order) ?? Number.NEGATIVE_INFINITY) >= from && !seen.has(String(order.id));

export const totalOf = ({ pagination }: OrderList): number | undefined =>
  Number.isSafeInteger(pagination.total) && pagination.total >= 0 ? pagination.total : undefined;

/** Undefined if the API does not count. */
const arrivedSince = (head: Head, list: OrderList): number | undefined => {
  const total = totalOf(list);
  return total === undefined || head.total === undefined ? undefined : total - head.total;
};

/** Seconds since 1970; null for a date that cannot be read. */
const createdAt = ({ created_at }: { created_at?: unknown }): number | null => {
  const created = toDate(created_at);
  return created && Math.floor(created.getTime() / 1000);
};

/** Drops the oldest orders, but never only some of one second. */
const trimSeen = (head: Head): void => {
  if (head.seen.size <= kept) return;
  const all = [...head.seen];
  const undated = all.filter(([, created]) => created === null).slice(-kept);
  const dated = all
    .filter((entry): entry is [string, number] => entry[1] !== null)
    .sort((one, other) => other[1] - one[1]);
  const oldest = dated[kept - 1]?.[1] ?? 0;
  const stay = dated.filter(([, created]) => created >= oldest).slice(0, maxSeen);
  const gone = dated[stay.length];
  if (gone) head.from = Math.max(head.from, gone[1] + 1);
  head.seen = new Map([...stay, ...undated]);
};
