import { OrderLicenseError } from '../base/errors.ts';
import {
  documentedStatus,
  type OrderList,
  type OrderSummary,
  type Pagination,
  type StatusFilter,
} from '../model/order.ts';
import { createFrontier } from './frontier.ts';
import { createGapFinder, type WalkGap } from './gaps.ts';
import { type Answer, endOf, fullPage, type ReadPage, requestSlice, type Slice, startOf } from './slice.ts';

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

/** A list is endless after this many responses in a row without a new order, beyond one for each page read. */
const maxIdle = 20;
/** The list counts as read after this many pages in a row that are wrong or empty. */
const maxWrong = 3;

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
  const gaps = createGapFinder(!isFiltered && start.page === 1);
  const frontier = createFrontier({ start, isFiltered, isAbove, gaps });
  /** Whether the next slice is behind the last page that `pages` names. */
  let isBehind = false;
  /** Number of responses, and of wrong pages, since the last new order. */
  let idle = 0;
  let wrong = 0;
  let latest: Pagination | undefined;
  let isEnded = false;

  /**
   * Notes what a response has brought, and whether the API has filtered it.
   * @param end index after its last order; undefined if orders below it are already known
   */
  const note = (list: OrderList, fresh: readonly OrderSummary[], end?: number): void => {
    const { orders } = list;
    gaps.look(list, fresh, end);
    idle += 1;
    if (fresh.length > 0) idle = wrong = 0;
    // A single order has changed its status meanwhile; more of them mean that the API ignores the filter.
    const others = orders.filter((order) => !matches(order, status)).length;
    if (others > 1 && others > orders.length / 2) gaps.add('unseen');
  };

  /** Moves on behind a page that is wrong, or has no rows. */
  const skip = ({ pagination }: OrderList): void => {
    gaps.add('unseen');
    wrong += 1;
    frontier.skip();
    isEnded = wrong >= maxWrong || frontier.slice.page > pagination.pages;
  };

  const finish = (list: OrderList): void => {
    isEnded = true;
    gaps.finish(list, frontier.end);
  };

  /** Takes the orders of a response that joins. */
  const take = (list: OrderList): OrderSummary[] => {
    frontier.fitSize(list);
    const { slice } = frontier;
    const isLast = slice.page >= list.pagination.pages;
    const isShort = list.orders.length < slice.perPage;
    const end = isShort && !isLast ? endOf(slice) : startOf(slice) + list.orders.length;
    const advance = frontier.advance(list, end);
    const { fresh, reaches } = advance;
    note(list, fresh, reaches ? end : undefined);

    const isNothingBehind = isLast && (isShort || (isBehind && fresh.length === 0));
    isBehind = isLast;
    if (isNothingBehind) finish(list);
    else if (isShort && fresh.length === 0 && !advance.isAboveEnd) skip(list);
    else {
      if (isShort) gaps.add('unseen');
      frontier.goOn(advance);
    }
    return fresh;
  };

  /** Takes the orders of a page that is not the one requested, and goes on behind the latter. */
  const takeOther = (list: OrderList): OrderSummary[] => {
    const fresh = frontier.add(list.orders);
    note(list, fresh);
    skip(list);
    return fresh;
  };

  const goBack = (answer: Answer): void => {
    isBehind = false;
    frontier.goBack(answer);
  };

  /**
   * Handles a request for a page that the list does not have: it has become shorter, or nothing is behind its last page.
   * @param shown the response; without one, an empty page
   * @throws the API's error, if the reader cannot go back
   */
  const takeNone = (answer: Answer, shown: OrderList): void => {
    const { slice, join, isStuck } = frontier;
    const { error } = answer;
    if (isBehind && join === 'next' && shown.orders.every(frontier.isKnown)) finish(shown);
    else if (error && (!latest || slice.page === 1 || isStuck)) throw error;
    else if (join === 'nothing') skip(shown);
    else goBack(answer);
  };

  const next = async (): Promise<ListPage | undefined> => {
    if (isEnded) return undefined;
    if (idle > maxIdle + frontier.pagesRead()) {
      idle = 0;
      throw endlessError();
    }
    const { slice, join } = frontier;
    const answer = await requestSlice(read, slice, status);
    const list = answer.list ?? { orders: [], pagination: latest ?? noPages };
    const isJoined = answer.is === 'page' && frontier.joins(list);
    let fresh: OrderSummary[] = [];
    if (answer.is === 'none') takeNone(answer, list);
    // A filtered list may have become shorter, although `pages` counts all orders (U-11).
    else if (answer.is === 'other' && !(isFiltered && join === 'newer')) fresh = takeOther(list);
    else if (isJoined) fresh = take(list);
    else goBack(answer);
    latest = list.pagination;
    const matching = fresh.filter((order) => matches(order, status)).map(withDocumentedStatus);
    return { list, slice, fresh: matching, joins: isJoined, isEnd: isEnded };
  };
  return { next, gaps: gaps.list };
};

const noPages: Pagination = { page: 1, per_page: fullPage, total: 0, pages: 0 };

/** Whether a filtered list can contain the order: a status that the API docs don't name shows nothing. */
const matches = ({ status }: OrderSummary, filter: StatusFilter | undefined): boolean =>
  filter === undefined || (documentedStatus(status) ?? filter) === filter;

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
