import { type ListOptions, type ListPage, type ListReader, readList } from '../list/list-reader.ts';
import { fullPage, pageAt, totalOf } from '../list/slice.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary } from '../model/order.ts';
import { type Poll, take } from './poll.ts';
import { type Head, newHead } from './state.ts';

/** Number of orders kept in `seen`: two pages, so that an order that appears late still has a known order below it. */
const kept = 100;
/** Maximum number of orders kept in `seen` if many were created in the same second. */
const maxSeen = 1_000;
/** Number of orders that a catch-up reads again, because orders above them may have left the list. */
const margin = 4;

/** What a poll has read from the top of the list on. */
interface Descent {
  /** The orders read, by ID, in the sequence of the list. */
  orders: Map<string, OrderSummary>;
  total?: number | undefined;
  /** Whether it has read enough: down to an order that was known before the catch-up, or to the end of the list. */
  isReached: boolean;
}

/**
 * Finds new orders and changes of the newest orders at the head of the list, usually with one request. Reads down to an
 * order that was known before. If a poll cannot read that far, it reports what it has read, and the next poll goes on.
 * The first poll records the newest orders as the baseline.
 */
export const readHead = async (poll: Poll): Promise<void> => {
  const { head } = poll.state;
  if (!head) {
    await readBaseline(poll);
    return;
  }
  const descent: Descent = { orders: new Map(), isReached: false };
  try {
    await readDown(poll, head, descent);
  } finally {
    const orders = [...descent.orders.values()];
    const fresh = new Set(findNew(head, orders));
    sayUnseen(poll, head, fresh.size, descent);
    remember(head, [...fresh], descent);
    for (const entry of orders) {
      const id = String(entry.id);
      // A status list may have shown a new order before; it recognizes one by its date.
      const isTold = createdAt(entry) !== null && poll.state.orders.has(id);
      take(poll, { id, entry, isNew: fresh.has(entry) && !isTold });
    }
  }
};

const openAt = (poll: Poll, options?: Pick<ListOptions, 'start' | 'isAbove'>): ListReader =>
  readList(({ page, perPage }) => poll.listOrders({ page, perPage }, 'needed'), options);

/** Records the newest orders. Uses the dates in the list, not a clock. */
const readBaseline = async (poll: Poll): Promise<void> => {
  const head = newHead();
  const reader = openAt(poll);
  const orders: OrderSummary[] = [];
  let isEnd = false;
  while (!isEnd && orders.length < kept) {
    const step = await reader.next();
    orders.push(...(step?.fresh ?? []));
    head.accountedFor = head.total ??= step && totalOf(step.list);
    isEnd = !step || step.isEnd;
  }
  for (const order of orders) head.seen.set(String(order.id), createdAt(order));
  const dates = [...head.seen.values()].filter((date) => date !== null);
  // The next page can have more orders of the oldest second. In a second that is larger than a response, any order can
  // have been missed.
  const isTied = reader.gaps().includes('ties');
  if (dates.length > 0 && (isTied || !isEnd)) head.from = (isTied ? Math.max(...dates) : Math.min(...dates)) + 1;
  poll.state.head = head;
  for (const entry of orders) take(poll, { id: String(entry.id), entry });
};

const readDown = async (poll: Poll, head: Head, descent: Descent): Promise<void> => {
  const { caughtUp } = head;
  const { orders } = descent;
  let reader = openAt(poll);
  let hasJumped = !head.isJoined;
  const above = wholeOf(head);
  while (!descent.isReached) {
    const step = await reader.next();
    if (step && isOtherCopy(head, descent, step)) return;
    descent.total ??= step && totalOf(step.list);
    // After a jump, the reader can return orders again.
    for (const order of step?.fresh ?? []) orders.set(String(order.id), order);
    descent.isReached = !step || step.isEnd || isKnownBelow(head, descent, step);
    const first = [...orders.keys()].findIndex((id) => caughtUp.has(id));
    const index = first + above.length - margin;
    if (hasJumped || first < 0 || index <= orders.size) continue;
    hasJumped = true;
    reader = openAt(poll, {
      start: pageAt(index, fullPage),
      isAbove: ({ id }) => above.includes(String(id)),
    });
  }
};

/**
 * Returns the orders of a catch-up below which it goes on: those above its oldest second, because it may have read only
 * a part of that second, and the rest may have moved up since. One response cannot hold a larger second.
 */
const wholeOf = ({ caughtUp }: Head): string[] => {
  const oldest = [...caughtUp.values()].reduce((one, other) => (Number(one) < Number(other) ? one : other), Infinity);
  const whole = [...caughtUp].flatMap(([id, date]) => (date === oldest ? [] : [id]));
  return caughtUp.size - whole.length < fullPage ? whole : [...caughtUp.keys()];
};

/**
 * Whether a page is from another copy of the list than those that the catch-up has read: an older first page lacks their
 * newest order, and a newer page below it has a newer one. Either would hide new orders. Or the list is empty for a
 * moment. If the newest order is removed during a catch-up, it waits for the next new order.
 */
const isOtherCopy = (head: Head, { orders }: Descent, { list, slice }: ListPage): boolean => {
  const read = [...head.caughtUp.values(), ...[...orders.values()].map(createdAt)];
  const newest = read.reduce<number>((one, other) => Math.max(one, Number(other)), 0);
  const dates = list.orders.map(createdAt);
  // A newer first page need not reach down to the orders that an older one showed.
  if (slice.page === 1 && orders.size > 0 && !list.orders.some(({ id }) => orders.has(String(id)))) return true;
  return slice.page === 1
    ? dates.every((date) => (date ?? Infinity) < newest)
    : dates.some((date) => Number(date) > newest);
};

/** Whether a response shows an order that was known before the catch-up, and no new order is missing above it. */
const isKnownBelow = (head: Head, descent: Descent, step: ListPage): boolean => {
  const orders = [...descent.orders.values()];
  const fresh = new Set(findNew(head, orders));
  const isOld = (order: OrderSummary): boolean => !fresh.has(order) && !head.caughtUp.has(String(order.id));
  const arrived = Number(descent.total) - Number(head.total) || 0;
  const lastNew = orders.findLastIndex((order) => !isOld(order));
  // More orders arrived than these pages show as new, because one of them has an earlier date. It is looked for as long
  // as new orders follow.
  const isShort = arrived > fresh.size + head.caughtUp.size && orders.length - lastNew <= kept;
  return step.joins && step.fresh.some(isOld) && !isShort;
};

/** Finds the new orders in a part of the list. */
const findNew = ({ seen, caughtUp, from }: Head, orders: readonly OrderSummary[]): OrderSummary[] => {
  const known = orders.findIndex(({ id }) => seen.has(String(id)));
  const knownAt = orders[known] && createdAt(orders[known]);
  return orders.filter((order, index) => {
    if (seen.has(String(order.id)) || caughtUp.has(String(order.id))) return false;
    const created = createdAt(order);
    if (created === null) return index < known || known < 0;
    // Orders listed above a known one are new, whatever their date (U-24, U-63), unless both are from one second (U-09).
    return created >= from || (index < known && created !== knownAt);
  });
};

/** Warns if the list has grown by more orders than were found. */
const sayUnseen = ({ warn }: Poll, head: Head, fresh: number, { isReached, total }: Descent): void => {
  if (!isReached || total === undefined) return;
  const expected = (head.accountedFor ?? total) + fresh + head.caughtUp.size;
  head.accountedFor = Math.max(expected, total);
  if (total <= expected) return;
  const count = total - expected === 1 ? '1 order has' : `${total - expected} orders have`;
  warn(
    `${count} been added to the list below its newest orders, or hidden while the list changed, and can't be reported as new.`,
  );
};

/** Remembers the new orders that were read, newest first. */
const remember = (head: Head, fresh: OrderSummary[], { orders, isReached, total }: Descent): void => {
  const { caughtUp } = head;
  const isTouched = caughtUp.size === 0 || [...orders.keys()].some((id) => caughtUp.has(id));
  const told = new Map([...fresh.map((order) => [String(order.id), createdAt(order)] as const), ...caughtUp]);
  if (!isReached) {
    head.caughtUp = told;
    head.isJoined &&= isTouched || fresh.length === 0;
    return;
  }
  head.seen = new Map([...head.seen, ...[...told].reverse()]);
  Object.assign(head, { caughtUp: new Map(), isJoined: true, total });
  trimSeen(head);
};

/** Whether an order that a status list shows is new, although the head of the whole list has not shown it yet. */
export const isNewInList = ({ seen, caughtUp, from }: Head, order: OrderSummary): boolean => {
  const id = String(order.id);
  return !seen.has(id) && !caughtUp.has(id) && Number(createdAt(order) ?? -1) >= from;
};

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
