import type { OrderSummary } from './answers.ts';
import { createTally, type ReadPage, type Tally, type Walk } from './tally.ts';
import { toldNumber } from './told-number.ts';

interface PlainWalkOptions {
  startPage: number;
  perPage: number;
  /** Which orders to give. */
  keep?: (order: OrderSummary) => boolean;
  tally?: Tally;
}

/**
 * Walks the whole list from page to page (§4.2.3). Nothing ever leaves that list, it only grows at its head: so no
 * order is lost, and one that was pushed to the next page is met there again and dropped.
 */
export const plainWalk = (
  read: ReadPage,
  { startPage, perPage, keep = () => true, tally = createTally() }: PlainWalkOptions,
): Walk => {
  let next: number | undefined = startPage;

  return async () => {
    if (next === undefined) return undefined;
    const page = next;
    const list = await read({ page, perPage, status: undefined, resumePage: page });
    const fresh = tally.fresh(list);
    // A service that answers a page past the end with another page would be asked for ever.
    const elsewhere = toldNumber(list.pagination.page, page) !== page;
    const ended = list.orders.length === 0 || page >= list.pagination.pages || (elsewhere && fresh.length === 0);
    next = ended ? undefined : page + 1;
    const repeated = elsewhere ? 0 : list.orders.length - fresh.length;
    const complete = ended && startPage === 1;
    return tally.step(list, fresh.filter(keep), page, { repeated, complete });
  };
};
