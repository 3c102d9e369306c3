import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import { fullPage, isPlaced, isRejectedPage, type ReadPage, startOf, timeOf, type Window } from './window.ts';

/** What is searched for: a place in a list that is sorted, newest first. */
export interface Target {
  /** Where an order is: 1 above the target, -1 below it, 0 at it; undefined if it cannot be compared. */
  side(order: OrderSummary): 1 | 0 | -1 | undefined;
  /** Whether two orders are in the order that `side` relies on. */
  isInOrder(above: OrderSummary, below: OrderSummary): boolean;
}

/** A page, by ranks, which count from the end of the list: new orders at its top don't change them. */
interface SeenPage {
  orders: readonly OrderSummary[];
  /** Ranks of its first and its last order. */
  high: number;
  low: number;
}

/** The pages that searches have read, newest first, and `total` of the latest response. */
export interface Seen {
  pages: SeenPage[];
  total: number | undefined;
}

export interface Place {
  /** The orders next to the target; undefined at an end of the list. */
  newer: OrderSummary | undefined;
  older: OrderSummary | undefined;
  /** The page of 50 that contains `newer`; 1 without it. */
  page: number;
  /** False if the search ended before both were next to each other. */
  isExact: boolean;
}

interface SearchOptions {
  /** Reads a page; undefined ends the search. */
  read(window: Window): Promise<OrderList | undefined>;
  /** Whether the top of the list in `seen` need not be checked for newer orders. Default: false. */
  isTopFresh?: boolean;
  /** True once the caller has what it searched for. */
  isFound?(): boolean;
}

/** The pages next to the target. */
interface Bounds {
  above: SeenPage | undefined;
  below: SeenPage | undefined;
  /** A page with orders on both sides. */
  both: SeenPage | undefined;
}

/** Fewer orders of a page on one side of the target may be out of sequence. */
const minSide = 3;
/** Pages out of sequence after which the list counts as unsorted. */
const maxBlind = 3;
/** Requests beyond those of a bisection. */
const maxExtraRequests = 6;

/**
 * Finds a place in a sorted list that grows at its top, by bisection over pages of 50: at most ⌈log2 pages⌉ + 2
 * requests, and three more if orders are out of sequence. Uses what was read before first.
 * @param seen what was read so far; grows
 * @returns undefined if the order was found; or if the list cannot be searched: it is not sorted as `target` compares, or the API does not
 * report which page it returned and how many orders there are
 */
export const seek = async (
  seen: Seen,
  target: Target,
  { read, isTopFresh = false, isFound = () => false }: SearchOptions,
): Promise<Place | undefined> => {
  const [top] = seen.pages;
  if (top && !isSorted(top.orders, target)) return undefined;
  let hasTop = isTopFresh;
  /** Pages out of sequence: they do not show on which side the target is. */
  const blind: SeenPage[] = [];
  const bounds = boundsIn(seen, target);
  for (let left: number | undefined; !isFound(); ) {
    const total = seen.total ?? 0;
    const window =
      hasTop || bounds.above || bounds.both ? nextWindow(bounds, blind, total) : { page: 1, perPage: fullPage };
    left ??= Math.ceil(Math.log2(total / fullPage + 1)) + maxExtraRequests;
    if (!window || left === 0) return placeIn(bounds, target, total, window === undefined);
    const list = await read(window).catch((error: unknown) => {
      if (seen.total !== undefined && isRejectedPage(error)) return 'rejected' as const;
      throw error;
    });
    if (!list) return placeIn(bounds, target, total, false);
    const page = list === 'rejected' ? undefined : addPage(seen, list, window);
    if (!page) return undefined;
    hasTop ||= window.page === 1;
    left = total === 0 ? undefined : left - 1;
    if (narrow(bounds, page, target, seen.total)) continue;
    blind.push(page);
    blind.sort((one, other) => other.high - one.high);
    if (blind.length > (window.page === 1 ? 0 : maxBlind)) return undefined;
  }
  return undefined;
};

/** The page of 50 with the last order above an instant; 1 if there is none, or if the list is not sorted by date. */
export const findDate = async (
  read: ReadPage,
  { isAbove, status }: { isAbove(order: OrderSummary): boolean; status: StatusFilter | undefined },
): Promise<number> => {
  const target: Target = {
    side: (order) => (timeOf(order) === undefined ? undefined : isAbove(order) ? 1 : -1),
    isInOrder: (above, below) => Number(timeOf(above)) >= Number(timeOf(below)),
  };
  const seen: Seen = { pages: [], total: undefined };
  const place = await seek(seen, target, { read: (window) => read({ ...window, status }) });
  return place?.page ?? 1;
};

/**
 * Adds a response to what was read. If orders were removed, the ranks above them fell, at most by so many.
 * @returns undefined if the response does not say where in the list it is
 */
export const addPage = (seen: Seen, list: OrderList, window: Window): SeenPage | undefined => {
  const { total } = list.pagination;
  if (!Number.isSafeInteger(total) || !isPlaced(list, window)) return undefined;
  const removed = Math.max(0, (seen.total ?? 0) - total);
  for (const page of seen.pages) page.high -= removed;
  seen.total = total;
  const high = total - startOf(window);
  const page = { orders: list.orders, high, low: high - list.orders.length + 1 };
  seen.pages = [...seen.pages.filter((other) => other.high !== high), page].sort((a, b) => b.high - a.high);
  return page;
};

/** What pages read before say about a target. */
const boundsIn = ({ pages, total }: Seen, target: Target): Bounds => {
  const bounds: Bounds = { above: undefined, below: undefined, both: undefined };
  let [from, to] = [0, pages.length];
  while (from < to && !bounds.both) {
    const middle = (from + to) >> 1;
    const page = pages[middle] as SeenPage;
    narrow(bounds, page, target, total);
    if (bounds.above === page) from = middle + 1;
    else to = middle;
  }
  return bounds;
};

/** @returns false if the page is out of sequence */
const narrow = (bounds: Bounds, page: SeenPage, target: Target, total: number | undefined): boolean => {
  if (!isSorted(page.orders, target)) return false;
  const cut = cutOf(page.orders, target);
  const rest = page.orders.length - cut;
  // Nothing above the top of the list can decide whether its first orders are out of sequence.
  const isTop = page.high === total && cut > 0;
  if ((cut >= minSide || isTop) && rest >= minSide) bounds.both = page;
  else if (cut > rest) bounds.above = page;
  else bounds.below = page;
  return true;
};

/** Whether most orders can be compared and are in sequence. */
const isSorted = (orders: readonly OrderSummary[], { side, isInOrder }: Target): boolean => {
  const comparable = orders.filter((order) => side(order) !== undefined);
  const inOrder = comparable.filter((order, index) => index > 0 && isInOrder(comparable[index - 1] ?? order, order));
  return 2 * comparable.length >= orders.length && 4 * inOrder.length >= 3 * (comparable.length - 1);
};

/** How many orders of a page are above the target: the cut with the most orders on their own side. */
const cutOf = (orders: readonly OrderSummary[], { side }: Target): number => {
  const sides = orders.map((order) => side(order) ?? 0);
  let balance = 0;
  let best = { cut: 0, balance };
  for (const [index, one] of sides.entries()) {
    balance += one;
    if (balance > best.balance) best = { cut: index + 1, balance };
  }
  // What cannot be compared at the end of a page does not end the run.
  return sides.slice(best.cut).some((one) => one < 0) ? best.cut : sides.length;
};

/** The page to read next; undefined if no order is left between the bounds. */
const nextWindow = ({ above, below, both }: Bounds, blind: SeenPage[], total: number): Window | undefined => {
  let high = (above?.low ?? 0) - 1;
  let low = (below?.high ?? 0) + 1;
  for (const page of blind) if (page.high >= high && page.low <= high) high = page.low - 1;
  for (const page of blind.toReversed()) if (page.low <= low && page.high >= low) low = page.high + 1;
  if (both || low > high) return undefined;
  const pageOf = (rank: number): number => Math.floor((total - rank) / fullPage) + 1;
  // After pages that show nothing, the one below them.
  const between = blind.findLast((page) => page.low > low && page.high < high);
  return { page: between ? pageOf(between.low - 1) : (pageOf(high) + pageOf(low)) >> 1, perPage: fullPage };
};

const placeIn = ({ above, below, both }: Bounds, target: Target, total: number, isExact: boolean): Place => {
  const [first, second] = both ? [both, undefined] : [above, below];
  const firstOrders = first?.orders ?? [];
  const orders = [...firstOrders, ...(second?.orders ?? [])];
  const cut = isSorted(orders, target) ? cutOf(orders, target) : firstOrders.length;
  const rank =
    cut <= firstOrders.length ? (first?.high ?? 0) - cut + 1 : (second?.high ?? 0) - (cut - firstOrders.length) + 1;
  return {
    newer: orders[cut - 1],
    older: orders[cut],
    page: cut > 0 ? Math.max(1, Math.floor((total - rank) / fullPage) + 1) : 1,
    isExact,
  };
};
