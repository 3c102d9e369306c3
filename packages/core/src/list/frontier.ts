import { timeOf } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import type { GapFinder } from './gaps.ts';
import { endOf, fullPage, pageAt, type Slice, type SliceResult, startOf, totalOf, widestSlice } from './slice.ts';

interface FrontierOptions {
  /** The first slice to request. */
  start: Slice;
  /** Whether a response joins only if it repeats a known order. Otherwise, the index of its slice can suffice. */
  mustOverlap: boolean;
  /** True for an order above the first wanted one. Such an order also shows that a response joins. */
  isAbove(order: OrderSummary): boolean;
  gaps: GapFinder;
}

/** After this many steps back without a new order, a gap is reported, and the next response need not join. */
const maxSteps = 10;

/** Remembers how far a list was read, which is where the next response has to join, and chooses the next slice. */
export const createFrontier = ({ start, mustOverlap, isAbove, gaps }: FrontierOptions) => {
  const known = new Set<string>();
  /**
   * Time of the last order, ms. NaN if unknown, or if no slice holds all orders of its second; any known order then
   * proves a join.
   */
  let time = NaN;
  let isSplit = false;
  /** Index of the first order created in the same second as the last one, and index after the last order. */
  let first = startOf(start);
  let end = first;
  /** `total` when the last order was read. */
  let total: number | undefined;
  /**
   * The slice to request next. `isFree`: any response to it joins, because it is the top, follows a gap or cannot
   * overlap.
   */
  let slice = start;
  let isFree = start.page === 1;
  /** Number of orders in a full page, and whether slices can overlap. */
  let size = start.perPage;
  let canOverlap = true;
  /** Number of steps back since the last new order. */
  let steps = 0;
  /** How many orders above the last known order the next step back goes. */
  let distance = 0;

  const isKnown = (order: OrderSummary): boolean => known.has(String(order.id));
  /** Also true for a time of NaN. */
  const isNewer = (order: OrderSummary): boolean => !(timeOf(order) <= time);
  const changeOf = (list: OrderList): number => Number(totalOf(list)) - Number(total);
  const sliceAt = (index: number): Slice => (canOverlap ? widestSlice(index, size) : pageAt(index, size));

  return {
    get slice() {
      return slice;
    },
    /** Whether steps back cannot help, because slices cannot overlap. */
    get isStuck() {
      return !canOverlap;
    },
    /** Whether the list has ended, after the API returned no page for the slice. */
    isAtEnd: ({ orders, pagination }: OrderList): boolean =>
      slice.page > pagination.pages && startOf(slice) === end && orders.every(isKnown),
    /** Whether a response ends above the last order that was read, so that it leads back down to that order. */
    leadsDown: ({ orders }: OrderList): boolean => timeOf(orders.at(-1)) > time,
    /** Remembers orders, and returns those that were not read before. */
    add(orders: readonly OrderSummary[]): OrderSummary[] {
      const fresh = orders.filter((order) => !isKnown(order) && known.add(String(order.id)));
      if (fresh.length > 0) steps = 0;
      return fresh;
    },
    /**
     * Whether a response continues what was read before. It does if it repeats an order from a later second than the
     * last one read, because it then shows that last second as a whole. In the whole list, it also does if it repeats
     * exactly the orders that it should. Any repeat would not suffice: if page 1 ends with `a b` and page 2 begins with
     * `b`, either an order has arrived, or `b` has changed places with an unread order of the same second, which is now
     * above page 2.
     */
    joins(list: OrderList): boolean {
      const { orders } = list;
      if (isFree || slice.page === 1) return true;
      const repeated = orders.filter(isKnown).length - (end - startOf(slice));
      // In a second that no slice holds as a whole, an order has changed places, or the list has moved.
      if (isSplit && repeated !== 0) gaps.add('ties');
      const isWhole = known.size > 0 && !mustOverlap && changeOf(list) >= 0;
      return (
        orders.some((order) => isAbove(order) || (isKnown(order) && isNewer(order))) || (isWhole && repeated === 0)
      );
    },
    /** Adopts the size of the first page if the API did not use the requested size. */
    fitSize(list: OrderList): void {
      const { orders, pagination } = list;
      const { page, perPage } = slice;
      if (known.size > 0) return;
      // A size above 50 cannot be requested, so such pages are read by their number.
      if (orders.length > perPage) canOverlap = false;
      const isAsAsked = pagination.pages <= Math.ceil(Number(totalOf(list)) / perPage);
      if (isAsAsked || orders.length === 0 || orders.length >= perPage || page >= pagination.pages) return;
      size = orders.length;
      // Pages of one order cannot overlap.
      canOverlap = size > 1;
      slice = { page, perPage: size };
    },
    /**
     * Moves to the end of a response that joins, and chooses the slice below it.
     * @param fresh its orders that were not read before
     * @param newEnd index after its last order
     */
    advance(list: OrderList, fresh: readonly OrderSummary[], newEnd: number): void {
      const { orders } = list;
      const reaches = fresh.at(-1) === orders.at(-1);
      // In a sorted list, only the top can have a new order that is newer than the last one read.
      if (!mustOverlap && startOf(slice) === end && timeOf(fresh[0]) > time) gaps.add('unsorted');
      const isShared = timeOf(orders[0]) === time;
      const isCounted = totalOf(list) !== undefined && !(changeOf(list) < 0);
      const overlaps = canOverlap && (mustOverlap || !isCounted || !reaches);

      const lastTime = timeOf(orders.at(-1));
      // The rows join down to the last one, even if another copy has shown it before.
      if (reaches || lastTime < time) time = lastTime;
      const above = orders.findLastIndex(isNewer);
      first = startOf(slice) + above + 1;
      end = newEnd;
      total = totalOf(list);
      isFree = !canOverlap;
      distance = 0;
      // Repeats the last order that is newer than the frontier's second.
      const next = sliceAt(overlaps ? Math.max(0, first - 1) : end);
      isSplit = overlaps && endOf(next) <= endOf(slice);
      // One response cannot hold the second.
      if (above < 0 && (isSplit || isShared)) gaps.add('ties');
      if (!isSplit) {
        slice = next;
        return;
      }
      time = NaN;
      const last = sliceAt(end - 1);
      // Very small pages cannot overlap everywhere.
      isFree ||= endOf(last) <= end;
      slice = isFree ? pageAt(end, size) : last;
    },
    /** Moves the slice past a page that is wrong, or has no rows. */
    skip(): void {
      slice = pageAt(endOf(slice), size);
      end = startOf(slice);
      isFree = true;
    },
    /**
     * Moves the slice back after a response that does not join. The first step goes to where the last known order must
     * be now. Each later step goes twice as far above that position as the one before. After the last step, it reports
     * a gap and reads page by page, without overlap.
     * @returns false if no step back can help, because the response is a wrong page
     */
    goBack({ is, error }: SliceResult, list: OrderList): boolean {
      // A filtered list may have become shorter, although `pages` counts all orders (U-11).
      if (isFree || (is === 'other' && !mustOverlap)) return false;
      // A wrong page has cost two requests, so it counts as two steps. A rejected size is not tried again.
      const isRejectedSize = error?.status === 400 && slice.perPage !== size;
      steps += isRejectedSize ? Infinity : is === 'other' ? 2 : 1;
      if (steps > maxSteps) {
        gaps.addBreak();
        canOverlap = false;
        isFree = true;
        slice = pageAt(end, size);
        return true;
      }
      const removed = Math.max(0, -changeOf(list)) || 0;
      const index = Math.max(0, Math.min(startOf(slice), first - removed) - 1 - distance);
      slice = sliceAt(index);
      distance = distance === 0 ? fullPage : 2 * distance;
      return true;
    },
  };
};
