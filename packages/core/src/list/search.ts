import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import {
  fullPage,
  isDated,
  isPlaced,
  isRejectedPage,
  type ReadPage,
  startOf,
  timeOf,
  totalOf,
  type Window,
} from './window.ts';

/** The target of a search: a place in a list that is sorted, newest first. */
export interface Target {
  /** Returns 1 for an order above the target, -1 below it, 0 at it; undefined if the order cannot be compared. */
  side(order: OrderSummary): 1 | 0 | -1 | undefined;
  /** Whether two orders are in the sequence that `side` relies on. */
  isInOrder(above: OrderSummary, below: OrderSummary): boolean;
}

/**
 * A page with the ranks of its orders. Ranks count from the end of the list, so new orders at the top don't change
 * them.
 */
interface SeenPage {
  orders: readonly OrderSummary[];
  /** Ranks of the page's first and last orders. */
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
  /** Number of the page of 50 that contains `newer`; 1 if `newer` is undefined. */
  page: number;
  /** False if the search ended before `newer` and `older` were next to each other. */
  isExact: boolean;
}

interface SearchOptions {
  /** Reads a page; undefined ends the search. */
  read(window: Window): Promise<OrderList | undefined>;
  /** Whether `seen` includes the current top of the list, so that the search need not read page 1. Default: false. */
  isTopFresh?: boolean;
  /** True once the caller has what it searched for. */
  isFound?(): boolean;
}

/**
 * The pages next to the target. If a page has orders on both sides of the target, that page is both `above` and
 * `below`.
 */
interface Near {
  above: SeenPage | undefined;
  below: SeenPage | undefined;
  /**
   * Pages between `above` and `below` whose orders are out of sequence: such a page does not show on which side of it
   * the target is.
   */
  blind: SeenPage[];
}

/**
 * A page counts as having orders on both sides of the target only if at least this many are on each side: fewer could
 * merely be out of sequence.
 */
const minSide = 3;
/** Maximum number of pages out of sequence: with more, the list counts as unsorted. */
const maxBlind = 3;
/** Maximum number of requests beyond those of a bisection. */
const maxExtraRequests = 6;

/**
 * Finds a place in a sorted list that grows at its top, by bisection over pages of 50. Sends at most ⌈log2 pages⌉ + 2
 * requests, and three more if orders are out of sequence. Starts from the pages that were already read.
 * @param seen the pages that were already read; each new page is added
 * @returns undefined if the order was found, or if the list cannot be searched. That is the case if the list is not
 * sorted as `target` compares, or if the API does not report the total number of orders and which page it returned
 */
export const seek = async (
  seen: Seen,
  target: Target,
  { read, isTopFresh = false, isFound = () => false }: SearchOptions,
): Promise<Place | undefined> => {
  let hasTop = isTopFresh;
  for (let requests = 0; !isFound(); requests++) {
    const near = nearestIn(seen, target);
    const [top] = seen.pages;
    if ((top && sideOf(top, target, seen.total) === undefined) || near.blind.length > maxBlind) return undefined;
    const total = seen.total ?? 0;
    const window = hasTop || near.above ? nextWindow(near, total) : { page: 1, perPage: fullPage };
    const maxRequests = Math.ceil(Math.log2(total / fullPage + 1)) + maxExtraRequests;
    if (!window || requests > maxRequests) return placeIn(near, target, total, window === undefined);
    const list = await read(window).catch((error: unknown) => {
      if (seen.total !== undefined && isRejectedPage(error)) return 'rejected' as const;
      throw error;
    });
    if (!list) return placeIn(near, target, total, false);
    if (list === 'rejected' || !addPage(seen, list, window)) return undefined;
    hasTop ||= window.page === 1;
  }
  return undefined;
};

/**
 * Finds the page of 50 that contains the last order for which `isAbove` is true. Returns 1 if there is no such order,
 * or if the list is not sorted by date.
 */
export const findDate = async (
  read: ReadPage,
  { isAbove, status }: { isAbove(order: OrderSummary): boolean; status: StatusFilter | undefined },
): Promise<number> => {
  const target: Target = {
    side: (order) => (!isDated(order) ? undefined : isAbove(order) ? 1 : -1),
    isInOrder: (above, below) => timeOf(above) >= timeOf(below),
  };
  const seen: Seen = { pages: [], total: undefined };
  const place = await seek(seen, target, { read: (window) => read({ ...window, status }) });
  return place?.page ?? 1;
};

/**
 * Adds a response to the pages read. If `total` fell, orders were removed, perhaps below the pages read earlier, so the
 * `high` rank of these pages is lowered by the difference.
 * @returns undefined if the position of the response in the list is unknown
 */
export const addPage = (seen: Seen, list: OrderList, window: Window): SeenPage | undefined => {
  const total = totalOf(list);
  if (total === undefined || !isPlaced(list, window)) return undefined;
  const removed = Math.max(0, (seen.total ?? 0) - total);
  for (const page of seen.pages) page.high -= removed;
  seen.total = total;
  const high = total - startOf(window);
  const page = { orders: list.orders, high, low: high - list.orders.length + 1 };
  seen.pages = [...seen.pages.filter((other) => other.high !== high), page].sort((a, b) => b.high - a.high);
  return page;
};

/** Finds the pages next to the target among the pages read, by bisection. */
const nearestIn = ({ pages, total }: Seen, target: Target): Near => {
  let above: SeenPage | undefined;
  let below: SeenPage | undefined;
  let [from, to] = [0, pages.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const rest = pages.slice(middle, to);
    const page = rest.find((one) => sideOf(one, target, total) !== undefined);
    const side = page && sideOf(page, target, total);
    if (side !== undefined && side >= 0) above = page;
    if (side !== undefined && side <= 0) below = page;
    if (page && side === 1) from = pages.indexOf(page) + 1;
    else to = side === 0 ? from : middle;
  }
  const first = above ? pages.indexOf(above) + 1 : 0;
  return { above, below, blind: pages.slice(first, below && Math.max(first, pages.indexOf(below))) };
};

/**
 * @returns 1 for a page above the target, -1 below it, 0 for a page with orders on both sides; undefined if the page is
 * out of sequence
 */
const sideOf = (page: SeenPage, target: Target, total: number | undefined): 1 | 0 | -1 | undefined => {
  if (!isSorted(page.orders, target)) return undefined;
  const cut = cutOf(page.orders, target);
  const rest = page.orders.length - cut;
  // Above the first page, no page can show whether the first orders are out of sequence, so even one order above the
  // target is enough.
  const isTop = page.high === total && cut > 0;
  if ((cut >= minSide || isTop) && rest >= minSide) return 0;
  return cut > rest ? 1 : -1;
};

/** Whether most orders can be compared and are in sequence. */
const isSorted = (orders: readonly OrderSummary[], { side, isInOrder }: Target): boolean => {
  const comparable = orders.filter((order) => side(order) !== undefined);
  const inOrder = comparable.filter((order, index) => index > 0 && isInOrder(comparable[index - 1] ?? order, order));
  return 2 * comparable.length >= orders.length && 4 * inOrder.length >= 3 * (comparable.length - 1);
};

/**
 * Returns how many orders of a page are above the target. Cuts the page where the most orders are on the correct side.
 */
const cutOf = (orders: readonly OrderSummary[], { side }: Target): number => {
  const sides = orders.map((order) => side(order) ?? 0);
  let balance = 0;
  let best = { cut: 0, balance };
  for (const [index, one] of sides.entries()) {
    balance += one;
    if (balance > best.balance) best = { cut: index + 1, balance };
  }
  // If no order below the cut is known to be below the target, the whole page is above the target.
  return sides.slice(best.cut).some((one) => one < 0) ? best.cut : sides.length;
};

const pageOf = (rank: number, total: number): number => Math.max(1, Math.floor((total - rank) / fullPage) + 1);

/**
 * Returns the page in the middle of the widest gap between the pages read; undefined if no orders remain between these
 * pages.
 */
const nextWindow = ({ above, below, blind }: Near, total: number): Window | undefined => {
  let widest = { high: 0, low: 1 };
  let high = (above?.low ?? total + 1) - 1;
  for (const page of [...blind, below]) {
    const low = (page?.high ?? 0) + 1;
    if (high - low > widest.high - widest.low) widest = { high, low };
    high = (page?.low ?? 0) - 1;
  }
  if (widest.high < widest.low) return undefined;
  return { page: (pageOf(widest.high, total) + pageOf(widest.low, total)) >> 1, perPage: fullPage };
};

const placeIn = ({ above, below }: Near, target: Target, total: number, isExact: boolean): Place => {
  const ranked = [...new Set([above, below])].flatMap((page) =>
    page ? page.orders.map((order, index) => ({ order, rank: page.high - index })) : [],
  );
  const cut = cutOf(
    ranked.map(({ order }) => order),
    target,
  );
  const newer = ranked[cut - 1];
  return {
    newer: newer?.order,
    older: ranked[cut]?.order,
    page: newer ? pageOf(newer.rank, total) : 1,
    isExact,
  };
};
