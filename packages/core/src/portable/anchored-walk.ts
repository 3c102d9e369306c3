import type { OrderList } from './answers.ts';
import { isOrderLicenseError } from './errors.ts';
import type { StatusFilter } from './order-status.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { createTally, type ReadPage, type Walk } from './tally.ts';
import { toldNumber } from './told-number.ts';

interface AnchoredWalkOptions {
  status: StatusFilter;
  startPage: number;
  perPage: number;
}

/** Answers in a row without news: more than there are when the list merely moves. */
const mostIdle = 5;

/**
 * Walks a filtered list, which orders leave from its middle: what follows moves up, and a walk from page to page would
 * step over it. So each window starts at or before the last order met. An answer that holds an order met before, or
 * the head of the list, is *anchored*: all that follows the anchor in it is what follows it in the list. One that is
 * not is dropped, and the walk steps back until it is anchored again. Where windows cannot be placed, it walks the
 * whole list instead.
 */
export const anchoredWalk = (read: ReadPage, { status, startPage, perPage }: AnchoredWalkOptions): Walk => {
  const tally = createTally();
  // What was given may since have left the filter, so no page but the first is one to start anew from.
  const resumePage = 1;
  let reached = (startPage - 1) * fullPage;
  let started = false;
  let ended = false;
  let idle = 0;
  let unfiltered: Walk | undefined;
  /** Walks the whole list, which no order leaves, and filters here. */
  const walkUnfiltered = (requestsBefore: number): Walk =>
    plainWalk(read, {
      startPage: 1,
      perPage: fullPage,
      resumePage,
      keep: (order) => order.status === status && !tally.knows(order),
      tally: createTally(requestsBefore),
    });

  return async () => {
    if (unfiltered) return unfiltered();
    if (ended) return undefined;
    const window = started ? widestWindow(reached) : { page: startPage, perPage };
    const reachedPage = Math.floor(reached / fullPage) + 1;
    let list: OrderList;
    try {
      list = await read({ ...window, status, resumePage });
    } catch (error) {
      // A place that the list no longer has, a page size that the service does not like, or a fault that will show.
      if (!started || !isRefusal(error)) throw error;
      unfiltered = walkUnfiltered(tally.requests + 1);
      return unfiltered();
    }

    const { orders, pagination } = list;
    const page = toldNumber(pagination.page, window.page);
    const isPlace = Number.isSafeInteger(page) && page >= 1 && page <= window.page;
    const isLast = page >= pagination.pages || orders.length === 0;
    const isWhole = toldNumber(pagination.per_page, window.perPage) === window.perPage;
    if (!isPlace || !isWhole || (!isLast && orders.length !== window.perPage)) {
      // The service chooses the size of its pages, leaves rows out, or counts otherwise.
      const step = tally.step(list, undefined, reachedPage);
      unfiltered = walkUnfiltered(tally.requests);
      return step;
    }
    const start = (page - 1) * window.perPage;
    const anchored = !started || start === 0 || orders.some(tally.knows);
    const fresh = anchored ? tally.fresh(list) : undefined;
    reached = anchored ? start + orders.length : start;
    started = true;
    ended = anchored && isLast;
    idle = fresh?.length ? 0 : idle + 1;
    const step = tally.step(list, fresh, reachedPage, { stepsBack: anchored ? 0 : 1 });
    // A service that always names the same place would be asked for the same window for ever.
    if (!ended && idle > mostIdle) unfiltered = walkUnfiltered(tally.requests);
    return step;
  };
};

const isRefusal = (error: unknown): boolean =>
  isOrderLicenseError(error) && (error.status === 404 || error.status === 400);

/** Of all pages that hold the order at place `reached` (counted from 1), the one that reaches furthest. */
const widestWindow = (reached: number): { page: number; perPage: number } => {
  let best = { page: 1, perPage: fullPage };
  for (let perPage = fullPage; perPage >= 1 && reached > 0; perPage--) {
    const page = Math.floor((reached - 1) / perPage) + 1;
    if (page * perPage > best.page * best.perPage) best = { page, perPage };
  }
  return best;
};
