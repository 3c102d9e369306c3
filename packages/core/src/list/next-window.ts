import { estimateRank, extrapolateRank, type Scale } from './estimate-rank.ts';
import type { SeenOrder, Window } from './seen-orders.ts';

/** Largest page (§4.2), in orders. */
export const maxPerPage = 50;
/**
 * Smallest page size that a search requests: a smaller page, better centered on the target, can show more around it.
 */
const minPerPage = 20;

interface Bounds {
  /** Highest and lowest possible rank of the target. */
  high: number;
  low: number;
}

/**
 * Number of orders among which a target is certain to be found with `probes` more requests: one page around them, or
 * one in their middle that leaves half on either side.
 */
const reach = (probes: number): number => (probes <= 0 ? 0 : 70 * 2 ** (probes - 1) - 45);

/** Requests that bisection needs to find a target among `unknown` orders. */
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

export interface Guess {
  window: Window;
  /** The estimated rank of the target; undefined without a basis. */
  estimate: number | undefined;
}

/** What to read next. @param last the estimate before the last answer */
export const nextGuess = (scale: Scale | undefined, total: number, known: Known, last: number | undefined): Guess => {
  const { above, below, top, high, low } = known;
  const middle = (low + high) / 2;
  const gap = high - low;
  const read = (rank: number, margin: number): Window => windowAround(total, within(known, rank, margin), known);
  if (!scale || !above || !top) return { window: read(middle, 0), estimate: undefined };
  // An extrapolation can be far off, so it stays near the middle.
  if (!below) return { window: read(extrapolateRank(scale, top, above) ?? middle, 0.4 * gap), estimate: undefined };
  const estimate = estimateRank(scale, above, below);
  if (estimate === undefined) return { window: read(middle, 0), estimate };
  // Slightly past the estimate, and further past it if the last estimate was far off: if the target is before it, only
  // a small interval is left.
  const shift = last === undefined ? 0 : Math.abs(estimate - last) / 5;
  const past = Math.abs(middle - estimate) < shift ? middle : estimate + Math.sign(middle - estimate) * shift;
  return { window: read(past, Math.min(gap / 2, 0.1 * Math.sqrt(gap * maxPerPage))), estimate };
};

/** `rank`, moved away from both ends until bisection can search either side with the remaining requests. */
const within = ({ low, high, left }: Known, rank: number, margin: number): number => {
  const least = Math.max(low + margin, high - reach(left));
  const most = Math.min(high - margin, low + reach(left));
  return least > most ? (low + high) / 2 : Math.min(Math.max(rank, least), most);
};

/** The page of 20 to 50 orders whose middle is closest to `wanted`, or that shows everything left. */
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
