import { isRefusal } from '../call/refusal.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import { anchoredWalk } from './anchored-walk.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { type SeekTarget, seek } from './seek.ts';
import { createSeenOrders } from './seen-orders.ts';
import { createWalkProgress, type ReadPage, type Walk } from './walk-progress.ts';

interface RangedWalkOptions {
  /** Where the walk begins: below all newer orders. */
  at: Date;
  isNewer(order: OrderSummary): boolean;
  /** The service's filter; undefined for the whole list. */
  status: StatusFilter | undefined;
  /** Which orders to return. */
  keep(order: OrderSummary): boolean;
}

/** Days differ, so a page says little about another day. Found by simulation. */
const steadyMs = 9 * 3_600_000;

/** Orders that leave a filtered list can mislead a search: it is then repeated once. */
const maxSearches = 2;

/**
 * Walks the list from a date downwards. The walk begins on a page that contains a newer order, or on page 1: arriving
 * orders only push others down, so nothing is skipped. Orders also leave a filtered list, so the first page of the walk
 * itself has to contain a newer order; otherwise the walk steps back, each time twice as far.
 */
export const rangedWalk = (read: ReadPage, options: RangedWalkOptions): Walk => {
  const { status, keep } = options;
  let requests = 0;
  let walk: Walk | undefined;

  const begin = async (): Promise<Walk> => {
    const startPage = await findStartPage(countRequests(read), options);
    const make = (page: number): Walk =>
      status
        ? anchoredWalk(read, { status, startPage: page, perPage: fullPage, requestsBefore: requests })
        : plainWalk(read, { startPage: page, perPage: fullPage, keep, progress: createWalkProgress(requests) });
    return status ? provenWalk(make, startPage, options.isNewer, (sent) => (requests = sent)) : make(startPage);
  };
  const countRequests =
    (read: ReadPage): ReadPage =>
    (query) => {
      requests += 1;
      return read(query);
    };

  return async () => {
    walk ??= await begin();
    return walk();
  };
};

/** A page of 50 that contains a newer order, or page 1 if the list cannot be searched. */
const findStartPage = async (read: ReadPage, { at, isNewer, status }: RangedWalkOptions): Promise<number> => {
  const time = (order: OrderSummary): number | undefined => toDate(order.created_at)?.getTime();
  for (let search = 0; search < (status ? maxSearches : 1); search++) {
    const seen = createSeenOrders((above, below) => Number(time(above)) >= Number(time(below)));
    const target: SeekTarget = {
      side: (order) => (time(order) === undefined ? undefined : isNewer(order) ? 1 : -1),
      scale: { of: time, at: at.getTime(), steady: steadyMs },
    };
    const found = await seek(seen, target, { read: (window) => read({ ...window, status, resumePage: 1 }) });
    if (found) return found.above ? Math.floor(((seen.total ?? 0) - found.above.rank) / fullPage) + 1 : 1;
  }
  return 1;
};

const provenWalk = (
  make: (startPage: number) => Walk,
  startPage: number,
  isNewer: (order: OrderSummary) => boolean,
  onRequests: (requests: number) => void,
): Walk => {
  let page = startPage;
  let back = 1;
  let proven = false;
  let walk = make(page);
  return async () => {
    for (;;) {
      if (proven || page === 1) return walk();
      const step = await walk().catch((error: unknown) => {
        if (isRefusal(error)) return undefined;
        throw error;
      });
      proven = step?.answered.some(isNewer) ?? false;
      if (proven) return step;
      if (step) onRequests(step.requests);
      page = Math.max(1, page - back);
      back *= 2;
      walk = make(page);
    }
  };
};
