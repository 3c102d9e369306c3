import type { CallOptions } from '../base/call-options.ts';
import { argumentError } from '../base/errors.ts';
import { isDated, newestOf, timeOf } from '../model/dates.ts';
import type { OrderSummary } from '../model/order.ts';
import type { WalkGap } from './gaps.ts';
import { type Period, periodReader } from './periods.ts';
import type { ReadPage } from './slice.ts';
import { createOrderCounter, type TotalsGroup, type UnreadableOrder } from './sum-orders.ts';
import { type OrderFilters, walkPages } from './walk.ts';

export interface TotalsOptions extends CallOptions, OrderFilters {
  /** Groups the orders by day, week (from Monday) or month, by `created_at` in `timeZone`. */
  groupBy?: Period | undefined;
  /** IANA name of the time zone for `groupBy`. Default: UTC. */
  timeZone?: string | undefined;
}

export interface Totals {
  /** Groups in the sequence in which their first orders are listed. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount, currency or date cannot be read. */
  unreadable: UnreadableOrder[];
  /**
   * True if `gaps` is empty: no order of the range is known to be missing from `groups`. An order can still be in
   * `unreadable` instead of a sum.
   */
  complete: boolean;
  /** Why `complete` is false: the gaps of the walk. */
  gaps: WalkGap[];
  /** `created_at` of the newest order counted, unchanged. */
  newest: string | undefined;
  /** `created_at` of the oldest order counted, unchanged. */
  oldest: string | undefined;
  /** Number of orders counted. */
  orders: number;
  /** Number of list requests sent. */
  requests: number;
}

/**
 * Counts and sums the orders of a range. The newest order in the first response of the range is the upper end: orders
 * that arrive later are excluded.
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call
 */
export const totals = async (read: ReadPage, options: TotalsOptions): Promise<Totals> => {
  const { status, createdFrom, createdBefore, groupBy, timeZone } = options;
  if (timeZone !== undefined && !groupBy)
    throw argumentError('`timeZone` needs `groupBy`', 'Also pass `groupBy`, or omit `timeZone`.');
  const counter = createOrderCounter(groupBy && periodReader(groupBy, timeZone ?? 'UTC'));
  const hasRange = createdFrom !== undefined || createdBefore !== undefined;
  const walk = walkPages(read, { status, createdFrom, createdBefore });
  const undated: UnreadableOrder[] = [];
  let upperEnd = Number.NEGATIVE_INFINITY;
  let newest: OrderSummary | undefined;
  let oldest: OrderSummary | undefined;
  let orders = 0;
  let requests = 0;
  for await (const page of walk) {
    requests = page.requests;
    if (!Number.isFinite(upperEnd)) upperEnd = newestOf(page.orders);
    for (const order of page.orders) {
      // Orders that arrived during the count are left out. In an unsorted list, such orders cannot be recognized.
      if (timeOf(order) > upperEnd && !walk.gaps.includes('unsorted')) continue;
      if (hasRange && !isDated(order)) {
        undated.push({ id: order.id, field: 'created_at', value: order.created_at });
        continue;
      }
      counter.add(order);
      orders += 1;
      if (!isDated(order)) continue;
      if (!newest || timeOf(order) > timeOf(newest)) newest = order;
      if (!oldest || timeOf(order) < timeOf(oldest)) oldest = order;
    }
  }
  const { groups, unreadable } = counter.result();
  const { gaps } = walk;
  return {
    groups,
    unreadable: [...unreadable, ...undated],
    complete: gaps.length === 0,
    gaps,
    newest: newest?.created_at,
    oldest: oldest?.created_at,
    orders,
    requests,
  };
};
