import type { OrderList } from '../model/order-list.ts';
import type { StatusFilter } from '../model/order-status.ts';
import { isRefusal } from '../wire/refusal.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { readCount } from './read-count.ts';
import { createWalkProgress, type ReadPage, type Walk } from './walk-progress.ts';

interface AnchoredWalkOptions {
  status: StatusFilter;
  startPage: number;
  perPage: number;
  /** Sent by a search for `startPage`. */
  requestsBefore?: number;
}

/** What setbacks weigh: orders may have left, or the service does not have the place that it was asked for. */
const [moved, unplaced] = [1, 2];
/** More weight than this, without a new order in between, is not explained by a list that merely moves. */
const maxSetbacks = 5;

/**
 * Walks a filtered list, which orders leave from its middle: what follows moves up, and a walk from page to page would
 * step over it. So each window starts at or before the last order met. An answer that holds an order met before, or
 * the head of the list, is *anchored*: all that follows the anchor in it is what follows it in the list. One that is
 * not is dropped, and the walk steps back, each time twice as far, until it is anchored again: at page 1 at the latest.
 * Where that does not help, it starts again at page 1. Only where windows cannot be placed at all does it walk the
 * whole list, which no order leaves.
 */
export const anchoredWalk = (
  read: ReadPage,
  { status, startPage, perPage, requestsBefore }: AnchoredWalkOptions,
): Walk => {
  const progress = createWalkProgress(requestsBefore);
  // What was given may since have left the filter, so no page but the first is one to start again from.
  const resumePage = 1;
  const skipped = (startPage - 1) * fullPage;
  /** The place of the last order met, counted from 1, as far as the walk knows. */
  let reached = skipped;
  let started = false;
  let ended = false;
  /** How far the next step back goes; undefined while the walk goes forward. */
  let stride: number | undefined;
  let setbacks = 0;
  /** Whether page 1 was read since the last new order. */
  let atHead = false;
  let unfiltered: Walk | undefined;

  /** Walks the whole list and filters here. */
  const walkUnfiltered = (): Walk =>
    plainWalk(read, {
      startPage: 1,
      perPage: fullPage,
      resumePage,
      keep: (order) => order.status === status && !progress.knows(order),
      progress: createWalkProgress(progress.requests),
    });

  /** Goes on elsewhere once there were too many setbacks. */
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

  /** @param start orders before the window that could not be used */
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
        // A place that the list no longer has, or a page size that the service does not take.
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
        // The service chooses the size of its pages, leaves rows out, counts otherwise, or counted before orders left.
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
        // The same window again and again, or more places than orders: the service names places that are not so.
        if (!ended && reached <= before) countSetback(unplaced);
        else if (!ended && reached > skipped + progress.met) countSetback(moved);
      }
      return progress.step(list, fresh, reachedPage);
    }
  };
};

/** Of all pages that hold the order at place `reached` (counted from 1), the one that reaches furthest. */
const widestWindow = (reached: number): { page: number; perPage: number } => {
  let best = { page: 1, perPage: fullPage };
  for (let perPage = fullPage; perPage >= 1 && reached > 0; perPage--) {
    const page = Math.floor((reached - 1) / perPage) + 1;
    if (page * perPage > best.page * best.perPage) best = { page, perPage };
  }
  return best;
};
