import type { CallOptions } from '../base/call-options.ts';
import { argumentError } from '../base/errors.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import type { WalkGap } from './list-reader.ts';
import { type Period, periodReader } from './periods.ts';
import { createOrderCounter, type TotalsGroup, type UnreadableOrder } from './sum-orders.ts';
import { walkPages } from './walk.ts';
import { checkLimit, type DateRange } from './walk-options.ts';
import { newestOf, type ReadPage, timeOf } from './window.ts';

export interface TotalsOptions extends CallOptions, DateRange {
  /**
   * Only orders with this status, or with one of these statuses. For several statuses, the whole list is read and
   * filtered locally.
   */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /** Groups the orders by day, week (from Monday) or month, by `created_at` in `timeZone`. */
  groupBy?: Period | undefined;
  /** IANA name of the time zone of `groupBy`. Default: UTC. */
  timeZone?: string | undefined;
  /**
   * List requests after which the count ends with the last complete second; the result then has `continue`. The search
   * for `createdBefore` also uses requests, but at least one second is counted. Default: no limit.
   */
  maxRequests?: number | undefined;
  /**
   * Orders after which the count ends in the same way, or a few later: it includes all orders of the last response.
   * Default: no limit.
   */
  maxOrders?: number | undefined;
  /** Called with the orders that a list request added to the count, each once, newest first. Must not throw. */
  onOrders?: ((orders: readonly OrderSummary[]) => void) | undefined;
  /** Called after each list request with the current totals. Must not throw. */
  onProgress?: ((soFar: Readonly<Totals>) => void) | undefined;
}

/**
 * Why orders may be missing: as in a walk; `unfinished`, the count has not reached the end of the range, see `continue`;
 * `unsearched`, `maxRequests` ended it before it reached an order of the range.
 */
export type TotalsGap = 'unfinished' | 'unsearched' | WalkGap;

export interface Totals {
  /** In the order of each group's first order in the list. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount, currency or date cannot be read. */
  unreadable: UnreadableOrder[];
  /**
   * True if `groups` contains every order of the range: nothing in `gaps`, and no order in `unreadable` for its date.
   */
  complete: boolean;
  /** Why `complete` is false. */
  gaps: TotalsGap[];
  /**
   * If the count is unfinished: the options of the call that counts the rest, whose result to add to this one. Parts
   * never overlap.
   */
  continue?: { createdBefore: Date };
  /** `created_at` of the newest and of the oldest order counted, unchanged. */
  newest: string | undefined;
  oldest: string | undefined;
  /** Orders counted, and list requests sent. */
  orders: number;
  requests: number;
}

/** Earlier than any order. */
const earliest = new Date('0001-01-01T00:00:00Z');

/** In a sorted list, at most so many pages precede the first order of a range. */
const maxPagesBefore = 2;

/**
 * Counts and sums the orders of a range, by whole seconds. The first response with orders of the range fixes the upper
 * end: newer orders are excluded, so that a later call with `createdFrom` can begin there.
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call
 */
export const totals = async (read: ReadPage, options: TotalsOptions): Promise<Totals> => {
  const { status, createdFrom, createdBefore, groupBy, timeZone, onOrders, onProgress } = options;
  if (timeZone !== undefined && !groupBy)
    throw argumentError('`timeZone` needs `groupBy`', 'Pass `groupBy` too, or omit `timeZone`.');
  const maxRequests = checkLimit('maxRequests', options.maxRequests);
  const maxOrders = checkLimit('maxOrders', options.maxOrders);
  const counter = createOrderCounter(groupBy && periodReader(groupBy, timeZone ?? 'UTC'));
  const hasRange = createdFrom !== undefined || createdBefore !== undefined;
  const before = Number(createdBefore ?? Number.POSITIVE_INFINITY);
  // A part cannot compare its orders with `total`. In a range, pages overlap, which shows on its own what is missing.
  const isPart = Math.min(maxRequests, maxOrders) < Number.POSITIVE_INFINITY;
  const start = isPart && !hasRange ? earliest : createdFrom;
  const walk = walkPages(read, { status, createdFrom: start, createdBefore });
  const undated: UnreadableOrder[] = [];
  /** Orders of the second that the count has reached, which the next page may continue. */
  let waiting: OrderSummary[] = [];
  let upperEnd: number | undefined;
  let newest: OrderSummary | undefined;
  let oldest: OrderSummary | undefined;
  let orders = 0;
  let requests = 0;
  let pagesAfter = 0;

  /** @param reached how far the walk got, ms: orders of later seconds are all there */
  const add = (more: readonly OrderSummary[], reached?: number): void => {
    const counted: OrderSummary[] = [];
    const all = [...waiting, ...more];
    waiting = [];
    for (const order of all) {
      const time = timeOf(order);
      // An order that arrived during the count; in a list that is not sorted, that cannot be told.
      if (Number(time) > Number(upperEnd) && !walk.gaps.includes('unsorted')) continue;
      if (time === undefined && hasRange) undated.push({ id: order.id, field: 'created_at', value: order.created_at });
      else if (time !== undefined && time === reached) waiting.push(order);
      else counted.push(order);
    }
    for (const order of counted) {
      const time = timeOf(order);
      if (time !== undefined && !(time <= Number(timeOf(newest)))) newest = order;
      if (time !== undefined && !(time >= Number(timeOf(oldest)))) oldest = order;
      counter.add(order);
    }
    orders += counted.length;
    if (counted.length > 0) onOrders?.(counted);
  };
  const result = (more: readonly TotalsGap[], end?: number): Totals => {
    const { groups, unreadable } = counter.result();
    const gaps = [...more, ...walk.gaps.filter((gap) => hasRange || gap !== 'undated')];
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
    const reached = toDate(page.oldest)?.getTime();
    const newestOfPage = newestOf(page.orders);
    if (Number.isFinite(newestOfPage)) upperEnd ??= newestOfPage;
    add(page.orders, reached);
    const end = Math.min((reached ?? Number.POSITIVE_INFINITY) + 1000, before);
    // Past the start of the range, nothing is left to count; one more page ends the walk.
    const isPast = end <= Number(createdFrom);
    const unfinished = result(['unfinished'], Number.isFinite(end) && !isPast ? end : undefined);
    onProgress?.(unfinished);
    if (page.isLast || isPast || (requests < maxRequests && orders <= maxOrders)) continue;
    pagesAfter += 1;
    if (end < before && (orders > 0 || waiting.length === 0)) return unfinished;
    if (!(Number(reached) < before) && pagesAfter > maxPagesBefore) return result(['unsearched']);
  }
  add([]);
  return result([]);
};
