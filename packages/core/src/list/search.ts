import { isRefusal } from '../call/refusal.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import { cutPage, type Target } from './page-cut.ts';
import { fullPage, isPlaced, type ReadPage, startOf, timeOf, type Window } from './window.ts';

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

/** What is known of the target's place. */
interface Bounds {
  above: SeenPage | undefined;
  below: SeenPage | undefined;
  /** A page with orders on both sides. */
  both: SeenPage | undefined;
  /** The rank to look at next: it decides whether a few orders at the end of a page are out of sequence. */
  doubt: number | undefined;
  /** Pages that cannot be compared with the target. */
  blind: SeenPage[];
}

/** Fewer orders of a page on one side of the target may be out of sequence. */
const minSide = 3;
/** Pages that may be out of sequence before a list counts as unsorted. */
const maxBlind = 3;
/** Requests beyond those of a bisection. */
const maxExtraRequests = 6;

/**
 * Finds a place in a sorted list that grows at its top, by bisection over pages of 50: at most ⌈log2 pages⌉ + 2
 * requests, and three more if orders are out of sequence. Uses what was read before first.
 * @param seen what was read so far; grows
 * @returns undefined if the list cannot be searched: it is not sorted as `target` compares, or the service does not
 * report which page it returned and how many orders there are
 */
export const seek = async (
  seen: Seen,
  target: Target,
  { read, isTopFresh = false, isFound = () => false }: SearchOptions,
): Promise<Place | undefined> => {
  const [top] = seen.pages;
  if (top && cutPage(top.orders, target) === undefined) return undefined;
  let bounds = boundsIn(seen, target);
  let hasTop = isTopFresh;
  let left: number | undefined;
  for (;;) {
    const total = seen.total ?? 0;
    const window = hasTop || bounds.above || bounds.both ? nextWindow(bounds, total) : { page: 1, perPage: fullPage };
    left ??= Math.ceil(Math.log2(total / fullPage + 1)) + maxExtraRequests;
    if (isFound() || !window || left === 0) return placeIn(bounds, target, total, window === undefined);
    const list = await read(window).catch((error: unknown) => {
      if (seen.total !== undefined && isRefusal(error)) return 'refused' as const;
      throw error;
    });
    if (!list) return placeIn(bounds, target, total, false);
    const page = list === 'refused' ? undefined : addPage(seen, list, window);
    if (!page) return undefined;
    const isTop = window.page === 1;
    const next = narrow(bounds, page, target, seen.total);
    if (next.blind.length > (isTop ? 0 : maxBlind)) return undefined;
    bounds = next;
    hasTop ||= isTop;
    left = total === 0 ? undefined : left - 1;
  }
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
  const index = seen.pages.findIndex((other) => other.high <= high);
  seen.pages.splice(index < 0 ? seen.pages.length : index, seen.pages[index]?.high === high ? 1 : 0, page);
  return page;
};

const noBounds: Bounds = { above: undefined, below: undefined, both: undefined, doubt: undefined, blind: [] };

/** What pages read before say about a target. */
const boundsIn = ({ pages, total }: Seen, target: Target): Bounds => {
  let bounds = noBounds;
  let [from, to] = [0, pages.length];
  while (from < to && !bounds.both) {
    const middle = (from + to) >> 1;
    const before = bounds;
    bounds = narrow(bounds, pages[middle] as SeenPage, target, total);
    if (bounds.above === before.above) to = middle;
    else from = middle + 1;
  }
  return { ...bounds, blind: [] };
};

const narrow = (bounds: Bounds, page: SeenPage, target: Target, total: number | undefined): Bounds => {
  const cut = cutPage(page.orders, target);
  if (cut === undefined) return { ...bounds, doubt: page.low - 1, blind: [...bounds.blind, page] };
  const rest = page.orders.length - cut;
  // Nothing above the top of the list can decide whether its first orders are out of sequence.
  const isTop = page.high === total && cut > 0;
  if ((cut >= minSide || isTop) && rest >= minSide) return { ...bounds, both: page };
  return cut > rest
    ? { ...bounds, above: page, doubt: rest > 0 ? page.low - 1 : undefined }
    : { ...bounds, below: page, doubt: cut > 0 ? page.high + 1 : undefined };
};

/** The page to read next; undefined if no order is left between the bounds. */
const nextWindow = ({ above, below, both, doubt, blind }: Bounds, total: number): Window | undefined => {
  if (both || !above) return undefined;
  let high = above.low - 1;
  let low = (below?.high ?? 0) + 1;
  for (const page of blind) if (page.high >= high && page.low <= high) high = page.low - 1;
  for (const page of blind.toReversed()) if (page.low <= low && page.high >= low) low = page.high + 1;
  if (low > high) return undefined;
  const pageOf = (rank: number): number => Math.floor((total - rank) / fullPage) + 1;
  const isDecisive = doubt !== undefined && doubt >= low && doubt <= high;
  const page = isDecisive ? pageOf(doubt) : (pageOf(high) + pageOf(low)) >> 1;
  return { page, perPage: fullPage };
};

const placeIn = ({ above, below, both }: Bounds, target: Target, total: number, isExact: boolean): Place => {
  const [first, second] = both ? [both, undefined] : [above, below];
  const firstOrders = first?.orders ?? [];
  const orders = [...firstOrders, ...(second?.orders ?? [])];
  const cut = cutPage(orders, target) ?? firstOrders.length;
  const rank =
    cut <= firstOrders.length ? (first?.high ?? 0) - cut + 1 : (second?.high ?? 0) - (cut - firstOrders.length) + 1;
  return {
    newer: orders[cut - 1],
    older: orders[cut],
    page: cut > 0 ? Math.max(1, Math.floor((total - rank) / fullPage) + 1) : 1,
    isExact,
  };
};
