import { OrderLicenseError } from '../base/errors.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import { createGapCheck, type WalkGap } from './list-gaps.ts';
import { goBack, goForward, isTooFull, joinOf, leaveSecond, overlap, readPages, startReading } from './reading.ts';
import { fullPage, isRejectedPage, type ReadPage, type Window } from './window.ts';

/** One response of the list. */
export interface ListStep {
  list: OrderList;
  window: Window;
  /** The orders in it that are new to the reader, in the order of the list. None if the response was dropped. */
  fresh: OrderSummary[];
  /** Whether all orders in it were read by now: false if it was dropped. */
  isJoined: boolean;
  /** Whether the list ends here. */
  isEnd: boolean;
}

export interface ListReader {
  /** Takes one response; undefined at the end of the list. After an error it can be called again and goes on. */
  next(): Promise<ListStep | undefined>;
  /**
   * Why orders may be missing.
   * @param isStopped for a walk that ends here and is resumed
   */
  gaps(isStopped?: boolean): WalkGap[];
}

export interface ListOptions {
  /** The API's filter; undefined for the whole list. */
  status: StatusFilter | undefined;
  /** Where to begin. If it is not page 1, the first response must contain an order that `isAbove`. */
  start: Window;
  isAbove(order: OrderSummary): boolean;
  hasRange: boolean;
  /** Whether the whole list is read from its top. */
  isCounted: boolean;
}

/** More pages than new orders can fill between two reads of the list. */
const maxPutIn = 20;
/** Responses without a new order after which a filtered list is given up, besides those that are read again. */
const maxIdle = 10;
/** Responses without a new order after which a rejected page ends the reading of the whole list. */
const maxRejected = 6;
/** A window that the API does not serve counts as this many such responses. */
const misplacedWeight = 4;

/**
 * Reads a list that changes meanwhile, and returns each order once. If a response does not follow what was read before,
 * it is dropped, and the reader goes back until one does, then forward again from there. A filtered list whose windows
 * the API does not serve is read as part of the whole list instead.
 */
export const readList = (read: ReadPage, options: ListOptions): ListReader => {
  const { status, start, isAbove, hasRange, isCounted } = options;
  const isFiltered = status !== undefined;
  const { perPage } = start;
  const met = new Set<unknown>();
  const known = { isAbove, isRead: ({ id }: OrderSummary) => met.has(id) };
  const gaps = createGapCheck({ isFiltered, hasRange, isCounted: isCounted && !isFiltered, isAbove });
  let reading = startReading(start, isFiltered);
  /** False once the API did not serve windows as requested. */
  let canPlace = true;
  let whole: ListReader | undefined;

  /** Takes the orders of a joined response. */
  const take = (list: OrderList): OrderSummary[] => {
    const fresh = list.orders.filter(({ id }) => !met.has(id) && met.add(id));
    const next = goForward(reading, list, fresh.length, perPage);
    const isStuck = isTooFull(reading, next);
    if (isStuck) gaps.add('ties');
    reading = isStuck ? leaveSecond(next) : next;
    return fresh;
  };

  /** After a response, or a rejected window, that was dropped. */
  const drop = (list: OrderList | undefined, isMisplaced: boolean): void => {
    const isTop = reading.window.page === 1;
    if (isTop && met.size === 0) canPlace = false;
    const back = isTop ? { ...reading, idle: reading.idle + 1 } : goBack(reading, list, perPage);
    reading = { ...back, idle: back.idle + (isMisplaced ? misplacedWeight - 1 : 0) };
    if (reading.overlaps && reading.idle > reading.fruitful + maxIdle) canPlace = false;
    if (canPlace || isFiltered || !reading.overlaps) return;
    gaps.add('ties');
    reading = readPages(reading, perPage);
  };

  /** A page begins in the second in which the last one ended. */
  const takeSplit = (list: OrderList): OrderSummary[] | undefined => {
    if (!isCounted && canPlace && reading.lastNewer !== undefined) {
      reading = overlap(reading, reading.lastNewer);
      return undefined;
    }
    if (isCounted) gaps.noteSplit();
    else gaps.add('ties');
    return take(list);
  };

  /** @returns the new orders; undefined if the response was dropped */
  const settle = (list: OrderList): OrderSummary[] | undefined => {
    const join = joinOf(reading, list, known);
    if (join === 'joined') return take(list);
    if (join === 'split') return takeSplit(list);
    drop(list, join === 'misplaced');
    return undefined;
  };

  /** Reads the whole list instead, of which the orders with the status are new. */
  const nextOfWhole = async (): Promise<ListStep | undefined> => {
    whole ??= readList(read, { ...options, status: undefined, start: { page: 1, perPage: fullPage } });
    const step = await whole.next();
    return step && { ...step, fresh: step.fresh.filter((order) => order.status === status && !met.has(order.id)) };
  };

  const next = async (): Promise<ListStep | undefined> => {
    for (;;) {
      if (whole || (isFiltered && (!canPlace || reading.idle > reading.fruitful + maxIdle))) return nextOfWhole();
      if (reading.isEnded) return undefined;
      if (reading.idle >= reading.fruitful + maxPutIn) {
        reading = { ...reading, idle: 0 };
        throw endlessError();
      }
      const { window, total, overlaps, back, idle } = reading;
      let list: OrderList;
      try {
        list = await read({ ...window, status });
      } catch (error) {
        const canGoBack = window.page > 1 && (overlaps || back !== undefined || idle < maxRejected);
        if (!isRejectedPage(error) || !canGoBack) throw error;
        drop(undefined, (error as OrderLicenseError).status === 400);
        continue;
      }
      const fresh = settle(list);
      const isEnd = reading.isEnded;
      gaps.look({ list, window, total, fresh, isEnd });
      return { list, window, fresh: fresh ?? [], isJoined: fresh !== undefined, isEnd };
    }
  };

  return { next, gaps: (isStopped) => whole?.gaps(isStopped) ?? gaps.found(isStopped) };
};

const endlessError = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: 'Pages repeat without new orders',
    advice: 'Set a limit to read the orders before that, and contact the shop.',
    reason: 'endless_list',
  });
