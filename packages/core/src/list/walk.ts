import type { CallOptions } from '../base/call-options.ts';
import { checkWhole } from '../base/checks.ts';
import { argumentError, isOrderLicenseError } from '../base/errors.ts';
import { throwFromHere } from '../base/point-at-caller.ts';
import { isDated, timeOf } from '../model/dates.ts';
import { checkStatus, type OrderList, type OrderSummary, type StatusFilter } from '../model/order.ts';
import type { WalkGap } from './gaps.ts';
import { type ListPage, type ListReader, readList } from './list-reader.ts';
import { findDate } from './search.ts';
import { fullPage, pageAt, type ReadPage, startOf, totalOf } from './slice.ts';

/** Which orders to read or count. */
export interface OrderFilters {
  /**
   * Only orders with this status, or with one of these statuses. For several statuses, the whole list is read and
   * filtered locally.
   */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /**
   * Only orders created at or after this instant, by `created_at`. The walk ends after the first page that contains
   * only older orders. Orders whose date cannot be read are returned; `totals` leaves them out.
   */
  createdFrom?: Date | undefined;
  /**
   * Only orders created before this instant. To find the first page of the range, the walk sends at most ⌈log2 pages⌉ +
   * 2 requests. A list that is not sorted by `created_at` is read from its top. Orders whose date cannot be read are
   * returned; `totals` leaves them out.
   */
  createdBefore?: Date | undefined;
}

export interface WalkOptions extends CallOptions, OrderFilters {
  /**
   * Time limit for the whole walk from its first request, ms, including waits, retries and the caller's pauses. After
   * an error, the next step restarts the clock. Default: the client's.
   */
  deadlineMs?: number | undefined;
  /** Maximum number of orders. */
  limit?: number | undefined;
}

/** One step of a walk over the list: one response. */
export interface OrderPage {
  /** Orders new to this walk, newest first. May be empty. */
  orders: OrderSummary[];
  /** Number of the page of 50 that was read. */
  page: number;
  /** Total number of pages, as counted by the API in this response. */
  pages: number;
  /** Total number of orders, as counted by the API in this response. */
  total: number | undefined;
  /** Number of orders returned so far, including this page. */
  read: number;
  /** Number of list requests so far. */
  requests: number;
  /** True for the last page of the walk. */
  isLast: boolean;
  /**
   * `created_at` of the oldest order read so far, unchanged, whatever the order's status. Shows how far the walk got.
   */
  oldest: string | undefined;
  /** Reasons why orders may be missing so far; absent if there are none. */
  gaps?: WalkGap[];
}

/**
 * Reads the pages of a walk.
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call, with `oldest` and
 * `createdBefore`
 * @param onFailure called when a step fails; the next step resumes the walk
 */
export const walkPages = (read: ReadPage, options: WalkOptions, onFailure?: () => void): OrderWalk<OrderPage> => {
  const { statuses, from, before } = checkFilters(options);
  const limit = checkLimit('limit', options.limit);
  const hasRange = Number.isFinite(from) || Number.isFinite(before);
  const isOlder = (order: OrderSummary): boolean => timeOf(order) < from;
  const isAbove = (order: OrderSummary): boolean => timeOf(order) >= before;
  /** The status by which the API filters. Several statuses are filtered locally. */
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  const isWanted = (order: OrderSummary): boolean =>
    (status || !statuses || statuses.some((one) => one === order.status)) && !isAbove(order) && !isOlder(order);

  let reader: ListReader | undefined;
  /** The response in which the search found the first page of the range. */
  let found: OrderList | undefined;
  let requests = 0;
  let returned = 0;
  let oldest: OrderSummary | undefined;
  let isEnded = false;
  const gaps = (): WalkGap[] => reader?.gaps() ?? [];
  const counted: ReadPage = async (query) => {
    const list = found;
    found = undefined;
    if (list) return list;
    requests += 1;
    return read(query);
  };
  /**
   * Creates a reader that starts at the first page of the range. If a search found that page, the search's response
   * serves as the first one.
   */
  const startReader = async (): Promise<ListReader> => {
    const first = Number.isFinite(before) ? await findDate(counted, { isAbove, status }) : undefined;
    found = first?.list;
    // Requests full pages if some orders may not match, because tiny pages of a filtered list could not overlap.
    const perPage = hasRange || statuses ? fullPage : Math.min(limit, fullPage);
    const start = { page: first?.page ?? 1, perPage };
    // A limit of up to a page needs one request. The whole list is counted at its end.
    const overlaps = hasRange || status !== undefined || (limit > fullPage && limit < Infinity);
    return readList(counted, { status, start, isAbove, overlaps, isRange: hasRange });
  };

  const toPage = ({ list, slice, fresh, joins, isEnd }: ListPage): OrderPage => {
    const all = joins ? list.orders : [];
    const orders = fresh.filter(isWanted).slice(0, limit - returned);
    returned += orders.length;
    isEnded = isEnd || returned === limit || (all.length > 0 && all.every(isOlder));
    for (const order of all.filter(isDated)) if (!oldest || timeOf(order) < timeOf(oldest)) oldest = order;
    const missing = gaps();
    return {
      orders,
      page: pageAt(startOf(slice), fullPage).page,
      pages: list.pagination.pages,
      total: totalOf(list),
      read: returned,
      requests,
      isLast: isEnded,
      oldest: oldest?.created_at,
      ...(missing.length > 0 && { gaps: missing }),
    };
  };

  const next = async (): Promise<OrderPage | undefined> => {
    if (isEnded) return undefined;
    reader ??= await startReader();
    const page = await reader.next();
    return page && toPage(page);
  };
  return iterate(next, { ordersOf: ({ orders }) => orders, gaps, onFailure });
};

/** Returns the orders of a walk, one by one. */
export const walkOrders = (pages: OrderWalk<OrderPage>): OrderWalk<OrderSummary> => {
  /** The rest of the current page, the next order last. */
  let rest: OrderSummary[] = [];
  const next = async (): Promise<OrderSummary | undefined> => {
    while (rest.length === 0) {
      const { value: page, done } = await pages.next();
      if (done) return undefined;
      rest = page.orders.toReversed();
    }
    return rest.pop();
  };
  return iterate(next, { ordersOf: (order) => [order], gaps: () => pages.gaps });
};

/**
 * A walk that pauses between its steps. After an error or a `break`, another `for await` over the same object resumes
 * it: no order is skipped or returned twice. Another process can continue with the error's `createdBefore`.
 */
export interface OrderWalk<T> extends AsyncIterableIterator<T> {
  /**
   * Why orders may be missing from what was read so far. If it is empty at the end of the walk, no loss was detected.
   */
  readonly gaps: WalkGap[];
}

interface WalkState<T> {
  /** Returns the list entries of what a step returned. */
  ordersOf(step: T): readonly OrderSummary[];
  gaps(): WalkGap[];
  onFailure?: (() => void) | undefined;
}

/**
 * Creates a walk from a function that takes one step. Adds to errors how far the walk got.
 * @param next returns undefined at the end; can be called again after an error
 */
export const iterate = <T>(
  next: () => Promise<T | undefined>,
  { ordersOf, gaps, onFailure }: WalkState<T>,
): OrderWalk<T> => {
  let last: Promise<unknown> = Promise.resolve();
  let yielded: OrderSummary | undefined;
  return {
    get gaps() {
      return gaps();
    },
    async next() {
      // Steps run one after another, because two concurrent calls would take the same step twice.
      const step = last.then(next).catch((error: unknown) => {
        onFailure?.();
        if (isOrderLicenseError(error) && yielded) {
          error.oldest = yielded.created_at;
          // Other orders of the same second may not have been returned.
          error.createdBefore = new Date(timeOf(yielded) + 1000);
        }
        throw error;
      });
      last = step.catch(() => undefined);
      const value = await step.catch(throwFromHere);
      if (value === undefined) return { done: true, value };
      yielded = ordersOf(value).findLast(isDated) ?? yielded;
      return { done: false, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

/**
 * @returns the statuses, if any, and the bounds of the range, ms; a missing bound is infinite
 * @throws `bad_request` for invalid filters
 */
const checkFilters = ({ createdFrom, createdBefore, status }: OrderFilters) => {
  const statuses = checkStatuses(status);
  const from = checkDate('createdFrom', createdFrom, -Infinity);
  const before = checkDate('createdBefore', createdBefore, Infinity);
  if (from > before) throw argumentError('`createdFrom` is later than `createdBefore`', 'Swap them.');
  return { statuses, from, before };
};

/** @throws `bad_request` unless `limit` is undefined or a positive whole number */
export const checkLimit = (name: string, limit: number | undefined): number =>
  limit === undefined ? Infinity : checkWhole(name, limit);

const checkDate = (name: string, date: Date | undefined, without: number): number => {
  if (date === undefined) return without;
  const time = date?.getTime?.();
  if (typeof time !== 'number' || Number.isNaN(time)) {
    throw argumentError(`\`${name}\` is not a valid Date`, "Pass a Date such as new Date('2026-05-01T00:00:00Z').");
  }
  return time;
};

/** @throws `bad_request` for an unknown status, and for an empty list */
const checkStatuses = (status: unknown): StatusFilter[] | undefined => {
  if (status === undefined) return undefined;
  const statuses = [...new Set([status].flat().map(checkStatus))];
  if (statuses.length === 0) throw argumentError('`status` is empty', 'Pass at least one status, or omit the option.');
  return statuses;
};
