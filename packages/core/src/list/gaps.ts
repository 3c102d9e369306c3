import { isDated, newestOf, timeOf } from '../model/dates.ts';
import { documentedStatus, type OrderList, type OrderSummary, type StatusFilter } from '../model/order.ts';
import { type Slice, totalOf } from './slice.ts';

/**
 * Why orders may be missing:
 * - `unsorted`: the list is not sorted by date
 * - `undated`: a date range was requested, and an order's date cannot be read
 * - `unseen`: the API returned fewer orders than it counts, a page with fewer orders than its pages have, another page
 * or page size than requested, or orders outside the filter
 * - `ties`: more orders were created in one second than one response holds, or orders of one second kept changing
 * places
 * - `removed`: orders were removed from the list while it was read, and before they were read
 */
export type WalkGap = 'unsorted' | 'undated' | 'unseen' | 'ties' | 'removed';

export type GapFinder = ReturnType<typeof createGapFinder>;

/** What a response shows of the list. */
interface Look {
  slice: Slice;
  /** Its orders that were not read before. */
  fresh: readonly OrderSummary[];
  /** Index after its last order; undefined for a wrong page. */
  end?: number | undefined;
}

interface GapOptions {
  status: StatusFilter | undefined;
  /** Whether the list is read from its top and without a filter, so that its rows can be counted. */
  isWhole: boolean;
  /** Whether orders are selected by date. */
  isRange: boolean;
}

/**
 * Collects the reasons why orders may be missing from what was read of a list: looks at each response, and counts the
 * rows. The frontier adds `ties` for seconds that one response cannot hold, `unsorted` for newer orders below older
 * ones, and breaks where no response continued the rows.
 */
export const createGapFinder = ({ status, isWhole, isRange }: GapOptions) => {
  const gaps = new Set<WalkGap>();
  let largestTotal = 0;
  let hasFallen = false;
  /** Whether a page had more orders than requested, so that the next one cannot overlap with it. */
  let hasLong = false;
  /** Number of orders read that already existed at the first response. */
  let old = 0;
  let newest: number | undefined;
  /** The largest `total` seen, without the orders that arrived since the first response. */
  let expected: number | undefined;

  return {
    add: (gap: WalkGap) => void gaps.add(gap),
    /** Looks at a response with new orders, or one that continues what was read before. */
    look(list: OrderList, { slice, fresh, end }: Look): void {
      const { orders, pagination } = list;
      const total = totalOf(list);
      if (!isSorted(orders)) gaps.add('unsorted');
      if (isRange && !fresh.every(isDated)) gaps.add('undated');
      // A single order may have just changed its status. If most orders are outside the filter, the API ignores the
      // filter.
      const others = orders.filter((order) => !matches(order, status)).length;
      const isShort = orders.length < slice.perPage && slice.page < pagination.pages;
      if (end === undefined || isShort || hasLong || (others > 1 && others > orders.length / 2)) gaps.add('unseen');
      hasLong ||= orders.length > slice.perPage;
      newest ??= newestOf(orders);
      for (const order of fresh) if (!isDated(order) || timeOf(order) <= newest) old += 1;
      if (total === undefined) return;
      hasFallen ||= total < largestTotal;
      largestTotal = Math.max(largestTotal, total);
      // Unread orders that arrived at the top move the end of the response down.
      if (end !== undefined && fresh.at(-1) === orders.at(-1)) expected = Math.max(expected ?? 0, total - (end - old));
    },
    /** Notes that no response continued the rows. */
    addBreak: () => void gaps.add(hasFallen ? 'removed' : isWhole ? 'ties' : 'unseen'),
    /**
     * Compares the rows with the API's count at the end of the list. If the rows are complete, no second hides an
     * order, so `ties` is removed.
     * @param end index after the last order
     */
    finish(list: OrderList, end: number): void {
      if (Number(totalOf(list)) > end) gaps.add('unseen');
      if (!isWhole || expected === undefined) return;
      if (gaps.has('unsorted') || old >= expected) gaps.delete('ties');
      else gaps.add('unseen').add(hasFallen ? 'removed' : 'unseen');
    },
    list: (): WalkGap[] => [...gaps],
  };
};

/** Whether a filtered list can contain the order. An undocumented status fits every filter. */
export const matches = ({ status }: OrderSummary, filter: StatusFilter | undefined): boolean =>
  filter === undefined || (documentedStatus(status) ?? filter) === filter;

const isSorted = (orders: readonly OrderSummary[]): boolean => {
  const dated = orders.filter(isDated);
  return dated.every((order, index) => index === 0 || timeOf(order) <= timeOf(dated[index - 1]));
};
