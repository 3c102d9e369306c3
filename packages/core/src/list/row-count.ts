import type { OrderList, OrderSummary } from '../model/order.ts';
import { isDated, newestOf, timeOf, totalOf } from './slice.ts';

/** Compares the API's `total`, which a cache may hold back, with the rows of a list that is read from its top. */
export interface RowCount {
  /**
   * Counts the new orders of a response.
   * @param end index after the last order of the response; undefined if orders below it are already known
   */
  add(list: OrderList, fresh: readonly OrderSummary[], end: number | undefined): void;
  /**
   * Learns whether `total` moves as the rows do.
   * @param shift number of rows by which the list moved down between two responses
   * @param change the change of `total` between them
   */
  compare(shift: number, change: number): void;
  /** Whether `total` has moved exactly as the rows did, at least once and without exception. */
  isLive(): boolean;
  /** Whether fewer orders were read than the largest `total`, without those that arrived; undefined without a `total`. */
  isShort(isSorted: boolean): boolean | undefined;
}

export const createRowCount = (): RowCount => {
  /** Number of orders read, and the number of those that had not arrived after the first response. */
  let read = 0;
  let old = 0;
  let newest: number | undefined;
  let expected: number | undefined;
  let isLive: boolean | undefined;
  return {
    add(list, fresh, end) {
      const { orders } = list;
      newest ??= newestOf(orders);
      read += fresh.length;
      for (const order of fresh) if (!isDated(order) || timeOf(order) <= newest) old += 1;
      const total = totalOf(list);
      // Orders that arrived above, and have not been read, move the end of the response down.
      if (total !== undefined && end !== undefined) expected = Math.max(expected ?? 0, total - (end - old));
    },
    compare(shift, change) {
      if (shift !== change) isLive = false;
      else if (shift !== 0) isLive ??= true;
    },
    isLive: () => isLive === true,
    isShort: (isSorted) => (expected === undefined ? undefined : (isSorted ? old : read) < expected),
  };
};
