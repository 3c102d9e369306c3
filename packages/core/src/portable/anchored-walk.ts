import type { OrderList } from './answers.ts';
import { isOrderLicenseError } from './errors.ts';
import type { StatusFilter } from './order-status.ts';
import { plainWalk } from './plain-walk.ts';
import { createTally, type ReadPage, type Walk } from './tally.ts';
import { toldNumber } from './told-number.ts';

const fullPage = 50;

interface AnchoredWalkOptions {
  status: StatusFilter;
  startPage: number;
  perPage: number;
}

/**
 * Walks a filtered list, which orders leave from its middle: what follows moves up, and a walk from page to page would
 * step over it. So each window starts at or before the last order met. An answer that holds an order met before, or
 * the head of the list, is *anchored*: all that follows the anchor in it is what follows it in the list. One that is
 * not is dropped, and the walk steps back until it is anchored again.
 */
export const anchoredWalk = (read: ReadPage, { status, startPage, perPage }: AnchoredWalkOptions): Walk => {
  const tally = createTally();
  let reached = (startPage - 1) * fullPage;
  let started = false;
  let ended = false;
  let unfiltered: Walk | undefined;
  /** Walks the whole list, which no order leaves, and filters here. */
  const walkUnfiltered = (): Walk =>
    plainWalk(read, { startPage: 1, perPage: fullPage, keep: (order) => order.status === status, tally });

  return async () => {
    if (unfiltered) return unfiltered();
    if (ended) return undefined;
    const window = started ? widestWindow(reached) : { page: startPage, perPage };
    const resumePage = Math.floor(reached / fullPage) + 1;
    const list = await readOrPastEnd(read, { ...window, status, resumePage });

    const page = toldNumber(list.pagination.page, window.page);
    const perPageTold = toldNumber(list.pagination.per_page, window.perPage);
    const isPlace = Number.isSafeInteger(page) && page >= 1 && page <= window.page;
    if (perPageTold !== window.perPage || !isPlace) {
      // Windows cannot be placed when the service chooses their size, or counts otherwise.
      unfiltered = walkUnfiltered();
      return tally.step(list, [], resumePage);
    }
    const start = (page - 1) * window.perPage;
    if (started && start > 0 && !tally.knows(list)) {
      reached = start;
      return tally.step(list, [], resumePage, { stepsBack: 1 });
    }
    started = true;
    const fresh = tally.fresh(list);
    const before = reached;
    reached = start + list.orders.length;
    ended = list.orders.length < window.perPage || window.page >= list.pagination.pages;
    // A service that always names the same place would be asked for the same window for ever.
    if (!ended && fresh.length === 0 && reached <= before) unfiltered = walkUnfiltered();
    return tally.step(list, fresh, resumePage);
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

/** The list may have become shorter than the window's place; some services answer that with 404 or 400. */
const readOrPastEnd = async (read: ReadPage, query: Parameters<ReadPage>[0]): Promise<OrderList> => {
  try {
    return await read(query);
  } catch (error) {
    const pastEnd = isOrderLicenseError(error) && (error.status === 404 || error.status === 400);
    if (!pastEnd || query.page === 1) throw error;
    const { page, perPage } = query;
    return { orders: [], pagination: { page, per_page: perPage, pages: 0 } as OrderList['pagination'] };
  }
};
