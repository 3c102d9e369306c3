import type { OrderSummary } from '../model/order-list.ts';
import type { SeenOrder, Window } from './seen-orders.ts';

/** Largest page (§4.2), in orders. */
export const maxPerPage = 50;
/** Smallest page that a search asks for: one that lies better around a place shows more than a larger one. */
const minPerPage = 20;

/** A scale that falls from the top of the list to its end, and the place on it: guides the next guess. */
export interface Scale {
  of(order: OrderSummary): number | undefined;
  at: number;
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
export const probesFor = (unknown: number): number =>
  Math.max(0, Math.ceil(Math.log2((unknown + maxPerPage) / maxPerPage)));

export interface Known extends Bounds {
  /** The highest order read, from which the first guess extrapolates. */
  top: SeenOrder | undefined;
  above: SeenOrder | undefined;
  below: SeenOrder | undefined;
  /** Requests left after this one. */
  left: number;
}

/** The window to read next. */
export const nextWindow = (scale: Scale | undefined, total: number, known: Known): Window =>
  windowAround(total, guess(scale, known), known);

/** The rank to look at next. */
const guess = (scale: Scale | undefined, { top, above, below, high, low, left }: Known): number => {
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
