import { isDated, newestOf, timeOf } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { totalOf } from './slice.ts';

/**
 * Why orders may be missing:
 * - `unsorted`: the list is not sorted by date
 * - `undated`: a date range was requested, and an order's date cannot be read
 * - `unseen`: the API returned fewer orders than it counts, or a wrong or short page
 * - `ties`: more orders were created in one second than one response holds
 * - `removed`: orders were removed from the list while it was read
 */
export type WalkGap = 'unsorted' | 'undated' | 'unseen' | 'ties' | 'removed';

export type GapFinder = ReturnType<typeof createGapFinder>;

/**
 * Collects the reasons why orders may be missing from what was read of a list.
 * @param isWhole whether the list is read from its top and without a filter, so that its rows can be counted
 */
export const createGapFinder = (isWhole: boolean) => {
  const gaps = new Set<WalkGap>();
  let isTied = false;
  let largestTotal = 0;
  let hasFallen = false;
  /** Number of orders read, and the number of those that had not arrived after the first response. */
  let read = 0;
  let old = 0;
  let newest: number | undefined;
  /** How many orders without those that arrived the API has counted, at most. */
  let expected: number | undefined;

  return {
    add: (gap: WalkGap) => void gaps.add(gap),
    /**
     * Looks at a response that continues what was read before.
     * @param fresh its orders that were not read before
     * @param end index after its last order; undefined if orders below it are already known
     */
    look(list: OrderList, fresh: readonly OrderSummary[], end: number | undefined): void {
      const { orders } = list;
      const total = totalOf(list);
      if (!isSorted(orders)) gaps.add('unsorted');
      newest ??= newestOf(orders);
      read += fresh.length;
      for (const order of fresh) if (!isDated(order) || timeOf(order) <= newest) old += 1;
      if (total === undefined) return;
      hasFallen ||= total < largestTotal;
      largestTotal = Math.max(largestTotal, total);
      // Orders that arrived at the top, and have not been read, move the end of the response down.
      if (end !== undefined) expected = Math.max(expected ?? 0, total - (end - old));
    },
    /** Notes that orders may be hidden in a second that fills a whole response, unless the rows turn out to be complete. */
    addTie(): void {
      isTied = true;
    },
    /**
     * Notes a place where the rows could not be continued.
     * @param gap the reason, unless orders were removed
     */
    addBreak: (gap: WalkGap) => void gaps.add(hasFallen ? 'removed' : gap),
    /**
     * Compares the rows with the API's count at the end of the list.
     * @param end index after the last order
     */
    finish(list: OrderList, end: number): void {
      if (Number(totalOf(list)) > end) gaps.add('unseen');
      if (!isWhole || expected === undefined) return;
      if ((gaps.has('unsorted') ? read : old) >= expected) isTied = false;
      else gaps.add('unseen').add(hasFallen ? 'removed' : 'unseen');
    },
    list: (): WalkGap[] => (isTied ? [...new Set(gaps).add('ties')] : [...gaps]),
  };
};

const isSorted = (orders: readonly OrderSummary[]): boolean => {
  const dated = orders.filter(isDated);
  return dated.every((order, index) => index === 0 || timeOf(order) <= timeOf(dated[index - 1]));
};
