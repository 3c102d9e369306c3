import type { OrderList, OrderSummary } from '../model/order.ts';
import { fullPage, isPlaced, readCount, startOf, timeOf, type Window, widestWindow } from './window.ts';

/** How the reading of a list stands; each response leads to the next one. */
export interface Reading {
  /** What to read next. */
  window: Window;
  /** How far the last step back went, in orders; undefined while the reading goes forward. */
  back: number | undefined;
  /** When the last order read was created, ms. Undefined: its date cannot be read, or its second is too full. */
  last: number | undefined;
  /** The index of the last order read that is newer than `last`: a window from there on holds that second whole. */
  lastNewer: number;
  /** True if `window` is read only to hold the last second whole. */
  isFilling: boolean;
  /** `total` of the latest response. */
  total: number | undefined;
  /** Responses with new orders, and responses since the last of them. */
  fruitful: number;
  idle: number;
  isEnded: boolean;
}

/** What is known about orders. */
export interface Known {
  /** True for an order above the first one wanted. */
  isAbove(order: OrderSummary): boolean;
  /** True for an order that was read. */
  isRead(order: OrderSummary): boolean;
}

/**
 * How a response follows what was read before: `joined`, nothing is missing in between; `apart`, orders may be;
 * `split`, the last page ended between orders of one second, whose order may change (U-09); `misplaced`, the service
 * did not return the requested window.
 */
export type Join = 'joined' | 'apart' | 'split' | 'misplaced';

/** How a list is read: a filtered one in windows of any size, the whole list in pages of one size. */
export interface Shape {
  isFiltered: boolean;
  perPage: number;
}

export const startReading = (window: Window): Reading => ({
  window,
  back: window.page > 1 ? 0 : undefined,
  last: undefined,
  lastNewer: 0,
  isFilling: false,
  total: undefined,
  fruitful: 0,
  idle: 0,
  isEnded: false,
});

/** After this many responses without a new order, a `total` that falls once more is no reason to go back. */
const maxDoubts = 4;

/**
 * A response is joined if it is the top of the list, or if it contains an order that was read before and is newer than
 * the second in which the reading stopped: what follows that order in one response also follows it in the list. A page
 * of the whole list is also joined if it is the next one and no order was removed meanwhile.
 */
export const joinOf = (
  { window, back, last, total, idle }: Reading,
  list: OrderList,
  isFiltered: boolean,
  known: Known,
): Join => {
  if (isFiltered && !isPlaced(list, window)) return 'misplaced';
  const proves = (order: OrderSummary): boolean =>
    known.isAbove(order) || (known.isRead(order) && isNewer(order, last));
  if (window.page === 1 || list.orders.some(proves)) return 'joined';
  if (isFiltered || back !== undefined) return 'apart';
  if (hasShrunk(total, list) && idle < maxDoubts) return 'apart';
  const first = timeOf(list.orders[0]);
  return first !== undefined && first === last ? 'split' : 'joined';
};

export const hasShrunk = (total: number | undefined, { pagination }: OrderList): boolean =>
  Number.isSafeInteger(total) && Number.isSafeInteger(pagination.total) && pagination.total < Number(total);

/** After a joined response: on to the orders below it. */
export const goForward = (
  reading: Reading,
  list: OrderList,
  freshCount: number,
  { isFiltered, perPage }: Shape,
): Reading => {
  const { window } = reading;
  const { orders, pagination } = list;
  const last = timeOf(orders.at(-1));
  const newer = orders.findLastIndex((order) => isNewer(order, last));
  const lastNewer = startOf(window) + (newer < 0 ? orders.length - 1 : newer);
  const end = startOf(window) + window.perPage;
  const below = { page: Math.floor(end / perPage) + 1, perPage };
  const isElsewhere = readCount(pagination.page, window.page) !== window.page;
  return {
    ...reading,
    window: isFiltered ? widestWindow(lastNewer) : below,
    back: undefined,
    last,
    lastNewer,
    isFilling: false,
    total: pagination.total,
    fruitful: reading.fruitful + (freshCount > 0 ? 1 : 0),
    idle: freshCount > 0 ? 0 : reading.idle + 1,
    // A service may return its last page for every later one.
    isEnded: orders.length === 0 || window.page >= pagination.pages || (isElsewhere && freshCount === 0),
  };
};

/**
 * After a response that is apart: back to an order that was read. The first step goes to where the last one must be now,
 * each further one twice as far.
 * @param list undefined if the service rejected the window
 */
export const goBack = (reading: Reading, list: OrderList | undefined, { isFiltered, perPage }: Shape): Reading => {
  const { window, back, lastNewer } = reading;
  const total = list?.pagination.total ?? reading.total;
  const removed = Number.isSafeInteger(total) ? Math.max(0, Number(reading.total) - Number(total)) : 0;
  const start = Math.min(startOf(window), Number.isSafeInteger(total) ? Number(total) : Number.POSITIVE_INFINITY);
  const isExact = !isFiltered && back === undefined && list !== undefined && isPlaced(list, window);
  const index = Math.max(0, isExact ? lastNewer - removed : start - 1 - (back ?? 0));
  const page = { page: Math.floor(index / perPage) + 1, perPage };
  return {
    ...reading,
    window: isFiltered || isExact ? widestWindow(index) : page,
    back: back ? 2 * back : fullPage,
    total,
    idle: reading.idle + 1,
  };
};

/** After a page that is split from the last one: a window that holds the second between them; undefined if none can. */
export const fillSecond = (reading: Reading): Reading | undefined => {
  const window = widestWindow(reading.lastNewer);
  if (startOf(window) + window.perPage <= startOf(reading.window)) return undefined;
  return { ...reading, window, back: 0, isFilling: true };
};

/** Whether the second in which the reading stopped was too full for the last response, which led to `next`. */
export const isTooFull = (before: Reading, next: Reading, isFiltered: boolean): boolean => {
  const endOf = ({ window }: Reading): number => startOf(window) + window.perPage;
  return isFiltered ? endOf(next) <= endOf(before) : before.isFilling && next.last === before.last;
};

/** On past a second that no response can hold: the next response then only has to follow any order read. */
export const leaveSecond = (reading: Reading, end: number, { isFiltered, perPage }: Shape): Reading => ({
  ...reading,
  window: isFiltered ? widestWindow(end - 1) : { page: Math.floor(end / perPage) + 1, perPage },
  back: undefined,
  last: undefined,
  isFilling: false,
});

const isNewer = (order: OrderSummary, time: number | undefined): boolean => {
  const own = timeOf(order);
  return own === undefined || time === undefined || own > time;
};
