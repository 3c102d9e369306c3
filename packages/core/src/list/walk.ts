import { checkWhole } from '../base/checks.ts';
import { argumentError, isOrderLicenseError } from '../base/errors.ts';
import { pointAtCaller } from '../base/point-at-caller.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import type { OrderSummary } from '../model/order.ts';
import { type ListReader, type ListStep, readList, type WalkGap } from './list-reader.ts';
import { advance, readPosition, startPosition, storable } from './position.ts';
import { findDate } from './search.ts';
import { checkFilters, checkLimit, type WalkOptions } from './walk-options.ts';
import { fullPage, isDated, type ReadPage, startOf, timeOf, totalOf } from './window.ts';

/** One step of a walk over the list: one response. */
export interface OrderPage {
  /** Orders new to this walk, newest first. May be empty. */
  orders: OrderSummary[];
  /** Number of the page of 50 that was read. */
  page: number;
  /** Total number of pages and orders, as the API counted them in this response. */
  pages: number;
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
  /** The position after this page: see `position` of the walk. Absent if the walk has none. */
  position?: WalkPosition;
}

export interface WalkHooks {
  /** Called when a step fails; the next step resumes the walk. */
  onFailure?: (() => void) | undefined;
  /** Returns the `owner` to store in positions: see `WalkPosition`. */
  owner?: (() => string) | undefined;
}

/**
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call, with `position`
 */
export const walkPages = (read: ReadPage, options: WalkOptions, hooks: WalkHooks = {}): OrderWalk<OrderPage> => {
  const given = checkFilters(options);
  const limit = checkLimit('limit', options.limit);
  /** The position after the last order returned. Orders of the page beyond the limit come after this position. */
  let here = options.position === undefined ? startPosition(given) : options.position;
  const start = readPosition(here, given);
  const { statuses, from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = start;
  const hasRange = Number.isFinite(from) || Number.isFinite(before);
  const isOlder = (order: OrderSummary): boolean => timeOf(order) < from;
  /** All wanted orders were created before this time, ms. */
  const top = Math.min(before, (start.at ?? Number.POSITIVE_INFINITY) + 1);
  const isAbove = (order: OrderSummary): boolean => timeOf(order) >= top;
  /** The status by which the API filters. Several statuses are filtered locally. */
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  const hasStatus = (order: OrderSummary): boolean =>
    status !== undefined || !statuses || statuses.some((one) => one === order.status);
  const isWanted = (order: OrderSummary): boolean =>
    hasStatus(order) && !isAbove(order) && !isOlder(order) && !start.isDone(order);

  let reader: ListReader | undefined;
  let requests = 0;
  let returned = 0;
  let oldest: OrderSummary | undefined;
  let isEnded = false;
  const position = (): WalkPosition | undefined => storable({ ...here, owner: hooks.owner?.() ?? here.owner });
  const gaps = (): WalkGap[] => reader?.gaps() ?? start.gaps;
  const counted: ReadPage = (query) => {
    requests += 1;
    return read(query);
  };
  const startReader = async (): Promise<ListReader> => {
    const hasTop = Number.isFinite(top);
    const page = hasTop ? await findDate(counted, { isAbove, status }) : 1;
    // Requests full pages if a page decides whether the walk ends, or if few of its orders may match.
    const isFull = hasTop || hasRange || (statuses !== undefined && !status);
    const perPage = isFull ? fullPage : Math.min(limit, fullPage);
    const isCounted = !hasRange && options.position === undefined;
    return readList(counted, { status, start: { page, perPage }, isAbove, hasRange, isCounted, gaps: start.gaps });
  };

  const toPage = ({ list, window, fresh, isEnd }: ListStep): OrderPage => {
    const all = fresh ? list.orders : [];
    const orders = (fresh ?? []).filter(isWanted).slice(0, limit - returned);
    returned += orders.length;
    isEnded = isEnd || returned === limit || (all.length > 0 && all.every(isOlder));
    here = advance({ ...here, gaps: reader?.gaps(true) ?? [] }, returned === limit ? orders : all);
    for (const order of all.filter(isDated)) if (!oldest || timeOf(order) < timeOf(oldest)) oldest = order;
    const found = gaps();
    const after = position();
    return {
      orders,
      page: Math.floor(startOf(window) / fullPage) + 1,
      pages: list.pagination.pages,
      total: totalOf(list),
      read: returned,
      requests,
      isLast: isEnded,
      oldest: oldest?.created_at,
      ...(found.length > 0 && { gaps: found }),
      ...(after && { position: after }),
    };
  };

  const next = async (): Promise<OrderPage | undefined> => {
    if (isEnded) return undefined;
    reader ??= await startReader();
    const step = await reader.next();
    return step && toPage(step);
  };
  return iterate(next, { position, gaps, onFailure: hooks.onFailure });
};

/** Returns the orders of a walk, one by one. */
export const walkOrders = (pages: OrderWalk<OrderPage>): OrderWalk<OrderSummary> => {
  let entries: OrderSummary[] = [];
  let given = 0;
  /** The positions before and after the page that contains `entries`. */
  let before = pages.position;
  let after = before;
  const next = async (): Promise<OrderSummary | undefined> => {
    while (given === entries.length) {
      const { value, done } = await pages.next();
      if (done) return undefined;
      [before, after] = [after, value.position];
      entries = value.orders;
      given = 0;
    }
    given += 1;
    return entries[given - 1];
  };
  const position = (): WalkPosition | undefined => {
    // After the last entry of a page, the omitted orders of the page also count as handled.
    if (given === entries.length) return after;
    return before && after && storable(advance({ ...before, gaps: after.gaps }, entries.slice(0, given)));
  };
  return iterate(next, { position, gaps: () => pages.gaps });
};

/**
 * A walk that pauses between its steps. After an error or a `break`, another `for await` over the same object resumes
 * it: no order is skipped or returned twice.
 */
export interface OrderWalk<T> extends AsyncIterableIterator<T> {
  /**
   * The position after the last entry returned. Store it as JSON once you have handled that entry: a walk with
   * `position` resumes there, even in another process. Undefined if the walk cannot be resumed by date: the list is not
   * sorted by `created_at`, or more than 5,000 orders have the same date or no date.
   */
  readonly position: WalkPosition | undefined;
  /** Why orders may be missing from what was read so far. Empty at the end of the walk if every order was read. */
  readonly gaps: WalkGap[];
  /**
   * Returns the next `limit` entries of the walk as an array, or fewer at its end. Another call continues after them.
   * @param options `limit` is required: an account may have more orders than fit in memory
   * @throws `bad_request` without a limit; otherwise the errors of a call
   */
  toArray(options: { limit: number }): Promise<T[]>;
}

interface WalkState extends Pick<WalkHooks, 'onFailure'> {
  position(): WalkPosition | undefined;
  gaps(): WalkGap[];
}

/**
 * Creates a walk from a function that takes one step. Adds the walk's position to errors.
 * @param next returns undefined at the end; can be called again after an error
 */
export const iterate = <T>(
  next: () => Promise<T | undefined>,
  { position, gaps, onFailure }: WalkState,
): OrderWalk<T> => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    get position() {
      return position();
    },
    get gaps() {
      return gaps();
    },
    async next() {
      // Steps run one after another, because two concurrent calls would take the same step twice.
      const step = last.then(next).catch((error: unknown) => {
        onFailure?.();
        if (isOrderLicenseError(error)) error.position = position();
        throw error;
      });
      last = step.catch(() => undefined);
      const value = await pointAtCaller(step);
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    async toArray(options) {
      if (options?.limit === undefined) {
        throw argumentError('`toArray` requires a limit', 'Set a limit, as in `toArray({ limit: 100 })`.');
      }
      const limit = checkWhole('limit', options.limit);
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
