import { OrderLicenseError } from '../base/errors.ts';
import {
  documentedStatus,
  type OrderList,
  type OrderSummary,
  type Pagination,
  type StatusFilter,
} from '../model/order.ts';
import { createFrontier } from './frontier.ts';
import { createGapFinder, matches, type WalkGap } from './gaps.ts';
import { endOf, fullPage, type ReadPage, requestSlice, type Slice, type SliceResult, startOf } from './slice.ts';

/** One response from the list. */
export interface ListPage {
  /** The response; an empty list if the API rejected the page. */
  list: OrderList;
  /** The slice that was requested. */
  slice: Slice;
  /**
   * The orders of the response that are new to the reader and match its status, in the sequence of the list. A
   * documented `status` is in lower case, as in the API docs.
   */
  fresh: OrderSummary[];
  /**
   * Whether the response continues what was read before. Otherwise, it does not show how far the list was read: it is a
   * wrong page, or the reader dropped it and asks again.
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
  /**
   * Whether slices overlap, so that they join even if copies of different age return them. The whole list needs no
   * overlap: at its end, the number of orders shows a loss. Default: false.
   */
  overlaps?: boolean | undefined;
  /** Whether orders are selected by date. Default: false. */
  isRange?: boolean | undefined;
}

/** A list is endless after this many responses in a row without a new order, and one more for each useful response. */
const maxIdle = 20;
/** The list counts as read after this many pages in a row that are wrong or empty. */
const maxWrong = 3;

/**
 * Reads a list that changes while it is read, and returns each order once. Walks and polls read their pages here; a
 * search by date or number sends its own requests.
 *
 * Joins: a response must continue what was read before. Slices overlap in a filtered list, because orders leave it
 * anywhere, and wherever the walk ends before the list does. If the whole list is read, plain pages suffice: orders only
 * arrive at its top, and the number of its rows shows a loss. A response that may have skipped an order is dropped, and
 * the reader goes back to orders that it knows.
 *
 * End: the list ends where its rows end, not where `pages` says. The last response has fewer rows than it could hold,
 * and no page follows it. If the last page is full, one more request shows that nothing follows.
 *
 * Gaps: a sign that an order may be missing is reported as a gap. See {@link WalkGap}.
 */
export const readList = (read: ReadPage, options: ListOptions = {}): ListReader => {
  const { status, start = { page: 1, perPage: fullPage }, isAbove = () => false } = options;
  const { overlaps = false, isRange = false } = options;
  const gaps = createGapFinder({ status, isWhole: status === undefined && start.page === 1, isRange });
  const frontier = createFrontier({ start, mustOverlap: overlaps, isAbove, gaps });
  /** Number of useful responses: those with new orders. */
  let useful = 0;
  /** Number of responses since the last new order. */
  let idle = 0;
  /** How many of these were wrong pages, or lacked rows that they should have. */
  let wrong = 0;
  let latest: Pagination | undefined;
  let isEnded = false;

  /**
   * Takes the orders of a response to `slice`, and returns those that are new.
   * @param end index after its last order; undefined for a wrong page
   */
  const note = (list: OrderList, slice: Slice, end?: number): OrderSummary[] => {
    const fresh = frontier.add(list.orders);
    gaps.look(list, { slice, fresh, end });
    idle += 1;
    if (fresh.length > 0) {
      useful += 1;
      idle = wrong = 0;
    }
    return fresh;
  };

  /** Moves past a page that is wrong, or lacks new rows that it should have. */
  const skip = ({ pagination }: OrderList): void => {
    wrong += 1;
    frontier.skip();
    isEnded = wrong >= maxWrong || frontier.slice.page > pagination.pages;
  };

  /** Takes a response that joins. */
  const take = (list: OrderList): OrderSummary[] => {
    const requested = frontier.slice;
    frontier.fitSize(list);
    const { slice } = frontier;
    const { pages } = list.pagination;
    const isShort = list.orders.length < slice.perPage;
    const isLast = isShort && slice.page >= pages;
    const end = isLast ? startOf(slice) + list.orders.length : endOf(slice);
    const fresh = note(list, requested, end);
    isEnded = isLast || (slice.page > pages && fresh.length === 0 && !frontier.leadsDown(list));
    if (isEnded) gaps.finish(list, end);
    else if (isShort && fresh.length === 0 && !frontier.leadsDown(list)) skip(list);
    else frontier.advance(list, fresh, end);
    return fresh;
  };

  /**
   * Takes a response that does not join.
   * @throws the API's error, if the reader cannot go back
   */
  const takeOther = (result: SliceResult, list: OrderList): OrderSummary[] => {
    const { slice, isStuck } = frontier;
    const { is, error } = result;
    if (is === 'none' && frontier.isAtEnd(list)) {
      isEnded = true;
      gaps.finish(list, startOf(slice));
      return [];
    }
    if (error && (!latest || slice.page === 1 || isStuck)) throw error;
    if (frontier.goBack(result, list)) return [];
    const fresh = note(list, slice);
    skip(list);
    return fresh;
  };

  const next = async (): Promise<ListPage | undefined> => {
    if (isEnded) return undefined;
    if (idle > maxIdle + useful) {
      idle = 0;
      throw endlessError();
    }
    const { slice } = frontier;
    const result = await requestSlice(read, slice, status);
    const list = result.list ?? { orders: [], pagination: latest ?? noPages };
    const isJoined = result.is === 'page' && frontier.joins(list);
    const fresh = isJoined ? take(list) : takeOther(result, list);
    latest = list.pagination;
    const matching = fresh.filter((order) => matches(order, status)).map(withDocumentedStatus);
    return { list, slice, fresh: matching, joins: isJoined, isEnd: isEnded };
  };
  return { next, gaps: gaps.list };
};

const noPages: Pagination = { page: 1, per_page: fullPage, total: 0, pages: 1 };

const withDocumentedStatus = (order: OrderSummary): OrderSummary => {
  const status = documentedStatus(order.status);
  return status === undefined || status === order.status ? order : { ...order, status };
};

const endlessError = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: 'The API repeats pages that contain no new orders',
    advice: 'To read only the orders before the repetition, set a `limit`. Report the problem to your shop.',
    reason: 'endless_list',
  });
