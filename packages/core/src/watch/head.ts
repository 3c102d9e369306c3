import { toDate } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import type { Poll } from './poll.ts';
import { record } from './record.ts';
import type { Head } from './state.ts';

const pageSize = 50;
/** Orders kept in `seen`: two pages, so that an order that appears late still has a known one below it. */
const kept = 100;
/** The most of one second. */
const maxSeen = 1_000;
/** Pages of missed orders that one poll records; the next poll continues. */
const maxPages = 10;
/** Pages that one poll reads in search of the newest known order. */
const maxMisses = 30;

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
  if (!isReached && first.pagination.pages > 1) {
    await catchUp(poll, head, first);
    return true;
  }
  const total = totalOf(first);
  let { orders } = first;
  let isExplained = total === undefined || head.total === undefined || total - head.total <= fresh.size;
  if (!isExplained && first.pagination.pages > 1) {
    // More orders arrived than the first page shows as new: one may have an earlier date.
    const second = await reads.listOrders({ page: 2, perPage: pageSize }, 'event');
    isExplained = second !== undefined;
    const shown = new Set(orders.map(({ id }) => id));
    if (second) orders = [...orders, ...second.orders.filter(({ id }) => !shown.has(id))];
  }
  const found = split(head, orders).fresh;
  if (await recordPage(poll, orders, found)) {
    head.total = isExplained ? total : head.total && head.total + found.size;
  }
  trimSeen(head);
  return true;
};

/** The baseline: the newest orders. It uses the dates of the list, not a clock. */
const beginWith = async ({ memory, reads }: Poll, first: OrderList): Promise<Head | undefined> => {
  const second =
    first.pagination.pages > 1 ? await reads.listOrders({ page: 2, perPage: pageSize }, 'head') : { orders: [] };
  if (!second) return undefined;
  const seen = new Map([...first.orders, ...second.orders].map((order) => [String(order.id), createdAt(order)]));
  const dates = [...seen.values()].filter((date) => date !== null);
  // The next page may start with orders of the same second.
  const isWhole = first.pagination.pages <= 1 || dates.length === 0;
  memory.head = { from: isWhole ? 0 : Math.min(...dates) + 1, total: totalOf(first), seen };
  return memory.head;
};

/** The new orders of a part of the list; `isReached`: it has a known order, too, so that no new one follows. */
const split = ({ from, seen }: Head, orders: readonly OrderSummary[]): { fresh: Set<unknown>; isReached: boolean } => {
  const firstSeen = orders.findIndex(({ id }) => seen.has(String(id)));
  const fresh = orders.filter((order, index) => {
    if (seen.has(String(order.id))) return false;
    const created = createdAt(order);
    // Orders listed above a seen one are new, whatever their date (U-24, U-63).
    if (firstSeen >= 0 && index < firstSeen) return true;
    return created === null ? firstSeen < 0 : created >= from;
  });
  return { fresh: new Set(fresh.map(({ id }) => id)), isReached: fresh.length < orders.length };
};

/**
 * Reads orders that arrived during a pause, oldest first, over as many polls as needed. It starts at the newest known
 * order; each page overlaps the one below it, so that orders which arrive meanwhile cause no gap.
 */
const catchUp = async (poll: Poll, head: Head, first: OrderList): Promise<void> => {
  const { reads, warn } = poll;
  // The API may return smaller pages than requested (U-02).
  const size = Math.min(pageSize, first.orders.length);
  const total = totalOf(first);
  let place =
    total !== undefined && head.total !== undefined ? Math.max(total - head.total, 1) : await locate(poll, head, size);
  for (let pages = 0; pages < maxPages && place !== undefined; pages++) {
    const window = windowAt(place, size);
    const list = await reads.listOrders(window, 'event');
    if (!list) return;
    const { fresh, isReached } = split(head, list.orders);
    if (!isReached && (list.orders.length === 0 || window.page < list.pagination.pages)) {
      place = await locate(poll, head, size);
      continue;
    }
    if (!(await recordPage(poll, list.orders, fresh))) return;
    trimSeen(head);
    place = (window.page - 1) * window.perPage;
    const count = totalOf(list);
    head.total = count === undefined ? undefined : count - place;
    if (place === 0) return;
  }
  warn('Many orders arrived since the last poll. The next polls report the rest, oldest first.');
};

/** Where the newest known order is, counted from 0, if the count does not say it: by doubling, then by bisection. */
const locate = async ({ reads }: Poll, head: Head, size: number): Promise<number | undefined> => {
  /** Pages: the last on which all orders are new, and the first on which none is. */
  let [allNew, noneNew] = [1, Number.POSITIVE_INFINITY];
  for (let requests = 0; requests < maxMisses && noneNew - allNew > 1; requests++) {
    const page = Number.isFinite(noneNew) ? Math.floor((allNew + noneNew) / 2) : 2 * allNew;
    const list = await reads.listOrders({ page, perPage: size }, 'event');
    if (!list) return undefined;
    const { fresh, isReached } = split(head, list.orders);
    if (fresh.size > 0 && isReached) return (page - 1) * size + fresh.size;
    if (fresh.size > 0) allNew = page;
    else noneNew = page;
  }
  return allNew * size;
};

/** The page that has the order at this place, and as many of those above it as possible. */
const windowAt = (place: number, size: number): { page: number; perPage: number } => {
  let best = { page: 1, perPage: size };
  let bestStart = Number.POSITIVE_INFINITY;
  for (let perPage = size; perPage >= Math.ceil(size / 2); perPage--) {
    const page = Math.floor(place / perPage) + 1;
    const start = (page - 1) * perPage;
    if (start < bestStart) {
      best = { page, perPage };
      bestStart = start;
    }
  }
  return best;
};

/** Records a part of the list, oldest first. @returns false if an order cannot be read in full now */
const recordPage = async (poll: Poll, orders: readonly OrderSummary[], fresh: Set<unknown>): Promise<boolean> => {
  for (const order of orders.toReversed()) {
    const isNew = fresh.has(order.id);
    if (!(await record(poll, order, isNew))) return false;
    if (isNew) poll.memory.head?.seen.set(String(order.id), createdAt(order));
  }
  return true;
};

/** Whether an order of another list has yet to appear at the head of the whole one. */
export const isStillNew = ({ from, seen }: Head, order: OrderSummary): boolean => {
  const created = createdAt(order);
  return created !== null && created >= from && !seen.has(String(order.id));
};

export const totalOf = ({ pagination }: OrderList): number | undefined =>
  Number.isSafeInteger(pagination.total) && pagination.total >= 0 ? pagination.total : undefined;

/** Seconds since 1970; null for a date that cannot be read. */
export const createdAt = ({ created_at }: { created_at?: unknown }): number | null => {
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
