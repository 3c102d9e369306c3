import { timeOf } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import type { GapFinder } from './gaps.ts';
import { type Answer, endOf, fullPage, pageAt, type Slice, startOf, totalOf, widestSlice } from './slice.ts';

/**
 * What a response has to show to join:
 * - `newer`: an order that was read, and is newer than the second of the last one, so that the response shows the rest
 *   of that second as a whole
 * - `next`: that, or that the rows above it are those that were read
 * - `nothing`: at the top, and behind a gap
 */
type Join = 'newer' | 'next' | 'nothing';

/** What a response brought that joins. */
interface Advance {
  /** The orders that were not read before. */
  fresh: OrderSummary[];
  /** Whether its last order is among them. */
  reaches: boolean;
  /** Whether the next response should repeat orders of this one. */
  overlaps: boolean;
  /** Whether the response begins and ends within one second, with which the response before ended, too. */
  isTied: boolean;
  /** Whether all its orders are newer than the last order read, so that the response leads back down to that order. */
  isAboveEnd: boolean;
}

interface FrontierOptions {
  /** The first slice to request. */
  start: Slice;
  isFiltered: boolean;
  /** True for orders that are listed above the first wanted one, which also show that a response joins. */
  isAbove(order: OrderSummary): boolean;
  gaps: GapFinder;
}

/** After this many steps back without a new order, a response is accepted even if it does not join: a gap. */
const maxSteps = 10;

/** Remembers the end of what was read of a list, where the next response has to join, and chooses the next slice. */
export const createFrontier = ({ start, isFiltered, isAbove, gaps }: FrontierOptions) => {
  const known = new Set<string>();
  /** Time of the last order, ms. NaN if it cannot be read, or if one response cannot hold its second. */
  let time = NaN;
  /** Index of the first order of the last order's second; undefined if the last response began within that second. */
  let first: number | undefined;
  /** Index after the last order, and `total` when it was read. */
  let end = startOf(start);
  let total: number | undefined;
  /** Whether `total` has changed exactly as the rows moved, at least once and without exception. */
  let isLive: boolean | undefined;
  /** The slice to request next, and what the response has to show. */
  let slice = start;
  let join: Join = start.page > 1 ? 'newer' : 'nothing';
  /** Number of orders in a full page, and whether the API accepts other slices. */
  let size = start.perPage;
  let isAnySize = true;
  /** Number of steps back since the last new order. */
  let steps = 0;
  /** Number of orders by which the next step back goes above the place of the last known order. */
  let distance = 0;

  const isKnown = (order: OrderSummary): boolean => known.has(String(order.id));
  /** Also true for an unknown time. */
  const isNewer = (order: OrderSummary): boolean => !(timeOf(order) <= time);
  const changeOf = (list: OrderList): number => Number(totalOf(list)) - Number(total);
  /**
   * Returns by how many orders a page repeats more than it should. Each arrival moves one known order onto the page.
   * Any further one has changed places with an order of the same second, which is now above the page.
   */
  const repeated = ({ orders }: OrderList): number => orders.filter(isKnown).length - (end - startOf(slice));

  /** Returns by how many rows the list moved down; undefined if the response does not prove it. */
  const movedBy = (list: OrderList): number | undefined => {
    const index = list.orders.findIndex((order) => !isNewer(order));
    if (index > 0 && first !== undefined) return startOf(slice) + index - first;
    return index === 0 && repeated(list) === 0 ? 0 : undefined;
  };
  const learnWhetherLive = (list: OrderList): void => {
    const moved = movedBy(list);
    if (moved === undefined) return;
    if (moved !== changeOf(list)) isLive = false;
    else if (moved !== 0) isLive ??= true;
  };
  /** Remembers orders, and returns those that were not read before. */
  const add = (orders: readonly OrderSummary[]): OrderSummary[] => {
    const fresh = orders.filter((order) => !isKnown(order) && known.add(String(order.id)));
    if (fresh.length > 0) steps = 0;
    return fresh;
  };
  /** Moves the slice down, so that it begins with the last order that is newer than the frontier's second. */
  const overlap = (): void => {
    const next = widestSlice((first ?? end) - 1, size);
    if (first !== undefined && endOf(next) > endOf(slice)) {
      slice = next;
      return;
    }
    if (first === undefined) gaps.addTie();
    // One response cannot hold the second, so any order that was read now shows that a response joins.
    time = NaN;
    slice = widestSlice(end - 1, size);
  };

  return {
    get slice() {
      return slice;
    },
    get join() {
      return join;
    },
    get end() {
      return end;
    },
    /** Whether all steps back have failed. */
    get isStuck() {
      return steps > maxSteps;
    },
    isKnown,
    add,
    /** Number of full pages read. */
    pagesRead: () => known.size / size,
    /** Whether a response continues what was read before. */
    joins(list: OrderList): boolean {
      if (join === 'nothing' || slice.page === 1) return true;
      if (list.orders.some((order) => isAbove(order) || (isKnown(order) && isNewer(order)))) return true;
      if (join === 'newer' || changeOf(list) < 0) return false;
      // A cached `total` may rise at any time, so it is trusted only if it is live.
      const more = repeated(list);
      return more === 0 || (more > 0 && isLive === true && more === changeOf(list));
    },
    /** Goes on with the size of the first page, if it is smaller than requested. */
    fitSize({ orders, pagination }: OrderList): void {
      const { page, perPage } = slice;
      const isAsAsked = pagination.pages <= Math.ceil(pagination.total / perPage);
      if (known.size > 0 || isAsAsked || orders.length === 0 || orders.length >= perPage) return;
      if (page >= pagination.pages) return;
      gaps.add('unseen');
      size = orders.length;
      // Pages of one order cannot overlap.
      isAnySize = size > 1;
      slice = { page, perPage: size };
    },
    /**
     * Moves to the end of a response that joins.
     * @param newEnd index after its last order
     */
    advance(list: OrderList, newEnd: number): Advance {
      const { orders } = list;
      const isFirst = known.size === 0;
      const lastKnown = orders.findLastIndex(isKnown);
      const reaches = lastKnown < orders.length - 1;
      // A new order that is newer than the last one read can follow at the top of the list only.
      if (join === 'next' && timeOf(orders[lastKnown + 1]) > time) gaps.add('unsorted');
      const isShared = timeOf(orders[0]) === time;
      // The search read the first response of a range some requests ago.
      const overlaps = isFiltered || changeOf(list) < 0 || !reaches || (isFirst && start.page > 1);
      if (!isFirst) learnWhetherLive(list);

      if (reaches) time = timeOf(orders.at(-1));
      const above = orders.findLastIndex(isNewer);
      first = above < 0 ? undefined : startOf(slice) + above + 1;
      end = newEnd;
      total = totalOf(list);
      distance = 0;
      const isTied = above < 0 && isShared;
      const isAboveEnd = orders.length > 0 && above === orders.length - 1 && !Number.isNaN(time);
      return { fresh: add(orders), reaches, overlaps, isTied, isAboveEnd };
    },
    /** Moves the slice below a response that joins. */
    goOn({ overlaps, isTied }: Advance): void {
      if (isTied) gaps.addTie();
      join = isAnySize && overlaps ? 'newer' : 'next';
      if (join === 'newer') overlap();
      else slice = pageAt(end, size);
    },
    /** Moves the slice behind a page that is wrong, or has no rows. */
    skip(): void {
      slice = pageAt(endOf(slice), size);
      end = startOf(slice);
      join = 'nothing';
    },
    /**
     * Moves the slice back after a response that does not join. The first step goes to where the last known order must
     * be now. Each later step goes twice as far above that place as the one before. In the end, plain pages follow,
     * whatever they show.
     */
    goBack({ is, list, error }: Answer): void {
      // Another page than requested was asked for twice, and a rejected size is not tried again.
      const isRejectedSize = error?.status === 400 && slice.perPage !== size;
      steps += isRejectedSize ? Infinity : is === 'other' ? 2 : 1;
      if (steps > maxSteps) {
        gaps.addBreak(isFiltered ? 'unseen' : 'ties');
        isAnySize = false;
        join = 'nothing';
        slice = pageAt(end, size);
        return;
      }
      const now = (list && totalOf(list)) ?? total;
      const removed = Math.max(0, Number(total) - Number(now)) || 0;
      const from = Math.min(startOf(slice), now ?? Infinity);
      const index = Math.max(0, Math.min(from, (first ?? from) - removed) - 1 - distance);
      slice = isAnySize ? widestSlice(index, size) : pageAt(index, size);
      distance = distance === 0 ? fullPage : 2 * distance;
      join = 'newer';
    },
  };
};
