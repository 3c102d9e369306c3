import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { checkWhole } from '../base/check-whole.ts';
import { argumentError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order-list.ts';
import { checkStatus, type StatusFilter } from '../model/order-status.ts';
import { anchoredWalk } from './anchored-walk.ts';
import { createRangeTest, type DateRange } from './date-range.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { rangedWalk } from './ranged-walk.ts';
import { createGapWatch, type WalkGap } from './walk-gaps.ts';
import type { ListChanges, ReadPage, WalkStep } from './walk-progress.ts';

export interface WalkOptions extends CallOptions, DateRange {
  /**
   * The whole walk ends within this, ms, from its first request on: every wait, retry, and pause of the caller included.
   * After an error, the next step starts the clock again. Default: the client's.
   */
  deadlineMs?: number | undefined;
  /** Only orders with this status, or with one of these. Several are read from the whole list and chosen here. */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /**
   * Only orders created at this instant or later, by `created_at`. The walk ends after the first page that holds nothing
   * but older orders. An order whose date cannot be read is given.
   */
  createdFrom?: Date | undefined;
  /**
   * Only orders created before this instant. The walk searches the list for its first page: at most ⌈log2 pages⌉ + 2
   * requests. A list that is not sorted by `created_at` is walked from its top. An order whose date cannot be read is
   * given.
   */
  createdBefore?: Date | undefined;
  /** At most this many orders. */
  limit?: number | undefined;
  /**
   * The page, of 50 orders, to start from: the `page` of the error that ended an earlier walk. The last orders of that
   * walk can come again. Under a status filter it is always 1, since orders leave that list and what follows moves up:
   * start anew, and leave out the IDs that you have. Default 1.
   */
  startPage?: number | undefined;
}

/** One step of a walk over the list. */
export interface OrderPage {
  /** Orders that were not given before in this walk, newest first. May be empty. */
  orders: OrderSummary[];
  /** The page of 50 that the walk has reached. */
  page: number;
  /** Pages and orders in all, as the service counted them in this answer. */
  pages: number;
  total: number | undefined;
  /** Orders given so far, with this page. */
  read: number;
  /** List requests so far. */
  requests: number;
  /** What moved in the list meanwhile; absent while it stands still. */
  changes?: ListChanges;
  /** Why orders may be missing so far; absent while nothing says so. */
  gaps?: WalkGap[];
}

/**
 * A walk that stands still between its steps. After an error, or a `break`, another `for await` over the same object
 * goes on where it was: nothing is left out and nothing is given twice.
 */
export interface OrderWalk<T> extends AsyncIterableIterator<T> {
  /**
   * The next `limit` entries of the walk as an array, fewer at its end. Another call goes on behind them.
   * @param options `limit` has to be given: an account may have more orders than belong in memory
   * @throws `bad_request` without a limit; then what a call throws
   */
  toArray(options: { limit: number }): Promise<T[]>;
}

/**
 * @param onFailure called when a step fails; the next step takes the walk up again
 * @throws `bad_request` for options that cannot be right, before anything is sent; then what a call throws, with `page`
 */
export const walkPages = (read: ReadPage, options: WalkOptions, onFailure?: () => void): OrderWalk<OrderPage> => {
  const statuses = checkStatuses(checkOptions(options).status);
  const { isNewer, isOlder } = createRangeTest(options);
  const { createdFrom, createdBefore } = options;
  const limit = options.limit === undefined ? undefined : checkWhole('limit', options.limit, Number.MAX_SAFE_INTEGER);
  const startPage = checkWhole('startPage', options.startPage ?? 1, Number.MAX_SAFE_INTEGER);
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  const keep = (order: OrderSummary): boolean => !statuses || statuses.some((wanted) => wanted === order.status);
  // Where a page decides whether the walk ends, or has to be one of 50, it is a full one.
  const isFull = startPage > 1 || createdFrom !== undefined || (statuses !== undefined && !status);
  const perPage = isFull ? fullPage : Math.min(limit ?? fullPage, fullPage);
  const watch = createGapWatch(read, { hasRange: createdFrom !== undefined || createdBefore !== undefined });
  const walk =
    createdBefore && startPage === 1
      ? rangedWalk(watch.read, { createdBefore, isNewer, status, keep })
      : status
        ? anchoredWalk(watch.read, { status, startPage, perPage })
        : plainWalk(watch.read, { startPage, perPage, keep });
  const isInRange = (order: OrderSummary): boolean => !isNewer(order) && !isOlder(order);
  let given = 0;
  let ended = false;

  const next = async (): Promise<OrderPage | undefined> => {
    if (ended) return undefined;
    let step: WalkStep | undefined;
    try {
      step = await walk();
    } catch (error) {
      onFailure?.();
      throw error;
    }
    if (!step) return undefined;
    watch.look(step);
    const gaps = watch.found();
    const { fresh, answered, page, pages, total, requests, changes } = step;
    const orders = fresh.filter(isInRange).slice(0, (limit ?? Number.POSITIVE_INFINITY) - given);
    given += orders.length;
    ended = given === limit || (answered.length > 0 && answered.every(isOlder));
    const notes = { ...(changes && { changes }), ...(gaps.length > 0 && { gaps }) };
    return { orders, page, pages, total, read: given, requests, ...notes };
  };
  return iterate(next);
};

/** The orders of a walk, one by one. */
export const walkOrders = (pages: OrderWalk<OrderPage>): OrderWalk<OrderSummary> => {
  let orders: OrderSummary[] = [];
  let at = 0;
  return iterate(async () => {
    while (at >= orders.length) {
      const { value, done } = await pages.next();
      if (done) return undefined;
      orders = value.orders;
      at = 0;
    }
    return orders[at++];
  });
};

/** @throws `bad_request` for an unknown status, and for an empty list */
const checkStatuses = (status: unknown): StatusFilter[] | undefined => {
  if (status === undefined) return undefined;
  const statuses = [...new Set(Array.isArray(status) ? status.map(checkStatus) : [checkStatus(status)])];
  if (statuses.length === 0) throw argumentError('`status` is empty', 'Give at least one status, or leave it out.');
  return statuses;
};

/** @param next returns undefined at the end; after an error it is called again */
export const iterate = <T>(next: () => Promise<T | undefined>): OrderWalk<T> => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    next() {
      // Two calls at once would take the same step twice.
      const step = last
        .then(next)
        .then((value): IteratorResult<T> => (value === undefined ? { done: true, value } : { done: false, value }));
      last = step.catch(() => undefined);
      return step;
    },
    async toArray(options) {
      const limit = checkWhole('limit', checkOptions(options).limit, Number.MAX_SAFE_INTEGER);
      const all: T[] = [];
      while (all.length < limit) {
        const { value, done } = await this.next();
        if (done) break;
        all.push(value);
      }
      return all;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
