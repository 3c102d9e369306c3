import { isRefusal } from '../call/refusal.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import type { Scale } from './estimate-rank.ts';
import { maxPerPage, nextGuess, probesFor } from './next-window.ts';
import type { SeenOrder, SeenOrders, SeenPage, Side, Window } from './seen-orders.ts';

/** A sorted list that only grows needs no requests beyond the bound. */
const maxExtraRequests = 4;

/** A target in the list, which is sorted by date, newest first (§4.2). */
export interface SeekTarget {
  side: Side;
  scale?: Scale | undefined;
}

export interface SeekResult {
  /** The order itself, if the target is an order and was read. */
  hit: OrderSummary | undefined;
  /** The closest orders read above and below the target. */
  above: SeenOrder | undefined;
  below: SeenOrder | undefined;
  /** True if `hit` is set, or no order is between `above` and `below`; false if `read` ended the search. */
  isComplete: boolean;
}

/** Reads a page of the list; undefined ends the search. */
export type ReadWindow = (window: Window) => Promise<OrderList | undefined>;

/** Runs one step at a time if several searches share what was read. */
export type InTurn = <Result>(step: () => Promise<Result>) => Promise<Result>;

interface SeekOptions {
  read: ReadWindow;
  inTurn?: InTurn;
  /** True if the top of the list in `seen` need not be checked for newer orders. Default: false. */
  isTopFresh?: boolean;
}

/**
 * Finds a target in a sorted list that grows at its top, in at most ⌈log2 pages⌉ + 2 requests. Checks what was already
 * read first. Each guess is interpolated if `target` has a scale, and moved far enough toward the middle that the
 * search ends in time even if every later guess is a bisection.
 * @param seen what was read so far; searches that share it take turns
 * @returns undefined if the list cannot be searched this way: it is not sorted by what `target` compares, or the
 * service does not report which page it answers and how many orders there are, or refuses a page size
 */
export const seek = async (
  seen: SeenOrders,
  target: SeekTarget,
  { read, inTurn = (step) => step(), isTopFresh = false }: SeekOptions,
): Promise<SeekResult | undefined> => {
  const search = createSearch(seen, target, isTopFresh);
  for (;;) {
    const step = await inTurn(async (): Promise<{ result: SeekResult | undefined } | 'read'> => {
      const next = search.next();
      if (!next) return { result: undefined };
      if ('result' in next) return next;
      const list = await read(next.window).catch((error: unknown) => {
        if (seen.total !== undefined && isRefusal(error)) return 'refused' as const;
        throw error;
      });
      if (!list) return { result: search.soFar() };
      return list !== 'refused' && seen.add(list, next.window) ? 'read' : { result: undefined };
    });
    if (step !== 'read') return step.result;
  }
};

interface Search {
  /** @returns the window to read next, or the result; undefined if the list cannot be searched */
  next(): { window: Window } | { result: SeekResult } | undefined;
  /** The result if nothing more is read. */
  soFar(): SeekResult;
}

const createSearch = (seen: SeenOrders, { side, scale }: SeekTarget, isTopFresh: boolean): Search => {
  const start = seen.around(side);
  let above = start?.above;
  let below = start?.below;
  let hit = below && side(below.order) === 0 ? below.order : undefined;
  /** Pages processed. */
  let taken = seen.pages.length;
  /** Whether the top of the list was read since this search began. */
  let hasReadTop = isTopFresh;
  /** Requests left after the next one. */
  let left: number | undefined;
  let estimate: number | undefined;

  /** @returns false if the orders cannot be compared, or contradict each other */
  const take = ({ orders, isTop, isSorted }: SeenPage): boolean => {
    hasReadTop ||= isTop;
    for (const seenOrder of orders) {
      const { order, rank } = seenOrder;
      const where = side(order);
      if (where === 0) {
        hit = order;
        return true;
      }
      if (where === undefined || !isSorted) return false;
      if (where > 0 && (!above || rank < above.rank)) above = seenOrder;
      if (where < 0 && (!below || rank > below.rank)) below = seenOrder;
    }
    return !above || !below || above.rank > below.rank;
  };
  const soFar = (isComplete: boolean): SeekResult => ({ hit, above, below, isComplete });

  return {
    next() {
      if (!start) return undefined;
      for (const page of seen.pages.slice(taken)) if (!hit && !take(page)) return undefined;
      taken = seen.pages.length;
      const { total } = seen;
      if (hit || total === 0) return { result: soFar(true) };
      // Orders above everything read may have arrived since.
      if (total === undefined || (!above && !hasReadTop)) return { window: { page: 1, perPage: maxPerPage } };
      const bounds = { high: (above?.rank ?? total + 1) - 1, low: (below?.rank ?? 0) + 1 };
      const unknown = bounds.high - bounds.low + 1;
      if (unknown <= 0 || !above) return { result: soFar(true) };
      left = (left ?? probesFor(unknown) + 1) - 1;
      // If orders leave the list, ranks change and can lead back to the same page repeatedly.
      if (left < -maxExtraRequests) return undefined;
      const known = { top: seen.top, above, below, ...bounds, left };
      const guess = nextGuess(scale, total + seen.growth, known, estimate);
      estimate = guess.estimate;
      return { window: guess.window };
    },
    soFar: () => soFar(false),
  };
};
