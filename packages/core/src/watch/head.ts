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
  const total = await readTop(poll, head);
  await readGap(poll, head);
  if (head.gap) return;
  sayUnseen(poll, head, total);
  trimSeen(head);
};

const openAt = (poll: Poll, options?: Pick<ListOptions, 'start' | 'isAbove' | 'overlaps'>): ListReader =>
  readList(({ page, perPage }) => poll.listOrders({ page, perPage }, 'needed'), options);

/** The orders that a poll has read, by ID, in the sequence of the list. */
type Read = Map<string, OrderSummary>;

/**
 * Reads down the list until `isDone`, or to its end.
 * @param isLinked whether an order shows that page 1 comes from neither an older nor a much newer copy of the list,
 * which would hide new orders. If page 1 is read again, any order that was already read shows it
 * @returns false if page 1 was from such a copy, or if orders may be missing between two pages
 */
const readDown = async (
  reader: ListReader,
  read: Read,
  isLinked: (order: OrderSummary) => boolean,
  isDone: (step: ListPage) => boolean,
): Promise<boolean> => {
  for (;;) {
    const step = await reader.next();
    if (!step) return true;
    const isKnown = read.size > 0 ? ({ id }: OrderSummary): boolean => read.has(String(id)) : isLinked;
    if (step.slice.page === 1 && !step.list.orders.some(isKnown)) return false;
    for (const order of step.fresh) read.set(String(order.id), order);
    const gaps = reader.gaps();
    if (gaps.includes('removed') || (!step.joins && gaps.includes('ties'))) return false;
    const isFound = isDone(step);
    if (step.isEnd || (step.joins && isFound)) return true;
  }
};

/** Records the newest orders. Uses the dates in the list, not a clock. */
const readBaseline = async (poll: Poll): Promise<void> => {
  const head = newHead();
  const reader = openAt(poll);
  const read: Read = new Map();
  const isDone = ({ list }: ListPage): boolean => {
    head.total ??= totalOf(list);
    return read.size >= kept;
  };
  const isWhole = await readDown(reader, read, () => true, isDone);
  remember(head, [...read.values()]);
  const dates = [...head.seen.values()].filter((date) => date !== null);
  // The next page can have more orders of the oldest second. Any order may be missing if a second has more orders than
  // a response holds, or if the pages come from copies of different ages.
  const mayLack = !isWhole || reader.gaps().includes('ties');
  if (dates.length > 0 && (mayLack || read.size >= kept)) {
    head.from = (mayLack ? Math.max(...dates) : Math.min(...dates)) + 1;
  }
  poll.state.head = head;
  for (const [id, entry] of read) take(poll, { id, entry });
};

/**
 * Reads down to a known order. If a poll cannot read that far, the rest is a gap.
 * @returns the list's `total`
 */
const readTop = async (poll: Poll, head: Head): Promise<number | undefined> => {
  const read: Read = new Map();
  // A catch-up can have read more dates than one call of `Math.max` can take.
  const newestKnown = [...head.seen.values()].reduce<number>((latest, date) => Math.max(latest, Number(date)), 0);
  const oldest = head.gap?.oldest ?? newestKnown;
  let total: number | undefined;
  let isReached = false;
  try {
    isReached = await readDown(
      openAt(poll, { overlaps: true }),
      read,
      () => true,
      (step) => {
        total ??= totalOf(step.list);
        return isKnownBelow(head, [...read.values()], step, total);
      },
    );
  } finally {
    const newest = takeNew(poll, head, read);
    // Without dates, a catch-up cannot continue. The list's `total` shows what it missed.
    if (!isReached && newest !== undefined) head.gap = { newest: Math.max(newest, head.gap?.newest ?? 0), oldest };
  }
  return total;
};

/** Continues a catch-up, below the orders that it has read. */
const readGap = async (poll: Poll, head: Head): Promise<void> => {
  const { gap } = head;
  if (!gap) return;
  const isAbove = (order: OrderSummary): boolean => Number(createdAt(order)) > gap.newest;
  // Some orders above may have left the list.
  const index = [...head.seen.values()].filter((date) => Number(date) > gap.newest).length - margin;
  const start = pageAt(Math.max(0, index), fullPage);
  const read: Read = new Map();
  let isReached = false;
  try {
    isReached = await readDown(openAt(poll, { start, isAbove, overlaps: true }), read, isAbove, ({ fresh }) =>
      fresh.some((order) => (createdAt(order) ?? Infinity) < gap.oldest),
    );
  } finally {
    // New orders above the gap are left to the next poll, which reads down to known ones. The rest of a second that one
    // response cannot hold is in the gap.
    const inGap = new Map([...read].filter(([, order]) => Number(createdAt(order)) <= gap.newest + 1));
    const newest = takeNew(poll, head, inGap) ?? gap.newest;
    head.gap = isReached ? undefined : { ...gap, newest };
  }
};

/**
 * Reports and remembers what was read.
 * @returns a time: all orders created after it have been read, if the list stays sorted
 */
const takeNew = (poll: Poll, head: Head, read: Read): number | undefined => {
  const orders = [...read.values()];
  const fresh = new Set(findNew(head, orders));
  if (head.total !== undefined) head.total += fresh.size;
  remember(head, [...fresh]);
  for (const [id, entry] of read) {
    // A status list may have shown a new order before; it recognizes one by its date.
    const isTold = createdAt(entry) !== null && poll.state.orders.has(id);
    take(poll, { id, entry, isNew: fresh.has(entry) && !isTold });
  }
  const dates = orders.map(createdAt);
  const last = dates.at(-1) ?? undefined;
  // Only a part of the last second may have been read. One response cannot hold a larger second.
  return last && dates.filter((date) => date === last).length >= fullPage ? last - 1 : last;
};

const remember = ({ seen }: Head, orders: OrderSummary[]): void => {
  for (const order of orders.toReversed()) seen.set(String(order.id), createdAt(order));
};

/** Whether a response shows an order that was known before, and no new order is missing above it. */
const isKnownBelow = (head: Head, orders: OrderSummary[], { fresh }: ListPage, total: number | undefined): boolean => {
  const found = new Set(findNew(head, orders));
  const lastNew = orders.findLastIndex((order) => found.has(order));
  // More orders arrived than these pages show as new, because one of them has an earlier date. It is looked for as long
  // as new orders follow.
  const arrived = head.gap ? 0 : Number(total) - Number(head.total) || 0;
  const isShort = arrived > found.size && orders.length - lastNew <= kept;
  // Of the second in which a catch-up began, only a part may have been read.
  const known = orders.filter((order) => !found.has(order));
  const isPart = head.gap && known.length < fullPage && new Set(known.map(createdAt)).size === 1;
  return !isShort && !isPart && fresh.some((order) => !found.has(order));
};

/** Finds the new orders in a part of the list. */
const findNew = ({ seen, from }: Head, orders: readonly OrderSummary[]): OrderSummary[] => {
  const known = orders.findIndex(({ id }) => seen.has(String(id)));
  const knownAt = orders[known] && createdAt(orders[known]);
  return orders.filter((order, index) => {
    if (seen.has(String(order.id))) return false;
    const created = createdAt(order);
    if (created === null) return index < known || known < 0;
    // Orders listed above a known one are new, whatever their date (U-24, U-63), unless both are from one second (U-09).
    return created >= from || (index < known && created !== knownAt);
  });
};

/** Warns if the list has grown by more orders than were found. */
const sayUnseen = ({ warn }: Poll, head: Head, total: number | undefined): void => {
  if (total === undefined) return;
  head.total ??= total;
  const unseen = total - head.total;
  if (unseen <= 0) return;
  head.total = total;
  warn(
    `${unseen === 1 ? '1 order has' : `${unseen} orders have`} been added to the list below its newest orders, or hidden while the list changed, and can't be reported as new.`,
  );
};

/** Whether an order that a status list shows is new, although the head of the whole list has not shown it yet. */
export const isNewInList = ({ seen, from }: Head, order: OrderSummary): boolean =>
  !seen.has(String(order.id)) && Number(createdAt(order) ?? -1) >= from;

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
  const oldest = dateOf(newestFirst[kept - 1] ?? ['', 0]);
  const stay = newestFirst.filter((entry) => dateOf(entry) >= oldest).slice(0, maxSeen);
  const [, gone] = newestFirst[stay.length] ?? [];
  head.from = Math.max(head.from, (gone ?? -1) + 1);
  head.seen = new Map(stay.reverse());
};
