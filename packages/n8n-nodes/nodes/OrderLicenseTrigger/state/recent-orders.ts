import { type OrderList, type OrderSummary, toDate } from '@order-license/core/portable';

/** The newest orders that the trigger has seen, used to recognize new ones. */
export interface RecentOrders {
  /** Orders created at this time or later are new unless they are in `seen`; in seconds since 1970. */
  from: number;
  /** Creation times by ID, in seconds since 1970; null if the date cannot be read. */
  seen: Map<string, number | null>;
  /** Number of known orders in the whole list; undefined if the service does not count. */
  settled: number | undefined;
}

/** Orders kept in `seen`: two pages, so that an order that appears late still has a known one below it. */
const kept = 100;
/** The maximum if more orders were created in the same second. */
const maxSeen = 10_000;

export const createdSeconds = ({ created_at }: { created_at?: unknown }): number | null => {
  const created = toDate(created_at);
  return created && Math.floor(created.getTime() / 1000);
};

export const totalOf = ({ pagination }: OrderList): number | undefined =>
  Number.isSafeInteger(pagination.total) && pagination.total >= 0 ? pagination.total : undefined;

/** Records the first page of the list as the baseline. It uses the dates of the list, not a clock. */
export const beginWith = (firstPage: OrderList): RecentOrders => {
  const { orders, pagination } = firstPage;
  const seen = new Map(orders.map((order) => [String(order.id), createdSeconds(order)]));
  const dates = [...seen.values()].filter((date) => date !== null);
  // The next page may start with orders of the same second.
  const from = pagination.pages <= 1 || dates.length === 0 ? 0 : Math.min(...dates) + 1;
  return { from, seen, settled: totalOf(firstPage) };
};

/**
 * The new orders of a page, as listed.
 * @returns `reached`: true if the page also contains a known order, so that no new one follows
 */
export const newOnPage = (
  { from, seen }: RecentOrders,
  orders: readonly OrderSummary[],
): { fresh: OrderSummary[]; reached: boolean } => {
  const firstSeen = orders.findIndex(({ id }) => seen.has(String(id)));
  const fresh = orders.filter((order, index) => {
    if (seen.has(String(order.id))) return false;
    const created = createdSeconds(order);
    // Orders listed above a seen one are new, whatever their date (U-24, U-63).
    if (firstSeen >= 0 && index < firstSeen) return true;
    return created === null ? firstSeen < 0 : created >= from;
  });
  return { fresh, reached: fresh.length < orders.length };
};

/** Whether an order from another list has yet to appear at the head of the list. */
export const isStillNew = ({ from, seen }: RecentOrders, order: OrderSummary): boolean => {
  const created = createdSeconds(order);
  return created !== null && created >= from && !seen.has(String(order.id));
};

export const addSeen = ({ seen }: RecentOrders, order: OrderSummary): void => {
  seen.set(String(order.id), createdSeconds(order));
};

/** Drops the oldest orders, but never only some of those created in the same second. */
export const trimSeen = (recent: RecentOrders): void => {
  if (recent.seen.size <= kept) return;
  const all = [...recent.seen];
  const undated = all.filter(([, created]) => created === null).slice(-kept);
  const dated = all
    .filter((entry): entry is [string, number] => entry[1] !== null)
    .sort((one, other) => other[1] - one[1]);
  const oldest = dated[kept - 1]?.[1] ?? 0;
  const stay = dated.filter(([, created]) => created >= oldest).slice(0, maxSeen);
  const gone = dated[stay.length];
  if (gone) recent.from = Math.max(recent.from, gone[1] + 1);
  recent.seen = new Map([...stay, ...undated]);
};
