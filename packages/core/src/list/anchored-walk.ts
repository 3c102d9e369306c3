import { isRefusal } from '../call/refusal.ts';
import type { OrderList, StatusFilter } from '../model/order.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { readCount } from './read-count.ts';
import { createWalkProgress, type ReadPage, type Walk } from './walk-progress.ts';

interface AnchoredWalkOptions {
  status: StatusFilter;
  startPage: number;
  perPage: number;
  /** Requests sent by a search for `startPage`. */
  requestsBefore?: number;
}

/** Weights of setbacks: orders may have left, or the service lacks the requested position. */
const [moved, unplaced] = [1, 2];
/** A list that merely moves cannot cause more weight than this without a new order in between. */
const maxSetbacks = 5;

/**
 * Walks a filtered list. Orders leave it from the middle and the rest moves up, so a walk from page to page would skip
 * some. So each window starts at or before the last order read. An answer that contains an order read before, or the
 * head of the list, is *anchored*: what follows the anchor in the answer also follows it in the list. An unanchored
 * answer is dropped, and the walk steps back, each time twice as far, until an answer is anchored, at page 1 at the
 * latest. If that fails, the walk restarts at page 1. If windows cannot be positioned at all, it reads the unfiltered
 * list, which no order leaves.
 */
export const anchoredWalk = (
  read: ReadPage,
  { status, startPage, perPage, requestsBefore }: AnchoredWalkOptions,
): Walk => {
  const progress = createWalkProgress(requestsBefore);
  // Returned orders may since have left the filter, so only page 1 is a safe restart.
  const resumePage = 1;
  const skipped = (startPage - 1) * fullPage;
  /** The position of the last order read, counted from 1, as far as the walk knows. */
  let reached = skipped;
  let started = false;
  let ended = false;
  /** Distance of the next step back; undefined while the walk moves forward. */
  let stride: number | undefined;
  let setbacks = 0;
  /** Whether page 1 was read since the last new order. */
  let atHead = false;
  let unfiltered: Walk | undefined;

  /** Walks the whole list and filters locally. */
  const walkUnfiltered = (): Walk =>
    plainWalk(read, {
      startPage: 1,
      perPage: fullPage,
      resumePage,
      keep: (order) => order.status === status && !progress.knows(order),
      progress: createWalkProgress(progress.requests),
    });

  /** Switches strategy after too many setbacks. */
  const countSetback = (weight: number): void => {
    setbacks += weight;
    if (setbacks <= maxSetbacks) return;
    if (atHead) {
      unfiltered = walkUnfiltered();
      return;
    }
    setbacks = 0;
    stride = undefined;
    reached = 0;
  };

  /** @param start number of orders before the unusable window */
  const stepBack = (start: number, weight: number): void => {
    const isFirst = stride === undefined;
    reached = Math.max(0, start - (stride ?? 0));
    stride = Math.max(fullPage, 2 * (stride ?? 0));
    if (isFirst) countSetback(weight);
  };

  return async () => {
    for (;;) {
      if (unfiltered) return unfiltered();
      if (ended) return undefined;
      const window = started ? widestWindow(reached) : { page: startPage, perPage };
      const askedStart = (window.page - 1) * window.perPage;
      const reachedPage = Math.floor(reached / fullPage) + 1;
      let list: OrderList;
      try {
        list = await read({ ...window, status, resumePage });
      } catch (error) {
        // The list no longer has this position, or the service does not accept the page size.
        if (!started || askedStart === 0 || !isRefusal(error)) throw error;
        progress.refused();
        stepBack(askedStart, unplaced);
        continue;
      }

      const { orders, pagination } = list;
      const page = readCount(pagination.page, window.page);
      const isPlace = Number.isSafeInteger(page) && page >= 1 && page <= window.page;
      const isLast = page >= pagination.pages || orders.length === 0;
      const isWhole = readCount(pagination.per_page, window.perPage) === window.perPage;
      if (!isPlace || !isWhole || (!isLast && orders.length !== window.perPage)) {
        // The service chooses its own page size, omits rows, counts differently, or counted before orders left.
        const step = progress.step(list, undefined, reachedPage);
        if (!started) unfiltered = walkUnfiltered();
        else if (askedStart > 0) stepBack(askedStart, unplaced);
        else {
          atHead = true;
          stride = undefined;
          countSetback(unplaced);
        }
        return step;
      }
      const start = (page - 1) * window.perPage;
      const anchored = !started || start === 0 || orders.some(progress.knows);
      started = true;
      if (!anchored) {
        stepBack(start, moved);
        return progress.step(list, undefined, reachedPage, { stepsBack: 1 });
      }

      const fresh = progress.fresh(list);
      const before = stride === undefined ? reached : Number.NEGATIVE_INFINITY;
      stride = undefined;
      reached = start + orders.length;
      ended = isLast;
      if (fresh.length > 0) {
        setbacks = 0;
        atHead = false;
      } else {
        atHead ||= start === 0;
        // The same window repeatedly, or more positions than orders: the service reports wrong positions.
        if (!ended && reached <= before) countSetback(unplaced);
        else if (!ended && reached > skipped + progress.met) countSetback(moved);
      }
      return progress.step(list, fresh, reachedPage);
    }
  };
};

/** Of all pages that contain the order at position `reached` (counted from 1), the one that extends furthest. */
const widestWindow = (reached: number): { page: number; perPage: number } => {
  let best = { page: 1, perPage: fullPage };
  for (let perPage = fullPage; perPage >= 1 && reached > 0; perPage--) {
    const page = Math.floor((reached - 1) / perPage) + 1;
    if (page * perPage > best.page * best.perPage) best = { page, perPage };
  }
  return best;
};
