import { isOrderLicenseError } from '../base/errors.ts';
import { toDate } from '../model/dates.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';

/** Maximum number of orders per page (§8). The page numbers that a walk reports are for pages of this size. */
export const fullPage = 50;

/** A page of a given size. */
export interface Window {
  page: number;
  perPage: number;
}

export type ReadPage = (query: Window & { status: StatusFilter | undefined }) => Promise<OrderList>;

/** True if the API rejected a page or a page size (400) or has no such page (404). */
export const isRejectedPage = (error: unknown): boolean =>
  isOrderLicenseError(error) && (error.status === 404 || error.status === 400);

/** Returns the index of the window's first order, counted from 0 at the top of the list. */
export const startOf = ({ page, perPage }: Window): number => (page - 1) * perPage;

/** Returns the window that ends furthest down the list, among all windows that contain the order at `index`. */
export const widestWindow = (index: number): Window => {
  let best = { page: 1, perPage: fullPage };
  for (let perPage = fullPage; perPage >= 1; perPage--) {
    const page = Math.floor(index / perPage) + 1;
    if (page * perPage > best.page * best.perPage) best = { page, perPage };
  }
  return best;
};

/** Returns how many orders the list has according to the API; undefined unless the API sends a whole number. */
export const totalOf = ({ pagination: { total } }: OrderList): number | undefined =>
  Number.isSafeInteger(total) && total >= 0 ? total : undefined;

/** Whether `pages` agrees with `total`. */
export const hasSoundTotal = (list: OrderList, perPage: number): boolean => {
  const total = totalOf(list);
  const { pages } = list.pagination;
  return total !== undefined && (pages === Math.ceil(total / perPage) || (total === 0 && pages <= 1));
};

/** Returns how many of `total` orders a window contains. */
export const rowsIn = (total: number, window: Window): number =>
  Math.max(0, Math.min(window.perPage, total - startOf(window)));

/** Whether a response shows the requested window, with every row that the response's `total` implies. */
export const isPlaced = ({ orders, pagination }: OrderList, window: Window): boolean => {
  const { page, perPage } = window;
  if (readCount(pagination.page, page) !== page || readCount(pagination.per_page, perPage) !== perPage) return false;
  if (pagination.total === undefined) return page >= pagination.pages || orders.length === perPage;
  return hasSoundTotal({ orders, pagination }, perPage) && orders.length === rowsIn(pagination.total, window);
};

/**
 * Converts a number in the pagination (§2.3), which the API may send as a string. Returns `fallback` if the field is
 * missing, and NaN for anything that is not a number.
 */
export const readCount = (value: unknown, fallback: number): number => {
  if (value === undefined || value === null) return fallback;
  return typeof value === 'object' ? Number.NaN : Number(value);
};

const times = new WeakMap<object, number>();

/**
 * Returns the time at which an order was created, ms; NaN without an order, or if its date cannot be read. Comparisons
 * with NaN are false, so `timeOf(one) < timeOf(other)` means that both times are known, and that `one` is older.
 */
export const timeOf = (order: { created_at?: string | undefined } | undefined): number => {
  if (!order) return Number.NaN;
  const known = times.get(order);
  if (known !== undefined) return known;
  const time = toDate(order.created_at)?.getTime() ?? Number.NaN;
  times.set(order, time);
  return time;
};

/** Whether the date of an order can be read. */
export const isDated = (order: OrderSummary): boolean => !Number.isNaN(timeOf(order));

/** Returns the latest time of these orders, ms; -Infinity if none has a readable date. */
export const newestOf = (orders: readonly OrderSummary[]): number =>
  orders.filter(isDated).reduce((newest, order) => Math.max(newest, timeOf(order)), Number.NEGATIVE_INFINITY);
