import type { OrderList, OrderSummary } from '../model/order-list.ts';
import { isRefusal } from './refusal.ts';

/** Largest page (§4.2), in orders. */
const maxPerPage = 50;
/** Smallest page that a search asks for: one that lies better around a place shows more than a larger one. */
const minPerPage = 20;

/** A list that is sorted and only grows needs none of these beyond the bound. */
const maxExtraRequests = 4;

/** A place in the list, which is sorted by date, newest first (§4.2). */
export interface SeekTarget {
  /**
   * Where an order stands: 1 above the place, -1 below it, 0 it is the order looked for; undefined if the order cannot
   * be compared.
   */
  side(order: OrderSummary): 1 | 0 | -1 | undefined;
  /** False for two orders next to each other in an answer that show that the list is not sorted so. */
  isInOrder(above: OrderSummary, below: OrderSummary): boolean;
  /** The order on a scale that falls from the top of the list to its end, and the place on it: guides the next guess. */
  scale?: { of(order: OrderSummary): number | undefined; at: number } | undefined;
}

/** What one answer shows, at ranks counted from the end of the list, which new orders at its top do not change. */
export interface SeenPage {
  list: OrderList;
  /** Rank of the first order of the answer; the last order of the list has rank 1. */
  topRank: number;
}

export interface SeekResult {
  /** The order looked for, if the place is that of an order and it was met. */
  hit: OrderSummary | undefined;
  /** The closest orders met above and below the place. */
  above: SeenOrder | undefined;
  below: SeenOrder | undefined;
  /** True if `hit` is set, or nothing stands between `above` and `below`; false if `read` ended the search. */
  isComplete: boolean;
  /** List requests sent. */
  requests: number;
}

export interface SeenOrder {
  order: OrderSummary;
  rank: number;
}

/** Reads a page of the list; undefined ends the search. */
export type ReadWindow = (query: { page: number; perPage: number }) => Promise<OrderList | undefined>;

export interface Seeker {
  /** Pages read so far, by any search. */
  readonly seen: readonly SeenPage[];
  /** Orders in the list, by the newest answer. */
  readonly total: number | undefined;
  /**
   * Finds a place in at most ⌈log2 pages⌉ + 2 requests. Pages that were read before are looked at first.
   * @returns undefined if the list cannot be searched this way: it is not sorted by what `target` compares, or the
   *   service does not say which page it answers and how many orders there are, or refuses a page size
   */
  seek(target: SeekTarget): Promise<SeekResult | undefined>;
}

/**
 * Searches a sorted list that grows at its top. Ranks count from the end, so they stay while orders arrive. Each guess
 * is interpolated where `target` has a scale, and moved so far towards the middle that the search ends in time even
 * if every later guess is a bisection.
 */
export const createSeeker = (read: ReadWindow): Seeker => {
  const seen: SeenPage[] = [];
  let total: number | undefined;
  /** Orders that arrived between the last two answers. */
  let growth = 0;

  /** @returns undefined for an answer that cannot be placed in the list */
  const place = (list: OrderList, { page, perPage }: Window): SeenPage | undefined => {
    const { pagination, orders } = list;
    const count = pagination.total;
    const before = (page - 1) * perPage;
    const isWhole = orders.length === Math.max(0, Math.min(perPage, count - before));
    if (!Number.isSafeInteger(count) || pagination.page !== page || !isWhole) return undefined;
    growth = total === undefined ? 0 : Math.max(0, count - total);
    total = count;
    const seenPage = { list, topRank: count - before };
    seen.push(seenPage);
    return seenPage;
  };

  const seek = async (target: SeekTarget): Promise<SeekResult | undefined> => {
    let above: SeenOrder | undefined;
    let below: SeenOrder | undefined;
    let hit: OrderSummary | undefined;
    let requests = 0;

    /** @returns false if the orders cannot be compared, or contradict each other */
    const take = ({ list, topRank }: SeenPage): boolean => {
      let previous: OrderSummary | undefined;
      for (const [index, order] of list.orders.entries()) {
        const side = target.side(order);
        const rank = topRank - index;
        if (side === 0) {
          hit = order;
          return true;
        }
        if (side === undefined || (previous && !target.isInOrder(previous, order))) return false;
        previous = order;
        if (side > 0 && (!above || rank < above.rank)) above = { order, rank };
        if (side < 0 && (!below || rank > below.rank)) below = { order, rank };
      }
      return !above || !below || above.rank > below.rank;
    };
    /** Page 1 is read first. */
    const topSeen = (): SeenOrder | undefined => {
      const [first] = seen;
      const [order] = first?.list.orders ?? [];
      return first && order && { order, rank: first.topRank };
    };
    const gap = () => (above?.rank ?? (total ?? 0) + 1) - (below?.rank ?? 0) - 1;

    for (const page of seen) if (!hit && !take(page)) return undefined;
    let left: number | undefined;
    while (!hit && (seen.length === 0 || gap() > 0)) {
      const bounds = { high: (above?.rank ?? (total ?? 0) + 1) - 1, low: (below?.rank ?? 0) + 1 };
      let window: Window = { page: 1, perPage: maxPerPage };
      if (seen.length > 0) {
        left = (left ?? probesFor(gap()) + 1) - 1;
        // Ranks that do not stay, since orders leave the list, can lead back to the same page again and again.
        if (left < -maxExtraRequests) return undefined;
        const wanted = guess(target, { top: topSeen(), above, below, ...bounds, left });
        window = windowAround((total ?? 0) + growth, wanted, bounds);
      }
      const list = await read(window).catch((error: unknown) => {
        if (seen.length > 0 && isRefusal(error)) return 'refused' as const;
        throw error;
      });
      if (!list) return { hit, above, below, isComplete: false, requests };
      requests += 1;
      const page = list !== 'refused' && place(list, window);
      if (!page || !take(page)) return undefined;
    }
    return { hit, above, below, isComplete: true, requests };
  };
  return {
    seen,
    get total() {
      return total;
    },
    seek,
  };
};

interface Window {
  page: number;
  perPage: number;
}

interface Bounds {
  /** Highest and lowest rank at which the place may be. */
  high: number;
  low: number;
}

/**
 * Orders among which a place is surely found with `probes` more requests: one page that lies around them, or one in
 * their middle that leaves half on either side.
 */
const reach = (probes: number): number => (probes <= 0 ? 0 : 70 * 2 ** (probes - 1) - 45);

/** Requests by which bisection finds a place among `unknown` orders. */
const probesFor = (unknown: number): number => Math.max(0, Math.ceil(Math.log2((unknown + maxPerPage) / maxPerPage)));

interface Guess extends Bounds {
  /** The first order of page 1, from which the first guess extrapolates. */
  top: SeenOrder | undefined;
  above: SeenOrder | undefined;
  below: SeenOrder | undefined;
  /** Requests left after this one. */
  left: number;
}

/** The rank to look at next. */
const guess = ({ scale }: SeekTarget, { top, above, below, high, low, left }: Guess): number => {
  const middle = (low + high) / 2;
  if (!scale || !above) return middle;
  const known = below ?? top;
  const from = scale.of(above.order);
  const other = known && scale.of(known.order);
  if (known === undefined || from === undefined || other === undefined || from === other) return middle;
  const gap = high - low;
  const perUnit = (above.rank - known.rank) / (from - other);
  if (!(perUnit > 0)) return middle;
  const interpolated = above.rank - (from - scale.at) * perUnit;
  // An interpolated guess keeps so far from either end that it is likely to leave a small gap. An extrapolated one can
  // be far off, so it stays near the middle.
  const margin = below ? Math.min(gap / 2, 0.2 * Math.sqrt(gap * maxPerPage)) : 0.4 * gap;
  // Either side has to stay small enough for bisection with the requests that are left.
  const least = Math.max(low + margin, high - reach(left));
  const most = Math.min(high - margin, low + reach(left));
  return least > most ? middle : Math.min(Math.max(interpolated, least), most);
};

/** Of the pages of 20 to 50 orders, the one whose middle lies closest to `wanted`, or that shows all that is left. */
const windowAround = (total: number, wanted: number, { high, low }: Bounds): Window => {
  let best: (Window & { miss: number }) | undefined;
  const [first, last] = [total - high, total - low];
  for (let perPage = maxPerPage; perPage >= minPerPage; perPage--) {
    const page = Math.floor((total - wanted) / perPage) + 1;
    for (const candidate of [page - 1, page, page + 1]) {
      if (candidate < 1) continue;
      const start = (candidate - 1) * perPage;
      const end = start + perPage - 1;
      const isAll = start <= first && end >= last;
      const miss = isAll ? 0 : Math.abs((start + end) / 2 - (total - wanted)) + (maxPerPage - perPage) / 2 + 1;
      if (!best || miss < best.miss) best = { page: candidate, perPage, miss };
    }
  }
  return { page: best?.page ?? 1, perPage: best?.perPage ?? maxPerPage };
};
