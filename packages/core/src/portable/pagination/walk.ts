import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { checkWhole } from '../base/check-whole.ts';
import { argumentError, isOrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import type { OrderSummary } from '../model/order-list.ts';
import { checkStatus, type StatusFilter } from '../model/order-status.ts';
import { anchoredWalk } from './anchored-walk.ts';
import { createRangeTest, type DateRange } from './date-range.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { checkPosition, type ResumePoint, startPosition, type WalkFilters } from './position.ts';
import { createEntryCursor, createPositionCursor } from './position-cursor.ts';
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
   * The page, of 50 orders, to start from: the `page` of the error that ended an earlier walk, for a list in which walks
   * have no `position`. The last orders of that walk can come again. Under a status filter it is always 1, since orders
   * leave that list and what follows moves up: start over, and leave out the IDs that you have. Default 1.
   */
  startPage?: number | undefined;
  /**
   * Goes on behind this place of an earlier walk with its filters, which need not be given again: costs a search, at most
   * ⌈log2 pages⌉ + 2 requests, and the pages that are left. No order is left out and none is given twice, as within one
   * walk. From `position` of a walk, a page or an error; not together with `startPage`.
   */
  position?: WalkPosition | undefined;
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
  /** Behind this page: see `position` of the walk. Absent where the walk has none. */
  position?: WalkPosition;
}

/**
 * A walk that stands still between its steps. After an error, or a `break`, another `for await` over the same object
 * goes on where it was: nothing is left out and nothing is given twice.
 */
export interface OrderWalk<T> extends AsyncIterableIterator<T> {
  /**
   * Behind the last entry returned: store it as JSON once that entry is dealt with, and a walk with `position` goes on
   * there, also in another process. Undefined where a walk cannot be taken up by date: in a list that is not sorted by
   * `created_at`, and while more than 5,000 orders have the same date, or none.
   */
  readonly position: WalkPosition | undefined;
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
 *   and `position`
 */
export const walkPages = (read: ReadPage, options: WalkOptions, onFailure?: () => void): OrderWalk<OrderPage> => {
  const { filters, resume, limit, startPage } = readOptions(options);
  const { statuses } = filters;
  const { isNewer, isOlder } = createRangeTest(filters);
  const hasRange = filters.createdFrom !== undefined || filters.createdBefore !== undefined;
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  const keep = (order: OrderSummary): boolean => !statuses || statuses.some((wanted) => wanted === order.status);
  // Where a page decides whether the walk ends, or has to be one of 50, it is a full one.
  const isFull = startPage > 1 || filters.createdFrom !== undefined || (statuses !== undefined && !status);
  const perPage = isFull ? fullPage : Math.min(limit ?? fullPage, fullPage);
  const isAbove = (order: OrderSummary): boolean => isNewer(order) || (resume?.isAbove(order) ?? false);
  const watch = createGapWatch(read, { hasRange, isAbove, gaps: resume?.gaps });
  const top = upperEnd(filters, resume);
  const walk =
    top !== undefined && startPage === 1
      ? rangedWalk(watch.read, { at: top, isNewer: isAbove, status, keep })
      : status
        ? anchoredWalk(watch.read, { status, startPage, perPage })
        : plainWalk(watch.read, { startPage, perPage, keep });
  const isWanted = (order: OrderSummary): boolean => !isAbove(order) && !isOlder(order) && !resume?.isDone(order);
  const cursor = createPositionCursor(resume?.position ?? startPosition(filters));
  let given = 0;
  let ended = false;

  const next = async (): Promise<OrderPage | undefined> => {
    if (ended) return undefined;
    let step: WalkStep | undefined;
    try {
      step = await walk();
    } catch (error) {
      onFailure?.();
      if (isOrderLicenseError(error)) error.position = cursor.position();
      throw error;
    }
    if (!step) return undefined;
    watch.look(step);
    const gaps = watch.found();
    const { fresh, answered, page, pages, total, requests, changes } = step;
    const orders = fresh.filter(isWanted).slice(0, (limit ?? Number.POSITIVE_INFINITY) - given);
    given += orders.length;
    ended = given === limit || (answered.length > 0 && answered.every(isOlder));
    cursor.noteGaps(watch.foundSoFar());
    // What a limit cuts off is still to come.
    for (const order of given === limit ? orders : answered) cursor.pass(order);
    const position = cursor.position();
    const notes = { ...(changes && { changes }), ...(gaps.length > 0 && { gaps }), ...(position && { position }) };
    return { orders, page, pages, total, read: given, requests, ...notes };
  };
  return iterate(next, cursor.position);
};

/** The orders of a walk, one by one. */
export const walkOrders = (pages: OrderWalk<OrderPage>): OrderWalk<OrderSummary> => {
  const cursor = createEntryCursor(pages.position);
  let rest: OrderSummary[] = [];
  return iterate(async () => {
    while (rest.length === 0) {
      const { value, done } = await pages.next();
      if (done) return undefined;
      cursor.openPage(value);
      rest = value.orders.toReversed();
    }
    const order = rest.pop() as OrderSummary;
    cursor.pass(order);
    return order;
  }, cursor.position);
};

interface CheckedOptions {
  filters: WalkFilters;
  resume: ResumePoint | undefined;
  limit: number | undefined;
  startPage: number;
}

/** @throws `bad_request` for options that cannot be right */
const readOptions = (options: WalkOptions): CheckedOptions => {
  const { position, limit, startPage, createdFrom, createdBefore } = checkOptions(options);
  const given = { statuses: checkStatuses(options.status), createdFrom, createdBefore };
  createRangeTest(given);
  if (position !== undefined && startPage !== undefined) {
    throw argumentError('`position` and `startPage` are both given', 'Leave one of them out.');
  }
  const resume = position === undefined ? undefined : checkPosition(position, given);
  return {
    filters: resume?.filters ?? given,
    resume,
    limit: limit === undefined ? undefined : checkWhole('limit', limit, Number.MAX_SAFE_INTEGER),
    startPage: checkWhole('startPage', startPage ?? 1, Number.MAX_SAFE_INTEGER),
  };
};

/** The instant below which the wanted orders are; undefined for the top of the list. */
const upperEnd = ({ createdBefore }: WalkFilters, resume: ResumePoint | undefined): Date | undefined => {
  const afterLast = resume?.at && new Date(resume.at.getTime() + 1);
  if (!afterLast || !createdBefore) return afterLast ?? createdBefore;
  return afterLast < createdBefore ? afterLast : createdBefore;
};

/** @throws `bad_request` for an unknown status, and for an empty list */
const checkStatuses = (status: unknown): StatusFilter[] | undefined => {
  if (status === undefined) return undefined;
  const statuses = [...new Set(Array.isArray(status) ? status.map(checkStatus) : [checkStatus(status)])];
  if (statuses.length === 0) throw argumentError('`status` is empty', 'Give at least one status, or leave it out.');
  return statuses;
};

/** @param next returns undefined at the end; after an error it is called again */
export const iterate = <T>(
  next: () => Promise<T | undefined>,
  position: () => WalkPosition | undefined,
): OrderWalk<T> => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    get position() {
      return position();
    },
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
