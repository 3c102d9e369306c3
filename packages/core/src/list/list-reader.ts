import { OrderLicenseError } from '../base/errors.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import {
  fullPage,
  isDated,
  isPlaced,
  isRejectedPage,
  newestOf,
  type ReadPage,
  readCount,
  rowsIn,
  startOf,
  timeOf,
  type Window,
  widestWindow,
} from './window.ts';

/**
 * Why orders may be missing:
 * - `unsorted`: the list is not sorted by date
 * - `undated`: a date range was requested, and an order's date cannot be read
 * - `unseen`: the API counts more orders than it returned
 * - `ties`: more orders were created in one second than one response holds
 * - `removed`: orders were removed from the list while it was read, so `total` cannot prove that all others were read
 */
export type WalkGap = 'unsorted' | 'undated' | 'unseen' | 'ties' | 'removed';

export const walkGaps: readonly WalkGap[] = ['unsorted', 'undated', 'unseen', 'ties', 'removed'];

/** One response from the list. */
export interface ListStep {
  list: OrderList;
  window: Window;
  /**
   * The orders in the response that are new to the reader, in the sequence of the list. Undefined if the response was
   * dropped.
   */
  fresh: OrderSummary[] | undefined;
  /** Whether this response is the last one of the list. */
  isEnd: boolean;
}

export interface ListReader {
  /** Reads one response and returns it; undefined at the end of the list. After an error, the next call continues. */
  next(): Promise<ListStep | undefined>;
  /**
   * Returns why orders may be missing.
   * @param isStopped true if the walk stops before the end of the list: then also returns gaps that `total` could still
   * rule out at the end
   */
  gaps(isStopped?: boolean): WalkGap[];
}

export interface ListOptions {
  /** The API's filter; undefined for the whole list. Orders enter and leave a filtered list at any position. */
  status: StatusFilter | undefined;
  /** The first window to read. If it is not page 1, its response must contain an order for which `isAbove` is true. */
  start: Window;
  /** True for an order that is listed above the first wanted order. */
  isAbove(order: OrderSummary): boolean;
  hasRange: boolean;
  /**
   * Whether the whole list is read from its top, so that the number of orders read can be compared with `total` at its
   * end.
   */
  isCounted: boolean;
  /** Gaps found by the walk that this one resumes. */
  gaps: readonly WalkGap[];
}

/** The latest response that has no gap between it and the responses before it. */
interface Joined {
  /**
   * Time at which the response's last order was created, ms. NaN if the date cannot be read, or if more orders were
   * created in that second than a window can hold.
   */
  time: number;
  /**
   * List index of the response's last order that is newer than `time`. A window that begins at this index includes all
   * orders created at `time`.
   */
  newer: number | undefined;
  total: number;
}

/**
 * After this many responses in a row without new orders, the list counts as endless, because orders that arrive between
 * two requests cannot fill that many pages. Each response with new orders raises this maximum by one.
 */
const maxPutIn = 20;
/**
 * Maximum number of responses in a row without new orders before the reader gives up the windows of a filtered list and
 * reads the whole list instead. Each response with new orders raises this maximum by one.
 */
const maxIdle = 10;
/**
 * After this many responses in a row without new orders, neither a falling `total` nor a rejected page is a reason to
 * go back.
 */
const maxDoubts = 12;
/** A window that the API does not serve counts as this many responses without new orders. */
const misplacedWeight = 4;

/**
 * Reads a list that may change while it is read, and returns each order once. A response that does not continue from
 * the responses before it is dropped. The reader then goes back until a response continues from them, and reads forward
 * from there.
 *
 * The windows of a filtered list overlap. If the API does not serve such windows, the reader reads the whole list and
 * filters it itself.
 */
export const readList = (read: ReadPage, options: ListOptions): ListReader => {
  const { status, start, isAbove, hasRange } = options;
  const isFiltered = status !== undefined;
  const isCounted = options.isCounted && !isFiltered;
  /** Creation time of each order read, ms, by ID. */
  const met = new Map<unknown, number>();
  const gaps = new Set(options.gaps);
  /** Possible gaps that `total` can rule out at the end of the whole list. */
  const doubts = isCounted ? new Set<WalkGap>() : gaps;
  let window = start;
  let first: { total: number; newest: number } | undefined;
  let last: Joined = { time: Number.NaN, newer: undefined, total: Number.NaN };
  /** `total` of the latest response. */
  let total = Number.NaN;
  /** Number of orders by which the next step back moves the window. Undefined while the reader goes forward. */
  let back = start.page > 1 ? 0 : undefined;
  /** Whether windows of the unfiltered list overlap. True once two pages have split the orders of one second. */
  let isSplit = false;
  /**
   * Whether the window begins with orders that were already read. In a filtered list, this is always so. In an
   * unfiltered list, it is so after a split or a removal.
   */
  let overlaps = isFiltered;
  /** False once the API has failed to serve an overlapping window of the unfiltered list. */
  let canOverlap = true;
  /**
   * Number of responses with new orders so far, and number of responses since the last of them. A window that the API
   * did not serve counts `misplacedWeight` times in the second number.
   */
  let fruitful = 0;
  let idle = 0;
  let isEnded = false;
  /** Reads the whole list. Set when the reader gives up the windows of a filtered list. */
  let whole: ListReader | undefined;

  /** Whether the window's size differs from the page size. */
  const isOwnSize = (): boolean => window.perPage !== start.perPage;
  const pageFrom = (index: number): Window => ({
    page: Math.floor(index / start.perPage) + 1,
    perPage: start.perPage,
  });

  /**
   * How a response relates to the responses before it:
   * - `joined`: no gap. The response is the top of the list, or it contains an order that was already read and is newer
   *   than the second in which reading stopped. In an unfiltered list, the next page is also `joined` if no order was
   *   removed since the previous response
   * - `tied`: the next page, but it begins in the second in which reading stopped. The API may list the orders of one
   *   second in a different sequence in each response (U-09), so an order may be missing
   * - `split`: like `tied`, but an overlapping window can show whether an order is missing
   * - `torn`: there may be a gap
   */
  const joint = (list: OrderList): 'joined' | 'tied' | 'split' | 'torn' => {
    const { orders } = list;
    if (isFiltered && !isPlaced(list, window)) return 'torn';
    const proves = (order: OrderSummary): boolean => isAbove(order) || (met.has(order.id) && isNewer(order, last.time));
    if (window.page === 1 || orders.some(proves)) return 'joined';
    if (overlaps || back !== undefined) return 'torn';
    if (hasShrunk(list, total) && idle < maxDoubts) return 'torn';
    if (timeOf(orders[0]) !== last.time) return 'joined';
    return !isCounted && canOverlap && last.newer !== undefined && isPlaced(list, window) ? 'split' : 'tied';
  };

  /** Takes the new orders from a response that has no gap before it. Moves the window to the orders below them. */
  const take = (list: OrderList): OrderSummary[] => {
    const { orders, pagination } = list;
    const fresh = orders.filter((order) => !met.has(order.id) && met.set(order.id, timeOf(order)));
    const isElsewhere = readCount(pagination.page, window.page) !== window.page;
    // For a page past the end, an API may return its last page.
    isEnded = orders.length === 0 || window.page >= pagination.pages || (isElsewhere && fresh.length === 0);
    first ??= { total: pagination.total, newest: newestOf(orders) };
    // Each new order at the top pushes at most one order onto the next page.
    const pushed = Math.max(0, pagination.total - last.total) || 0;
    const isNext = !isFiltered && back === undefined && fresh.length === orders.length;
    if (isNext && timeOf(orders[pushed]) > last.time) gaps.add('unsorted');
    if (hasRange && !fresh.every(isDated)) gaps.add('undated');

    const from = startOf(window);
    const end = from + orders.length;
    const time = timeOf(orders.at(-1));
    const above = orders.findLastIndex((order) => isNewer(order, time));
    last = { time, newer: above < 0 ? undefined : from + above, total: pagination.total };
    const isServed = isPlaced(list, window);
    if (!isServed && isOwnSize()) canOverlap = false;
    overlaps = isFiltered || ((isSplit || hasShrunk(list, total)) && isServed && canOverlap);
    let next = isServed ? widestWindow(end) : pageFrom(from + window.perPage);
    if (overlaps) next = widestWindow(last.newer ?? end - 1);
    if (overlaps && !isEnded && (above < 0 || endOf(next) <= endOf(window))) {
      // With NaN as the time, any order that was already read shows that the next response leaves no gap.
      doubts.add('ties');
      last.time = Number.NaN;
      next = widestWindow(end - 1);
    }
    window = next;
    back = undefined;
    fruitful += fresh.length > 0 ? 1 : 0;
    idle = fresh.length > 0 ? 0 : idle + 1;
    return fresh;
  };

  /**
   * Moves the window back after the API rejected it, or after its response left a gap. The first step goes to where the
   * last order read must be now. Each later step goes twice as far above that place as the one before.
   */
  const goBack = (list: OrderList | undefined, isMisplaced: boolean): void => {
    idle += isMisplaced ? misplacedWeight : 1;
    if (window.page === 1) {
      // If not even the first window is served, no other window will be.
      if (met.size === 0) idle += maxIdle;
      return;
    }
    const now = list?.pagination.total ?? total;
    const removed = Math.max(0, last.total - now) || 0;
    const from = Math.min(startOf(window), Number.isSafeInteger(now) ? now : Number.POSITIVE_INFINITY);
    const anchor = Math.min(from - 1, (last.newer ?? from) - removed);
    const index = Math.max(0, anchor - (back ?? 0));
    // A filtered list is read only in overlapping windows, until `idle` exceeds its maximum.
    if (!list && isOwnSize()) canOverlap = isFiltered;
    window = (overlaps && canOverlap) || (list && isPlaced(list, window)) ? widestWindow(index) : pageFrom(index);
    back = back ? 2 * back : fullPage;
  };

  /** Checks a response for reasons why orders may be missing. */
  const look = (list: OrderList): void => {
    const { orders, pagination } = list;
    if (!isSorted(orders)) gaps.add('unsorted');
    if (isFiltered) return;
    if (hasShrunk(list, total)) gaps.add('removed');
    const served = { page: readCount(pagination.page, 1), perPage: readCount(pagination.per_page, window.perPage) };
    const isCutShort = served.page >= pagination.pages && startOf(served) + orders.length < pagination.total;
    if (isCutShort || orders.length < rowsIn(pagination.total, served)) doubts.add('unseen');
  };

  /** At the end of the whole list, compares `total` with the number of orders read. */
  const lookAtEnd = (begin: { total: number; newest: number }): void => {
    if (!isCounted || gaps.has('removed')) return;
    // Without a `total`, nothing rules out the possible gaps.
    if (!Number.isSafeInteger(begin.total)) for (const doubt of doubts) gaps.add(doubt);
    doubts.clear();
    // In an unsorted list, dates do not show which orders arrived during the walk.
    const isArrival = (time: number): boolean => !gaps.has('unsorted') && time > begin.newest;
    const read = [...met.values()].filter((time) => !isArrival(time)).length;
    if (read < begin.total) gaps.add('unseen');
  };

  /**
   * Reads the next response from the whole list instead of the filtered one. Only orders with the requested status
   * count as new.
   */
  const nextOfWhole = async (): Promise<ListStep | undefined> => {
    whole ??= readList(read, { ...options, status: undefined, start: { page: 1, perPage: fullPage } });
    const step = await whole.next();
    return step && { ...step, fresh: step.fresh?.filter((order) => order.status === status && !met.has(order.id)) };
  };

  const next = async (): Promise<ListStep | undefined> => {
    for (;;) {
      if (isFiltered && idle > fruitful + maxIdle) return nextOfWhole();
      if (isEnded) return undefined;
      if (idle >= fruitful + maxPutIn) {
        idle = 0;
        throw endlessError();
      }
      const asked = window;
      try {
        const list = await read({ ...asked, status });
        look(list);
        const found = joint(list);
        if (found === 'tied') doubts.add('ties');
        isSplit ||= found === 'split';
        const fresh = found === 'joined' || found === 'tied' ? take(list) : undefined;
        if (!fresh) goBack(list, isFiltered && !isPlaced(list, asked));
        total = list.pagination.total;
        if (first && isEnded) lookAtEnd(first);
        return { list, window: asked, fresh, isEnd: isEnded };
      } catch (error) {
        const canGoBack = asked.page > 1 && (isFiltered || back !== undefined || idle < maxDoubts);
        if (!isRejectedPage(error) || !canGoBack) throw error;
        goBack(undefined, (error as OrderLicenseError).status === 400);
      }
    }
  };

  return {
    next,
    gaps: (isStopped) => whole?.gaps(isStopped) ?? [...(isStopped ? new Set([...gaps, ...doubts]) : gaps)],
  };
};

const endOf = (window: Window): number => startOf(window) + window.perPage;

/** Also true if one of the two times is unknown. */
const isNewer = (order: OrderSummary, time: number): boolean => !(timeOf(order) <= time);

const hasShrunk = ({ pagination }: OrderList, total: number): boolean =>
  Number.isSafeInteger(total) && Number.isSafeInteger(pagination.total) && pagination.total < total;

const isSorted = (orders: readonly OrderSummary[]): boolean => {
  const dated = orders.filter(isDated);
  return dated.every((order, index) => index === 0 || timeOf(order) <= timeOf(dated[index - 1]));
};

const endlessError = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: 'The API repeats pages that contain no new orders',
    advice: 'To read only the orders before the repetition, set a `limit`. Report the problem to your shop.',
    reason: 'endless_list',
  });
