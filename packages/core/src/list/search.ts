import { isDated, timeOf } from '../model/dates.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import { fullPage, pageAt, type ReadPage, requestSlice, type Slice, startOf, totalOf } from './slice.ts';

/** The position to search for in a list that is sorted, newest first. */
export interface Target {
  /** Returns 1 for an order above the target, -1 below it, 0 at it; undefined if the order cannot be compared. */
  side(order: OrderSummary): number | undefined;
  /** Whether two consecutive orders are in the sequence that `side` relies on. */
  isInOrder(above: OrderSummary, below: OrderSummary): boolean;
}

/**
 * A page with the ranks of its orders. Ranks count from the end of the list, so new orders at the top don't change
 * them.
 */
interface SeenPage {
  list: OrderList;
  /** Number of the page of 50, when it was read. */
  page: number;
  /** Ranks of the page's first and last orders. */
  high: number;
  low: number;
}

/** The pages that searches have read, and `total` of the latest response. */
export interface Seen {
  pages: SeenPage[];
  total: number | undefined;
}

/** Where the target is among the pages read. */
export interface Place {
  /** The last page that begins above the target, and the first page that ends below it. One page can be both. */
  above: SeenPage | undefined;
  below: SeenPage | undefined;
  /** The orders next to the target; undefined at an end of the list. */
  newer: OrderSummary | undefined;
  older: OrderSummary | undefined;
  /** Number of the page to read next; undefined if no orders remain between these pages. */
  next: number | undefined;
}

interface SearchOptions {
  read: ReadPage;
  /** The API's filter. Default: the whole list. */
  status?: StatusFilter | undefined;
  /** Whether `seen` includes the current top of the list, so that the search need not read page 1. Default: false. */
  isTopFresh?: boolean;
  /** True once the caller has what it searched for. */
  isFound?(): boolean;
  /** Default: 14, enough to bisect 100,000 orders while some of them move. */
  maxRequests?: number;
}

/**
 * Searches a sorted list that grows at its top, by bisection over pages of 50. Sends at most ⌈log2 pages⌉ + 2 requests,
 * unless orders other than new ones move. Starts from the pages that were already read.
 * @param seen the pages that were already read; each new page is added
 * @returns false if the list cannot be searched: it is not sorted as `target` expects, or the API reports no `total`,
 * or returns a short or wrong page
 */
export const seek = async (
  seen: Seen,
  target: Target,
  { read, status, isTopFresh = false, isFound = () => false, maxRequests = 14 }: SearchOptions,
): Promise<boolean> => {
  let hasTop = isTopFresh;
  for (let requests = 0; !isFound(); requests++) {
    const place = placeIn(seen, target);
    if (!place) return false;
    const page = hasTop || place.above ? place.next : 1;
    if (!page || requests === maxRequests) return true;
    const slice = { page, perPage: fullPage };
    const result = await requestSlice(read, slice, status);
    if (result.is === 'none' && place.above && !place.below) {
      // The list ends above this page, so the page counts as empty and below the target.
      const high = Number(seen.total) - startOf(slice);
      // By `total`, this page has orders, so a later search may find them.
      if (high > 0) return true;
      seen.pages.push({ list: { ...place.above.list, orders: [] }, page, high, low: high + 1 });
    } else if (result.is !== 'page' || !addPage(seen, result.list, slice)) return false;
    hasTop ||= page === 1;
  }
  return true;
};

/** Returns the place of the target among the pages read; undefined if too much of a page is not sorted. */
export const placeIn = (seen: Seen, target: Target): Place | undefined => {
  let above: SeenPage | undefined;
  let below: SeenPage | undefined;
  let around: SeenPage | undefined;
  let lastAbove = 0;
  for (const page of seen.pages) {
    const sides = sidesOf(page, target);
    if (!sides) return undefined;
    if (sides.first === 1) lastAbove = Math.max(lastAbove, page.page);
    if (sides.first === 1 && page.low <= (above?.low ?? Infinity)) above = page;
    if (sides.last !== 1 && page.high > (below?.high ?? -Infinity)) below = page;
    if (sides.first === 1 && sides.last !== 1) around = page;
  }
  above = around ?? above;
  below = around ?? below;
  const newer = above?.list.orders.findLast((order) => target.side(order) === 1);
  const older = below?.list.orders.find((order) => Number(target.side(order)) < 1);
  return { above, below, newer, older, next: nextPage(above, below, lastAbove, seen) };
};

/**
 * Finds the page of 50 that contains the last order for which `isAbove` is true: its number, and the response in which
 * the search read it. Returns page 1 if there is no such order, or if the list is not sorted by date.
 */
export const findDate = async (
  read: ReadPage,
  { isAbove, status }: { isAbove(order: OrderSummary): boolean; status: StatusFilter | undefined },
): Promise<{ page: number; list: OrderList | undefined }> => {
  const target: Target = {
    side: (order) => (!isDated(order) ? undefined : isAbove(order) ? 1 : -1),
    isInOrder: (above, below) => timeOf(above) >= timeOf(below),
  };
  const seen: Seen = { pages: [], total: undefined };
  const isSorted = await seek(seen, target, { read, status });
  const place = isSorted ? placeIn(seen, target) : undefined;
  return place?.above ?? place?.below ?? { page: 1, list: undefined };
};

/**
 * Adds a response to the pages read.
 * @returns false if it is unknown where in the list the response belongs
 */
export const addPage = (seen: Seen, list: OrderList, slice: Slice): boolean => {
  const { page, perPage } = slice;
  const total = totalOf(list);
  const { orders, pagination } = list;
  const isShort = orders.length !== perPage && page < pagination.pages;
  if (total === undefined || isShort) return false;
  seen.total = total;
  const high = total - startOf(slice);
  seen.pages.push({ list, page: pageAt(startOf(slice), fullPage).page, high, low: high - orders.length + 1 });
  return true;
};

/**
 * Returns on which sides of the target a page begins and ends; undefined unless half of its orders can be compared and
 * three in four are in sequence.
 */
const sidesOf = ({ list: { orders } }: SeenPage, { side, isInOrder }: Target) => {
  const sides = orders.map(side).filter((one) => one !== undefined);
  const inOrder = orders.filter((order, index) => isInOrder(orders[index - 1] ?? order, order));
  if (2 * sides.length < orders.length || 4 * inOrder.length < 3 * orders.length) return undefined;
  return { first: sides[0], last: sides.at(-1) };
};

/**
 * Returns the number of the page to read next: the page halfway between two pages by rank. Ranks are wrong if `total`
 * lags behind the orders, and lead to the wrong page if copies of the list differ. If no rank remains, or the page was
 * one of the latest four, the page after the last one above the target follows: new orders only move the target down.
 * @param lastAbove number of the last page that begins above the target
 * @returns undefined if no orders remain between the two pages
 */
const nextPage = (
  above: SeenPage | undefined,
  below: SeenPage | undefined,
  lastAbove: number,
  { pages, total = 0 }: Seen,
): number | undefined => {
  if (above && above === below) return undefined;
  const high = (above?.low ?? total + 1) - 1;
  const low = below ? below.high + 1 : 1;
  const pageOf = (rank: number): number => pageAt(Math.max(0, total - rank), fullPage).page;
  const halfway = (pageOf(high) + pageOf(low)) >> 1;
  const hasRanks = high >= low;
  if (hasRanks && !pages.slice(-4).some(({ page }) => page === halfway)) return halfway;
  const next = lastAbove + 1;
  const isEnd = above && above.list.orders.length < fullPage;
  return isEnd || (!hasRanks && next === pages.at(-1)?.page) ? undefined : next;
};
