import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { checkWhole } from '../base/check-whole.ts';
import { argumentError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order-list.ts';
import { orderNumberText } from '../model/order-number.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import type { ReadPage } from './walk-progress.ts';

export interface FindOptions extends CallOptions {
  /** Most list requests to spend, of 50 orders each. Default 10. */
  maxRequests?: number | undefined;
  /** The page, of 50 orders, to start from: `nextPage` of an earlier search. Default 1. */
  startPage?: number | undefined;
  /** Told after each page without the order how far the search has come. Must not throw. */
  onPage?: ((soFar: Readonly<FindResult>) => void) | undefined;
}

export interface FindResult {
  /** The order, or undefined when it is not among those looked at. */
  order: OrderSummary | undefined;
  /** Orders looked at, newest first, and list requests spent. */
  searched: number;
  requests: number;
  /** Orders in all, as the service counts them. */
  total: number | undefined;
  /** `created_at` of the oldest order looked at. */
  oldest: string | undefined;
  /** Where to go on (`startPage`), or undefined when the whole list was looked at. */
  nextPage: number | undefined;
}

/**
 * Looks for an order number among the newest orders; the API has no search, so it reads list pages (§4.2).
 * @throws `bad_request` for an empty order number; then what a call throws, with `page`
 */
export const findOrder = async (read: ReadPage, orderNumber: string, options: FindOptions): Promise<FindResult> => {
  const wanted = orderNumberText(orderNumber);
  if (wanted === '') throw argumentError('The order number is empty', 'Give one such as `B-2026-0042`.');
  const maxRequests = checkWhole('maxRequests', checkOptions(options).maxRequests ?? 10, Number.MAX_SAFE_INTEGER);
  const startPage = checkWhole('startPage', options.startPage ?? 1, Number.MAX_SAFE_INTEGER);
  const walk = plainWalk(read, { startPage, perPage: fullPage });
  const result: FindResult = {
    order: undefined,
    searched: 0,
    requests: 0,
    total: undefined,
    oldest: undefined,
    nextPage: startPage,
  };
  while (result.requests < maxRequests) {
    const step = await walk();
    if (!step) return { ...result, nextPage: undefined };
    result.searched += step.fresh.length;
    result.requests = step.requests;
    result.total = step.total;
    result.oldest = step.fresh.at(-1)?.created_at ?? result.oldest;
    result.nextPage = step.page < step.pages ? step.page + 1 : undefined;
    result.order = step.fresh.find(({ bestellnummer }) => orderNumberText(bestellnummer) === wanted);
    if (result.order || result.nextPage === undefined) return result;
    options.onPage?.({ ...result });
  }
  return result;
};
