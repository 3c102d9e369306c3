import { timeOf } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { type Slice, startOf, totalOf } from './slice.ts';

/**
 * What a response has to show to join:
 * - `newer`: an order that was read, and is newer than the second of the last one, so that the response shows the rest
 *   of that second as a whole
 * - `next`: that, or that the rows above it are those that were read
 * - `nothing`: at the top, and behind a gap
 */
export type Join = 'newer' | 'next' | 'nothing';

/** What a response brought that joins. */
export interface Advance {
  /** The orders that were not read before. */
  fresh: OrderSummary[];
  /** Whether its last order is among them. */
  reaches: boolean;
  /** Whether `total` is smaller than before. */
  hasFallen: boolean;
  /** Whether the response begins and ends within one second, with which the response before ended, too. */
  isTied: boolean;
  /** Whether all its orders are newer than the last order read, so that the response leads back down to that order. */
  isAboveEnd: boolean;
  /** Whether its first new order is newer than the last order read before, which follows at the top of the list only. */
  isOutOfOrder: boolean;
}

/**
 * Remembers the end of what was read of a list: the next response has to join here.
 * @param isAbove true for orders that are listed above the first wanted one, which also show that a response joins
 */
export const createFrontier = (start: Slice, isAbove: (order: OrderSummary) => boolean) => {
  const known = new Set<string>();
  /** Time of the last order, ms. NaN if it cannot be read, or if one response cannot hold its second. */
  let time = Number.NaN;
  let first: number | undefined;
  let end = startOf(start);
  let total: number | undefined;
  /** Whether `total` has changed exactly as the rows moved, at least once and without exception. */
  let isLive: boolean | undefined;

  const isKnown = (order: OrderSummary): boolean => known.has(String(order.id));
  /** Also true for an unknown time. */
  const isNewer = (order: OrderSummary): boolean => !(timeOf(order) <= time);
  const changeOf = (list: OrderList): number => Number(totalOf(list)) - Number(total);
  /**
   * Returns by how many orders a page repeats more than it should. Each arrival moves one known order onto the page.
   * Any further one has changed places with an order of the same second, which is now above the page.
   */
  const repeated = ({ orders }: OrderList, slice: Slice): number =>
    orders.filter(isKnown).length - (end - startOf(slice));

  /** Returns by how many rows the list moved down; undefined if the response does not prove it. */
  const movedBy = (list: OrderList, slice: Slice): number | undefined => {
    const index = list.orders.findIndex((order) => !isNewer(order));
    if (index > 0 && first !== undefined) return startOf(slice) + index - first;
    return index === 0 && repeated(list, slice) === 0 ? 0 : undefined;
  };
  const learnWhetherLive = (list: OrderList, slice: Slice): void => {
    const moved = movedBy(list, slice);
    if (moved === undefined) return;
    if (moved !== changeOf(list)) isLive = false;
    else if (moved !== 0) isLive ??= true;
  };
  /** Remembers orders, and returns those that were not read before. */
  const add = (orders: readonly OrderSummary[]): OrderSummary[] =>
    orders.filter((order) => !isKnown(order) && known.add(String(order.id)));

  return {
    /** Index of the first order of the last order's second; undefined if the last response began within that second. */
    get first() {
      return first;
    },
    /** Index after the last order, and `total` when it was read. */
    get end() {
      return end;
    },
    get total() {
      return total;
    },
    isKnown,
    /** Number of orders read. */
    count: () => known.size,
    add,
    /** Whether a response continues what was read before. */
    joins(list: OrderList, slice: Slice, join: Join): boolean {
      if (join === 'nothing' || slice.page === 1) return true;
      if (list.orders.some((order) => isAbove(order) || (isKnown(order) && isNewer(order)))) return true;
      if (join === 'newer' || changeOf(list) < 0) return false;
      // A cached `total` may rise at any time, so it is trusted only if it is live.
      const more = repeated(list, slice);
      return more === 0 || (more > 0 && isLive === true && more === changeOf(list));
    },
    /**
     * Moves to the end of a response that joins.
     * @param newEnd index after its last order
     */
    advance(list: OrderList, slice: Slice, newEnd: number): Advance {
      const { orders } = list;
      const lastKnown = orders.findLastIndex(isKnown);
      const reaches = lastKnown < orders.length - 1;
      const isOutOfOrder = timeOf(orders[lastKnown + 1]) > time;
      const isShared = timeOf(orders[0]) === time;
      const hasFallen = changeOf(list) < 0;
      if (known.size > 0) learnWhetherLive(list, slice);

      if (reaches) time = timeOf(orders.at(-1));
      const above = orders.findLastIndex(isNewer);
      first = above < 0 ? undefined : startOf(slice) + above + 1;
      end = newEnd;
      total = totalOf(list);
      const isTied = above < 0 && isShared;
      const isAboveEnd = orders.length > 0 && above === orders.length - 1 && !Number.isNaN(time);
      return { fresh: add(orders), reaches, hasFallen, isTied, isAboveEnd, isOutOfOrder };
    },
    /** Moves behind orders that were not read. */
    skipTo(index: number): void {
      end = index;
    },
    /** Lets any order that was read show that a response joins: one response cannot hold the last order's second. */
    acceptTies(): void {
      time = Number.NaN;
    },
  };
};
