import { OrderLicenseError } from '../base/errors.ts';
import {
  documentedStatus,
  type OrderList,
  type OrderSummary,
  type Pagination,
  type StatusFilter,
} from '../model/order.ts';
import { createRowCount } from './row-count.ts';
import {
  endOf,
  fullPage,
  isDated,
  isOtherPage,
  isRejectedPage,
  pageAt,
  type ReadPage,
  readCount,
  type Slice,
  startOf,
  timeOf,
  totalOf,
  widestSlice,
} from './slice.ts';

/**
 * Why orders may be missing:
 * - `unsorted`: the list is not sorted by date
 * - `undated`: a date range was requested, and an order's date cannot be read
 * - `unseen`: the API returned fewer orders than it counts, or a wrong or short page
 * - `ties`: more orders were created in one second than one response holds
 * - `removed`: orders were removed from the list while it was read
 */
export type WalkGap = 'unsorted' | 'undated' | 'unseen' | 'ties' | 'removed';

/** One response from the list. */
export interface ListPage {
  /** The response, unchanged, and the slice that was requested. */
  list: OrderList;
  slice: Slice;
  /**
   * The orders of the response that are new to the reader and match its status, in the sequence of the list. Their
   * `status` is in the letters of the API docs, if these name it.
   */
  fresh: OrderSummary[];
  /**
   * Whether the response continues what was read before. Otherwise, it does not show how far the list was read: it was
   * dropped, and the reader asks again, or it is a wrong page.
   */
  joins: boolean;
  /** Whether this response is the last one of the list. */
  isEnd: boolean;
}

export interface ListReader {
  /**
   * Reads the next response; undefined after the end of the list. Usually sends one request. After an error, another
   * call continues.
   * @throws the errors of a call; `invalid_response` (`endless_list`) if page after page has no new order
   */
  next(): Promise<ListPage | undefined>;
  /** Returns why orders may be missing from what was read so far. */
  gaps(): WalkGap[];
}

export interface ListOptions {
  /** The API's filter. Orders enter and leave a filtered list at any index. Default: the whole list. */
  status?: StatusFilter | undefined;
  /** The first slice to read. Default: page 1 of 50. */
  start?: Slice | undefined;
  /**
   * True for an order that is listed above the first wanted order. If `start` is not page 1, the reader goes up until a
   * response contains such an order.
   */
  isAbove?: ((order: OrderSummary) => boolean) | undefined;
}

/** The end of what was read: the next response has to join here. */
interface Frontier {
  /** Time of the last order, ms. NaN if it cannot be read, or if one response cannot hold its second. */
  time: number;
  /** Index of the first order that is not newer than `time`; undefined if the response has no newer order. */
  first: number | undefined;
  /** Index after the last order. */
  end: number;
  total: number | undefined;
}

/** After this many steps back without a new order, a response is accepted even if it does not join: a gap. */
const maxSteps = 10;
/**
 * After this many responses in a row without new orders, the list counts as endless. Each response with new orders
 * raises this number by one.
 */
const maxIdle = 20;
/** The list counts as read after this many pages in a row that are wrong or empty. */
const maxWrong = 3;
/** A slice whose size the API rejects (400) counts as this many steps back. */
const sizeWeight = 4;

/**
 * Reads a list that changes while it is read, and returns each order once. Walks and `watch` read all their pages here.
 *
 * Joins: a response must continue what was read before. In a filtered list, slices overlap, because orders leave it
 * anywhere. In the whole list, orders only arrive at the top, so plain pages do. A response that may have skipped an
 * order is dropped, and the reader goes back to orders that it knows.
 *
 * End: the list ends where its rows end, not where `pages` says. The last response has fewer rows than it could hold and
 * no page behind it. If the last page is full, one more request shows that there is nothing behind it.
 *
 * Gaps: whatever may hide an order is a gap. See {@link WalkGap}.
 */
export const readList = (read: ReadPage, options: ListOptions = {}): ListReader => {
  const { status, start = { page: 1, perPage: fullPage }, isAbove = () => false } = options;
  const isFiltered = status !== undefined;
  const isCounted = !isFiltered && start.page === 1;
  const gaps = new Set<WalkGap>();
  const known = new Set<string>();
  const count = createRowCount();
  /** Number of orders in a full page. */
  let size = start.perPage;
  let slice = start;
  let frontier: Frontier = { time: Number.NaN, first: undefined, end: startOf(start), total: undefined };
  /** Number of orders by which the next step back moves the slice. Undefined while the reader goes forward. */
  let back = start.page > 1 ? 0 : undefined;
  /** Whether slices overlap, so that each response has to contain an order from above the frontier's second. */
  let overlaps = isFiltered;
  let canOverlap = true;
  /** Whether the last page that `pages` names was full. */
  let isBehind = false;
  let isSecondTry = false;
  let wrong = 0;
  /** Whether the next response cannot be expected to join. */
  let isCut = false;
  /** Whether one second filled a whole response. */
  let isTied = false;
  let hasFallen = false;
  /** Number of responses with new orders so far, and number of responses since the last of them. */
  let fruitful = 0;
  let idle = 0;
  /** Number of steps back since the last new order. */
  let steps = 0;
  let latest: Pagination | undefined;
  let isEnded = false;

  const isKnown = (order: OrderSummary): boolean => known.has(String(order.id));
  /** Also true for an unknown time. */
  const isNewer = (order: OrderSummary): boolean => !(timeOf(order) <= frontier.time);
  const fell = (list: OrderList): boolean => Number(totalOf(list)) < Number(latest?.total);
  /**
   * Returns by how many orders a page repeats more than it should. Each arrival moves one known order onto the page.
   * Any further one has changed places with an order of the same second, which is now above the page.
   */
  const repeated = ({ orders }: OrderList): number => orders.filter(isKnown).length - (frontier.end - startOf(slice));
  const proves = ({ orders }: OrderList): boolean =>
    orders.some((order) => isAbove(order) || (isKnown(order) && isNewer(order)));

  const joins = (list: OrderList): boolean => {
    if (slice.page === 1 || isCut || proves(list)) return true;
    if (overlaps || back !== undefined || fell(list)) return false;
    const more = repeated(list);
    return more === 0 || (more > 0 && count.isLive() && more === Number(totalOf(list)) - Number(frontier.total));
  };

  /** Returns the orders that are new and match the filter. */
  const add = ({ orders }: OrderList): OrderSummary[] => {
    const fresh = orders.filter((order) => !isKnown(order) && known.add(String(order.id)));
    fruitful += fresh.length > 0 ? 1 : 0;
    idle = fresh.length > 0 ? 0 : idle + 1;
    if (fresh.length > 0) [wrong, steps] = [0, 0];
    const others = orders.filter((order) => isFiltered && documentedStatus(order.status) !== status);
    // A single order has changed its status meanwhile; more of them mean that the API ignores the filter.
    if (others.length > 1 && others.length > orders.length / 2) gaps.add('unseen');
    return fresh;
  };

  const wanted = (fresh: OrderSummary[]): OrderSummary[] =>
    fresh.filter((order) => !isFiltered || documentedStatus(order.status) === status).map(named);

  /** Moves on behind a page that is wrong or short. */
  const skip = (list: OrderList, isEmpty: boolean): void => {
    gaps.add('unseen');
    isBehind = false;
    wrong += isEmpty ? 1 : 0;
    slice = pageAt(endOf(slice), size);
    frontier.end = startOf(slice);
    isCut = true;
    isEnded = wrong >= maxWrong || slice.page > list.pagination.pages;
  };

  /** Ends the list, and compares its rows with `total`. */
  const finish = (list: OrderList): void => {
    isEnded = true;
    if (Number(totalOf(list)) > frontier.end) gaps.add('unseen');
    const isShort = isCounted ? count.isShort(!gaps.has('unsorted')) : undefined;
    if (isShort) gaps.add('unseen');
    if (isShort && hasFallen) gaps.add('removed');
    if (isShort === false) isTied = false;
  };

  /** Goes on with the page size of the first response, if it is not the one requested. */
  const fitSize = ({ orders, pagination }: OrderList): void => {
    const { page, perPage } = slice;
    // `pages` also shows the size, even if the response does not name it.
    const isNamed = readCount(pagination.per_page, perPage) < perPage;
    const isSmaller = isNamed || pagination.pages > Math.ceil(pagination.total / perPage);
    if (!isSmaller || orders.length === 0 || orders.length >= perPage || page >= pagination.pages) return;
    gaps.add('unseen');
    size = orders.length;
    slice = { page, perPage: size };
  };

  /** Takes the orders of a response that joins, and moves the slice below them. */
  const take = (list: OrderList): OrderSummary[] => {
    const { orders, pagination } = list;
    const isFirst = known.size === 0;
    if (isFirst) fitSize(list);
    if (!isSorted(orders)) gaps.add('unsorted');
    const from = startOf(slice);
    const isLast = slice.page >= pagination.pages;
    const isShort = orders.length < slice.perPage;
    const end = isShort && !isLast ? endOf(slice) : from + orders.length;
    const lastKnown = orders.findLastIndex(isKnown);
    const reaches = lastKnown < orders.length - 1;
    const isNext = !isFiltered && !isFirst && !isCut && back === undefined && slice.page > 1;
    if (isNext && timeOf(orders[lastKnown + 1]) > frontier.time) gaps.add('unsorted');
    if (!isFiltered && !isCut && !isFirst) compare(list);
    const isShared = timeOf(orders[0]) === frontier.time;
    const fresh = add(list);
    if (isCounted) count.add(list, fresh, reaches ? end : undefined);

    const time = reaches ? timeOf(orders.at(-1)) : frontier.time;
    frontier = { ...frontier, time, end, total: totalOf(list) };
    const above = orders.findLastIndex(isNewer);
    frontier.first = above < 0 ? undefined : from + above + 1;
    const fallen = fell(list);
    back = undefined;
    isCut = false;
    if ((isShort && isLast) || (isBehind && isLast && fresh.length === 0)) finish(list);
    else if (isShort && fresh.length === 0) skip(list, true);
    else {
      if (isShort) gaps.add('unseen');
      isTied ||= above < 0 && isShared;
      isBehind = isLast;
      // The second response of a range overlaps, because the search read the first one some requests ago.
      overlaps = canOverlap && (isFiltered || fallen || !reaches || (isFirst && start.page > 1));
      if (overlaps) moveOverlapping(end, above);
      else slice = pageAt(end, size);
    }
    return wanted(fresh);
  };

  const moveOverlapping = (end: number, above: number): void => {
    const next = widestSlice((frontier.first ?? end) - 1, size);
    const isStuck = above < 0 || endOf(next) <= endOf(slice);
    slice = isStuck ? widestSlice(end - 1, size) : next;
    if (!isStuck) return;
    // With NaN as the time, any known order shows that the next response joins.
    isTied ||= above < 0;
    frontier.time = Number.NaN;
  };

  /** Compares by how many rows the list moved down, as far as the response proves it, with the change of `total`. */
  const compare = (list: OrderList): void => {
    const first = list.orders.findIndex((order) => !isNewer(order));
    const change = Number(totalOf(list)) - Number(frontier.total);
    if (first > 0 && frontier.first !== undefined) count.compare(startOf(slice) + first - frontier.first, change);
    else if (first === 0 && repeated(list) === 0) count.compare(0, change);
  };

  /**
   * Moves the slice back after a response that does not join. The first step goes to where the last known order must be
   * now. Each later step goes twice as far above that place as the one before.
   */
  const goBack = (list: OrderList | undefined, weight = 1): void => {
    steps += weight;
    isBehind = false;
    if (steps > maxSteps) {
      gaps.add(hasFallen ? 'removed' : isFiltered ? 'unseen' : 'ties');
      canOverlap = false;
      overlaps = false;
      back = undefined;
      slice = pageAt(frontier.end, size);
      isCut = true;
      return;
    }
    const now = (list && totalOf(list)) ?? latest?.total;
    const removed = Math.max(0, Number(frontier.total) - Number(now)) || 0;
    const from = Math.min(startOf(slice), now ?? Number.POSITIVE_INFINITY);
    const index = Math.min(from, (frontier.first ?? from) - removed) - 1 - (back ?? 0);
    slice = canOverlap ? widestSlice(Math.max(0, index), size) : pageAt(Math.max(0, index), size);
    back = back ? 2 * back : fullPage;
  };

  /** Goes on after a response with 400 or 404: the list has become shorter, or the API rejects the size of a slice. */
  const goOnAfter = (error: OrderLicenseError): void => {
    if (isCut && wrong > 0 && latest) skip({ orders: [], pagination: latest }, true);
    else if (slice.page === 1 || isCut) throw error;
    else goBack(undefined, error.status === 400 && slice.perPage !== size ? sizeWeight : 1);
  };

  /** Handles another page than the one requested. */
  const takeOther = (list: OrderList): OrderSummary[] => {
    const isPast = slice.page > list.pagination.pages;
    if (isBehind && list.orders.every(isKnown)) finish(list);
    // The list has become shorter, and the API returns its last page.
    else if ((isPast || isFiltered) && !isCut) goBack(list);
    else if (!isSecondTry) isSecondTry = true;
    else {
      isSecondTry = false;
      const fresh = add(list);
      if (isCounted) count.add(list, fresh, undefined);
      skip(list, fresh.length === 0);
      return wanted(fresh);
    }
    return [];
  };

  const next = async (): Promise<ListPage | undefined> => {
    while (!isEnded) {
      if (idle >= fruitful + maxIdle) {
        idle = 0;
        throw endlessError();
      }
      const asked = slice;
      const list = await read({ ...asked, status }).catch((error: unknown) => {
        if (isRejectedPage(error)) return error;
        throw error;
      });
      if (list instanceof OrderLicenseError) {
        if (isBehind && latest) {
          const nothing = { orders: [], pagination: latest };
          finish(nothing);
          return { list: nothing, slice: asked, fresh: [], joins: true, isEnd: true };
        }
        goOnAfter(list);
        continue;
      }
      const isOther = isOtherPage(list, asked);
      hasFallen ||= fell(list);
      const isJoined = !isOther && joins(list);
      let fresh: OrderSummary[] = [];
      if (isOther) fresh = takeOther(list);
      else if (isJoined) fresh = take(list);
      else goBack(list);
      if (!isOther) isSecondTry = false;
      latest = list.pagination;
      return { list, slice: asked, fresh, joins: isJoined, isEnd: isEnded };
    }
    return undefined;
  };
  return { next, gaps: () => (isTied ? [...new Set([...gaps, 'ties' as const])] : [...gaps]) };
};

/** Returns the order with its status in the letters of the API docs. */
const named = (order: OrderSummary): OrderSummary => {
  const status = documentedStatus(order.status);
  return status === undefined || status === order.status ? order : { ...order, status };
};

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
