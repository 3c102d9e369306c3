import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary } from '../model/order-list.ts';
import type { StatusFilter } from '../model/order-status.ts';
import type { DateRange } from './date-range.ts';
import { createOrderCounter, type TotalsGroup, type UnreadableOrder } from './sum-orders.ts';
import { walkPages } from './walk.ts';
import type { WalkGap } from './walk-gaps.ts';
import type { ReadPage } from './walk-progress.ts';

export interface TotalsOptions extends CallOptions, DateRange {
  /** Only orders with this status, or with one of these. Several are read from the whole list and chosen here. */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /** Called after each list request with the totals so far. Must not throw. */
  onProgress?: ((soFar: Readonly<Totals>) => void) | undefined;
}

/** Why orders may be missing: as in a walk, or `unfinished`, the walk is still under way. */
export type TotalsGap = 'unfinished' | WalkGap;

export interface Totals {
  /** In the order in which the list shows the first order of each. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount, currency or date cannot be read. */
  unreadable: UnreadableOrder[];
  /** True if every order of the range is in `groups`: nothing in `gaps`, no order in `unreadable` for its date. */
  complete: boolean;
  /** Why `complete` is false. */
  gaps: TotalsGap[];
  /** `created_at` of the newest and of the oldest order counted, as they came. */
  newest: string | undefined;
  oldest: string | undefined;
  /** Orders counted, and list requests spent. */
  orders: number;
  requests: number;
}

/**
 * Counts and adds up the orders of a range. The upper end is fixed by the first answer with orders in the range: orders
 * newer than those are left out, so that a later call with `createdFrom` can begin there.
 * @throws `bad_request` for options that cannot be right, before anything is sent; then what a call throws, with `page`
 */
export const totals = async (read: ReadPage, options: TotalsOptions): Promise<Totals> => {
  const { status, createdFrom, createdBefore, onProgress } = checkOptions(options);
  const hasRange = createdFrom !== undefined || createdBefore !== undefined;
  const isFiltered = status !== undefined && [status].flat().length === 1;
  const counter = createOrderCounter();
  const undated: UnreadableOrder[] = [];
  const gaps = new Set<TotalsGap>(['unfinished']);
  let newest: OrderSummary | undefined;
  let oldest: OrderSummary | undefined;
  let upperEnd: number | undefined;
  let orders = 0;
  let requests = 0;

  const counted: ReadPage = async (query) => {
    const list = await read(query);
    requests += 1;
    return list;
  };
  const add = (order: OrderSummary): void => {
    const time = timeOf(order);
    if (time === undefined && hasRange) {
      undated.push({ id: order.id, field: 'created_at', value: order.created_at });
      return;
    }
    if (time !== undefined && upperEnd !== undefined && time > upperEnd) {
      // A walk over the whole list never comes back to its top, so it is no arrival.
      if (isFiltered) return;
      gaps.add('unsorted');
    }
    if (time !== undefined && time > (timeOf(newest) ?? Number.NEGATIVE_INFINITY)) newest = order;
    if (time !== undefined && time < (timeOf(oldest) ?? Number.POSITIVE_INFINITY)) oldest = order;
    orders += 1;
    counter.add(order);
  };
  const result = (): Totals => {
    const { groups, unreadable } = counter.result();
    return {
      groups,
      unreadable: [...unreadable, ...undated],
      complete: gaps.size === 0,
      gaps: [...gaps],
      newest: newest?.created_at,
      oldest: oldest?.created_at,
      orders,
      requests,
    };
  };

  for await (const page of walkPages(counted, { status, createdFrom, createdBefore })) {
    page.orders.forEach(add);
    upperEnd ??= timeOf(newest);
    for (const gap of page.gaps ?? []) gaps.add(gap);
    onProgress?.(result());
  }
  gaps.delete('unfinished');
  return result();
};

const timeOf = (order: OrderSummary | undefined): number | undefined => toDate(order?.created_at)?.getTime();
