import type { OrderList, OrderSummary } from '../model/order.ts';
import { hasShrunk } from './reading.ts';
import { readCount, startOf, timeOf, type Window } from './window.ts';

/**
 * Why orders may be missing: `unsorted`, the list is not sorted by date; `undated`, a range was requested, and an
 * order's date cannot be read; `unseen`, the API counts more orders than it returned; `ties`, more orders were
 * created in one second than one response holds; `removed`, orders were removed from the list meanwhile, so `total`
 * cannot prove that all others were read.
 */
export type WalkGap = 'unsorted' | 'undated' | 'unseen' | 'ties' | 'removed';

export const walkGaps: readonly WalkGap[] = ['unsorted', 'undated', 'unseen', 'ties', 'removed'];

export interface GapOptions {
  /** Whether the API filters the list: then orders enter and leave it anywhere. */
  isFiltered: boolean;
  hasRange: boolean;
  /** Whether the walk reads the whole list from its top, so that its end can be compared with `total`. */
  isCounted: boolean;
  isAbove(order: OrderSummary): boolean;
}

/** One response, as it was used. */
export interface Reception {
  list: OrderList;
  window: Window;
  /** `total` of the response before. */
  total: number | undefined;
  /** The orders that were new; undefined for a response that was dropped. */
  fresh: readonly OrderSummary[] | undefined;
  isEnd: boolean;
}

export interface GapCheck {
  look(reception: Reception): void;
  add(gap: WalkGap): void;
  /** A second was read in two responses. At the end, `total` shows whether that lost an order. */
  noteSplit(): void;
  /** @param isStopped for a walk that is resumed from here, which cannot compare its end with `total` */
  found(isStopped?: boolean): WalkGap[];
}

/** Finds out why orders may be missing from what was read. */
export const createGapCheck = ({ isFiltered, hasRange, isCounted, isAbove }: GapOptions): GapCheck => {
  const gaps = new Set<WalkGap>();
  /** Only `total` at the end can clear these. */
  const doubts = new Set<WalkGap>();
  let oldest = Number.POSITIVE_INFINITY;
  let newestAtStart = Number.NaN;
  let totalAtStart: number | undefined;
  /** Where the highest window that was read starts. */
  let top = Number.POSITIVE_INFINITY;
  /** `total` when the last orders were read. */
  let totalWhenRead: number | undefined;
  /** Orders read, and how many of them arrived meanwhile. */
  let read = 0;
  let arrived = 0;

  const lookAtOrders = ({ list: { orders, pagination }, window, fresh = [] }: Reception): void => {
    const isFresh = new Set(fresh);
    const lastRead = orders.findLastIndex((order) => !isFresh.has(order));
    const grown = pagination.total - (totalWhenRead ?? pagination.total);
    totalWhenRead = pagination.total;
    const isHigher = startOf(window) < top;
    top = Math.min(top, startOf(window));
    const before = oldest;
    for (const [index, order] of orders.entries()) {
      if (!isFresh.has(order)) continue;
      const time = timeOf(order);
      read += 1;
      if (Number(time) > newestAtStart) arrived += 1;
      if (time === undefined && hasRange) gaps.add('undated');
      if (time === undefined) continue;
      // Orders that arrived may be on this page, and push others onto it, also those above the first one wanted.
      const isArrival = time >= newestAtStart && arrived <= pagination.total - Number(totalAtStart);
      const isExpected = isArrival || (isAbove(order) && (isHigher || grown > 0));
      const isPushed = index < lastRead || grown >= orders.length;
      if (time > before && !isFiltered && !isPushed && !isExpected) gaps.add('unsorted');
      oldest = Math.min(oldest, time);
    }
  };

  return {
    look(reception) {
      const { list, window, total, fresh, isEnd } = reception;
      if (!isSorted(list.orders)) gaps.add('unsorted');
      if (!isFiltered && hasShrunk(total, list)) gaps.add('removed');
      if (!isFiltered && isShort(list, window)) doubts.add('unseen');
      if (fresh) {
        totalAtStart ??= list.pagination.total;
        if (Number.isNaN(newestAtStart)) newestAtStart = newestOf(list.orders);
        lookAtOrders(reception);
      }
      if (!isEnd || !isCounted || gaps.has('removed')) return;
      doubts.clear();
      // Dates of a list that is not sorted do not tell what arrived.
      if (read - (gaps.has('unsorted') ? 0 : arrived) < Number(totalAtStart)) gaps.add('unseen');
    },
    add: (gap) => void gaps.add(gap),
    noteSplit: () => void doubts.add('ties'),
    found: (isStopped = false) => [...(isCounted && !isStopped ? gaps : new Set([...gaps, ...doubts]))],
  };
};

/** The latest time of these orders, ms; -Infinity if none has a readable date. */
export const newestOf = (orders: readonly OrderSummary[]): number =>
  orders.reduce((newest, order) => Math.max(newest, timeOf(order) ?? newest), Number.NEGATIVE_INFINITY);

/** True for a page with fewer orders than `per_page` or `total` promises. */
const isShort = ({ orders, pagination }: OrderList, { perPage }: Window): boolean => {
  const size = readCount(pagination.per_page, perPage);
  const before = (readCount(pagination.page, 1) - 1) * size;
  return orders.length < (before + size >= pagination.total ? pagination.total - before : size);
};

const isSorted = (orders: readonly OrderSummary[]): boolean => {
  const times = orders.map(timeOf).filter((time) => time !== undefined);
  return times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
};
