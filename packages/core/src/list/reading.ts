import type { OrderList, OrderSummary } from '../model/order.ts';
import { fullPage, isPlaced, readCount, startOf, timeOf, type Window, widestWindow } from './window.ts';

/** How the reading of a list stands; each response leads to the next one. */
export interface Reading {
  /** What to read next. */
  window: Window;
  /** Whether each window has to overlap what was read: in a filtered list, and where pages end within a second. */
  overlaps: boolean;
  /** How far the last step back went, in orders; undefined while the reading goes forward. */
  back: number | undefined;
  /** When the last order read was created, ms. Undefined: its date cannot be read, or its second is too full. */
  last: number | undefined;
  /**
   * The index of the last order read that is newer than `last`: a window from there on holds that second whole.
   * Undefined if the response had no newer one.
   */
  lastNewer: number | undefined;
  /** The index of the order after the last one. */
  end: number;
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
 * `split`, the last page ended between orders of one second, whose order may change (U-09); `misplaced`, the API
 * did not return the requested window.
 */
export type Join = 'joined' | 'apart' | 'split' | 'misplaced';

export const startReading = (window: Window, overlaps: boolean): Reading => ({
  window,
  overlaps,
  back: window.page > 1 ? 0 : undefined,
  last: undefined,
  lastNewer: undefined,
  end: 0,
  total: undefined,
  fruitful: 0,
  idle: 0,
  isEnded: false,
});

/** After this many responses without a new order, a `total` that falls once more is no reason to go back. */
const maxDoubts = 12;

/**
 * A response is joined if it is the top of the list, or if it contains an order that was read before and is newer than
 * the second in which the reading stopped: what follows that order in one response also follows it in the list. A page
 * of the whole list is also joined if it is the next one and no order was removed meanwhile.
 */
export const joinOf = (reading: Reading, list: OrderList, known: Known): Join => {
  const { window, overlaps, back, last, total, idle } = reading;
  if (overlaps && !isPlaced(list, window)) return 'misplaced';
  const proves = (order: OrderSummary): boolean =>
    known.isAbove(order) || (known.isRead(order) && isNewer(order, last));
  if (window.page === 1 || list.orders.some(proves)) return 'joined';
  if (overlaps || back !== undefined) return 'apart';
  if (hasShrunk(total, list) && idle < maxDoubts) return 'apart';
  const first = timeOf(list.orders[0]);
  return first !== undefined && first === last ? 'split' : 'joined';
};

export const hasShrunk = (total: number | undefined, { pagination }: OrderList): boolean =>
  Number.isSafeInteger(total) && Number.isSafeInteger(pagination.total) && pagination.total < Number(total);

/**
 * After a joined response: on to the orders below it.
 * @param perPage size of the pages of a reading without overlap
 */
export const goForward = (reading: Reading, list: OrderList, freshCount: number, perPage: number): Reading => {
  const { window, overlaps } = reading;
  const { orders, pagination } = list;
  const start = startOf(window);
  const last = timeOf(orders.at(-1));
  const newer = orders.findLastIndex((order) => isNewer(order, last));
  const isElsewhere = readCount(pagination.page, window.page) !== window.page;
  return {
    ...reading,
    window: overlaps ? widestWindow(start + newer) : pageFrom(start + window.perPage, perPage),
    back: undefined,
    last,
    lastNewer: newer < 0 ? undefined : start + newer,
    end: start + orders.length,
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
 * @param list undefined if the API rejected the window
 */
export const goBack = (reading: Reading, list: OrderList | undefined, perPage: number): Reading => {
  const { window, overlaps, back, lastNewer } = reading;
  const total = list?.pagination.total ?? reading.total;
  const hasTotal = Number.isSafeInteger(total);
  const removed = hasTotal ? Math.max(0, Number(reading.total) - Number(total)) : 0;
  const start = Math.min(startOf(window), hasTotal ? Number(total) : Number.POSITIVE_INFINITY);
  const isExact = !overlaps && back === undefined && lastNewer !== undefined && list && isPlaced(list, window);
  const index = Math.max(0, isExact ? lastNewer - removed : start - 1 - (back ?? 0));
  return {
    ...reading,
    window: overlaps || isExact ? widestWindow(index) : pageFrom(index, perPage),
    back: back ? 2 * back : fullPage,
    total,
    idle: reading.idle + 1,
  };
};

/** After a page that is split from the last one: on with windows that hold the second between them. */
export const overlap = (reading: Reading, lastNewer: number): Reading => ({
  ...reading,
  window: widestWindow(lastNewer),
  overlaps: true,
});

/** Whether the response that led to `next` could not hold its last second. */
export const isTooFull = (before: Reading, next: Reading): boolean => {
  const endOf = ({ window }: Reading): number => startOf(window) + window.perPage;
  return next.overlaps && !next.isEnded && (next.lastNewer === undefined || endOf(next) <= endOf(before));
};

/** On past a second that is too full: the next response then has to follow any order read. */
export const leaveSecond = (reading: Reading): Reading => ({
  ...reading,
  window: widestWindow(reading.end - 1),
  last: undefined,
});

/** On with pages, from the one that should contain the last order read. */
export const readPages = (reading: Reading, perPage: number): Reading => ({
  ...reading,
  window: pageFrom(Math.max(0, reading.end - 1), perPage),
  overlaps: false,
  back: 0,
  last: undefined,
  idle: 0,
});

const pageFrom = (index: number, perPage: number): Window => ({ page: Math.floor(index / perPage) + 1, perPage });

const isNewer = (order: OrderSummary, time: number | undefined): boolean => {
  const own = timeOf(order);
  return own === undefined || time === undefined || own > time;
};
