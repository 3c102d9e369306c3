import { type OrderList, type OrderSummary, toDate } from '@order-license/core/portable';

/** The newest orders that the trigger has seen: by them it tells new orders from those that were there before. */
export interface RecentOrders {
  /** Every order created at this second or later is new unless it is in `seen`, in seconds since 1970. */
  from: number;
  /** By ID, when each was created; null where its date cannot be read. */
  seen: Map<string, number | null>;
  /** Orders of the whole list that are not new any more; undefined where the service does not count. */
  settled: number | undefined;
}

/** Orders that stay in `seen`. Two pages: an order that becomes visible late is still found among them. */
const kept = 100;
/** Only orders created in the same second can be more. */
const maxSeen = 10_000;

export const createdSeconds = ({ created_at }: { created_at?: unknown }): number | null => {
  const created = toDate(created_at);
  return created && Math.floor(created.getTime() / 1000);
};

export const totalOf = ({ pagination }: OrderList): number | undefined =>
  Number.isSafeInteger(pagination.total) && pagination.total >= 0 ? pagination.total : undefined;

/** Takes the first page of the list as what was there before: the dates of the list decide, not a clock. */
export const beginWith = (firstPage: OrderList): RecentOrders => {
  const { orders, pagination } = firstPage;
  const seen = new Map(orders.map((order) => [String(order.id), createdSeconds(order)]));
  const dates = [...seen.values()].filter((date) => date !== null);
  // The last second of the page may go on behind it.
  const from = pagination.pages <= 1 || dates.length === 0 ? 0 : Math.min(...dates) + 1;
  return { from, seen, settled: totalOf(firstPage) };
};

/**
 * The new orders of a page, as listed.
 * @returns `reached`: true if the page also holds an order that is not new, so that no new one follows
 */
export const newOnPage = (
  { from, seen }: RecentOrders,
  orders: readonly OrderSummary[],
): { fresh: OrderSummary[]; reached: boolean } => {
  const firstSeen = orders.findIndex(({ id }) => seen.has(String(id)));
  const fresh = orders.filter((order, index) => {
    if (seen.has(String(order.id))) return false;
    const created = createdSeconds(order);
    // What is listed above an order that was seen is new whatever its date says (U-24, U-63).
    if (firstSeen >= 0 && index < firstSeen) return true;
    return created === null ? firstSeen < 0 : created >= from;
  });
  return { fresh, reached: fresh.length < orders.length };
};

/** Whether an order of another list is one that the head of the list has still to show. */
export const isStillNew = ({ from, seen }: RecentOrders, order: OrderSummary): boolean => {
  const created = createdSeconds(order);
  return created !== null && created >= from && !seen.has(String(order.id));
};

export const addSeen = ({ seen }: RecentOrders, order: OrderSummary): void => {
  seen.set(String(order.id), createdSeconds(order));
};

/** Forgets the oldest, but never only a part of those created in one second. */
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
