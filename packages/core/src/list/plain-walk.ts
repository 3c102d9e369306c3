import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order.ts';
import { readCount } from './read-count.ts';
import { createWalkProgress, type ReadPage, type Walk, type WalkProgress } from './walk-progress.ts';

/** Maximum orders per page (§8), and the page size by which walks count. */
export const fullPage = 50;

interface PlainWalkOptions {
  startPage: number;
  perPage: number;
  /** The `page` of errors. @default the page of 50 that the walk has reached */
  resumePage?: number;
  /** Which orders to return. */
  keep?: (order: OrderSummary) => boolean;
  progress?: WalkProgress;
}

/** More pages than new orders can fill between two reads of the list. */
const maxPutIn = 20;

/**
 * Walks the whole list page by page (§4.2.3). That list only grows at its head and no order leaves it: so none is lost,
 * and an order pushed to the next page is read again there and dropped.
 */
export const plainWalk = (
  read: ReadPage,
  { startPage, perPage, resumePage, keep = () => true, progress = createWalkProgress() }: PlainWalkOptions,
): Walk => {
  let next: number | undefined = startPage;
  let withNews = 0;
  /** Consecutive pages without a new order. */
  let again = 0;

  return async () => {
    if (next === undefined) return undefined;
    const page = next;
    const reachedPage = Math.floor(((page - 1) * perPage) / fullPage) + 1;
    const list = await read({ page, perPage, status: undefined, resumePage: resumePage ?? reachedPage });
    const fresh = progress.fresh(list);
    // Otherwise a service that answers a page past the end with another page would be queried forever.
    const elsewhere = readCount(list.pagination.page, page) !== page;
    const ended = list.orders.length === 0 || page >= list.pagination.pages || (elsewhere && fresh.length === 0);
    if (fresh.length > 0) withNews += 1;
    again = fresh.length > 0 ? 0 : again + 1;
    // After a pause, all orders already read may repeat; they fill as many pages as before.
    if (!ended && again >= withNews + maxPutIn) {
      again = 0;
      throw endless(resumePage ?? reachedPage);
    }
    next = ended ? undefined : page + 1;
    const repeated = elsewhere ? 0 : list.orders.length - fresh.length;
    const complete = ended && startPage === 1;
    return progress.step(list, fresh.filter(keep), reachedPage, { repeated, complete });
  };
};

const endless = (page: number): OrderLicenseError => {
  const error = new OrderLicenseError('invalid_response', {
    detail: 'Pages repeat without new orders',
    advice: 'Set a limit and contact the API provider.',
    reason: 'endless_list',
  });
  error.page = page;
  return error;
};
