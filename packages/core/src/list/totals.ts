import type { CallOptions } from '../base/call-options.ts';
import { argumentError } from '../base/errors.ts';
import { isDated, newestOf, timeOf, toDate } from '../model/dates.ts';
import type { OrderSummary } from '../model/order.ts';
import type { WalkGap } from './gaps.ts';
import { type Period, periodReader } from './periods.ts';
import type { ReadPage } from './slice.ts';
import { createOrderCounter, type TotalsGroup, type UnreadableOrder } from './sum-orders.ts';
import { checkLimit, type OrderFilters, walkPages } from './walk.ts';

export interface TotalsOptions extends CallOptions, OrderFilters {
  /** Groups the orders by day, week (from Monday) or month, by `created_at` in `timeZone`. */
  groupBy?: Period | undefined;
  /** IANA name of the time zone for `groupBy`. Default: UTC. */
  timeZone?: string | undefined;
  /**
   * Number of list requests after which the count stops, including those of the search for `createdBefore`. The result
   * then covers only complete seconds, and has `continue` or the gap `unsearched`. The count can send more requests to
   * complete its first second. Default: no limit.
   */
  maxRequests?: number | undefined;
  /**
   * Once more orders than this are counted, the count stops as with `maxRequests`. All orders of the last response are
   * included. Default: no limit.
   */
  maxOrders?: number | undefined;
  /**
   * Called after a list request with the orders that it added to the count, newest first; each order is passed once.
   * Must not throw.
   */
  onOrders?: ((orders: readonly OrderSummary[]) => void) | undefined;
  /** Called after each list request with the current totals. Must not throw. */
  onProgress?: ((soFar: Readonly<Totals>) => void) | undefined;
}

/**
 * Why orders may be missing:
 * - the gaps of a walk
 * - `unfinished`: the count has not reached the end of the range; see `continue`
 * - `unsearched`: `maxRequests` ended the count before it reached an order of the range
 */
export type TotalsGap = 'unfinished' | 'unsearched' | WalkGap;

export interface Totals {
  /** Sorted by the first order of each group in the list. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount, currency or date cannot be read. */
  unreadable: UnreadableOrder[];
  /**
   * True if `gaps` is empty: no order of the range is known to be missing from `groups`. Its amount may still be in
   * `unreadable` and not in a sum.
   */
  complete: boolean;
  /** Why `complete` is false. */
  gaps: TotalsGap[];
  /**
   * If the count is unfinished: options for another call, which counts the remaining orders. Add that call's result to
   * this one: the two never overlap.
   */
  continue?: { createdBefore: Date };
  /** `created_at` of the newest and of the oldest order counted, unchanged. */
  newest: string | undefined;
  oldest: string | undefined;
  /** Number of orders counted, and number of list requests sent. */
  orders: number;
  requests: number;
}

/** In a sorted list, at most this many pages precede the first order of a range. */
const maxPagesBefore = 2;

/**
 * Counts and sums the orders of a range, by whole seconds. The first response with orders of the range fixes the upper
 * end: newer orders are excluded, so that a later call with `createdFrom` can begin there.
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call
 */
export const totals = async (read: ReadPage, options: TotalsOptions): Promise<Totals> => {
  const { status, createdFrom, createdBefore, groupBy, timeZone, onOrders, onProgress } = options;
  if (timeZone !== undefined && !groupBy)
    throw argumentError('`timeZone` needs `groupBy`', 'Also pass `groupBy`, or omit `timeZone`.');
  const maxRequests = checkLimit('maxRequests', options.maxRequests);
  const maxOrders = checkLimit('maxOrders', options.maxOrders);
  const counter = createOrderCounter(groupBy && periodReader(groupBy, timeZone ?? 'UTC'));
  const hasRange = createdFrom !== undefined || createdBefore !== undefined;
  const before = Number(createdBefore ?? Infinity);
  const walk = walkPages(read, { status, createdFrom, createdBefore });
  const undated: UnreadableOrder[] = [];
  /** Orders of the second that the count has reached; the next page may contain more of them. */
  let waiting: OrderSummary[] = [];
  let upperEnd: number | undefined;
  let newest: OrderSummary | undefined;
  let oldest: OrderSummary | undefined;
  let orders = 0;
  let requests = 0;
  let pagesAfter = 0;

  /** @param reached creation time that the walk has reached, ms: all newer orders have been read */
  const add = (more: readonly OrderSummary[], reached = Number.NaN): void => {
    const counted: OrderSummary[] = [];
    const all = [...waiting, ...more];
    waiting = [];
    for (const order of all) {
      // Orders that arrived during the count are left out. In an unsorted list, such orders cannot be recognized.
      if (timeOf(order) > (upperEnd ?? Infinity) && !walk.gaps.includes('unsorted')) continue;
      if (hasRange && !isDated(order)) undated.push({ id: order.id, field: 'created_at', value: order.created_at });
      else if (timeOf(order) === reached) waiting.push(order);
      else counted.push(order);
    }
    for (const order of counted) {
      counter.add(order);
      if (!isDated(order)) continue;
      if (!newest || timeOf(order) > timeOf(newest)) newest = order;
      if (!oldest || timeOf(order) < timeOf(oldest)) oldest = order;
    }
    orders += counted.length;
    if (counted.length > 0) onOrders?.(counted);
  };
  const result = (more: readonly TotalsGap[], end?: number): Totals => {
    const { groups, unreadable } = counter.result();
    const gaps = [...more, ...walk.gaps];
    return {
      groups,
      unreadable: [...unreadable, ...undated],
      complete: gaps.length === 0,
      gaps,
      ...(end !== undefined && { continue: { createdBefore: new Date(end) } }),
      newest: newest?.created_at,
      oldest: oldest?.created_at,
      orders,
      requests,
    };
  };

  for await (const page of walk) {
    requests = page.requests;
    const reached = toDate(page.oldest)?.getTime() ?? Infinity;
    const newestOfPage = newestOf(page.orders);
    if (Number.isFinite(newestOfPage)) upperEnd ??= newestOfPage;
    add(page.orders, reached);
    const end = Math.min(reached + 1000, before);
    // Past the start of the range, nothing is left to count; one more page ends the walk.
    const isPast = end <= Number(createdFrom);
    const unfinished = result(['unfinished'], Number.isFinite(end) && !isPast ? end : undefined);
    onProgress?.(unfinished);
    const isOverBudget = requests >= maxRequests || orders > maxOrders;
    if (page.isLast || isPast || !isOverBudget) continue;
    pagesAfter += 1;
    // The count stops only after a complete second, so that each further call makes progress.
    if (end < before && (orders > 0 || waiting.length === 0)) return unfinished;
    if (reached >= before && pagesAfter > maxPagesBefore) return result(['unsearched']);
  }
  add([]);
  return result([]);
};
