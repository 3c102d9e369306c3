import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { checkWhole } from '../base/check-whole.ts';
import { argumentError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order-list.ts';
import { compareOrderNumbers, orderNumberText } from '../model/order-number.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { createSeeker, type Seeker } from './seek.ts';
import { createWalkProgress, type ReadPage } from './walk-progress.ts';

export interface FindOptions extends CallOptions {
  /** Most list requests to spend. Default 14, with which an order among 100,000 is found. */
  maxRequests?: number | undefined;
  /** Looks page by page, 50 orders each, from this page on: `nextPage` of an earlier search. */
  startPage?: number | undefined;
  /** Called after each answer without the order, with how far the search has come. Must not throw. */
  onPage?: ((soFar: Readonly<FindResult>) => void) | undefined;
}

export interface FindResult {
  /** The order, or undefined if it is not among those looked at. */
  order: OrderSummary | undefined;
  /**
   * The closest orders met above and below the place of the number: set after a search by number without a hit. Undefined
   * on a side where the list ends. The order can still stand elsewhere: look page by page with `startPage`.
   */
  between?: { above: OrderSummary | undefined; below: OrderSummary | undefined } | undefined;
  /** Orders looked at, and list requests spent. */
  searched: number;
  requests: number;
  /** Orders in all, as the service counts them. */
  total: number | undefined;
  /** `created_at` of the oldest order looked at. */
  oldest: string | undefined;
  /** Where to go on page by page (`startPage`), or undefined if the whole list was looked at. */
  nextPage: number | undefined;
}

/**
 * Finds an order by its number. The API has no search, but the list is sorted by date, and so are the numbers as a rule:
 * at most ⌈log2 pages⌉ + 2 list requests (§4.2). Where the numbers are in no order it looks page by page.
 * @throws `bad_request` for an empty order number; then what a call throws, with `page`
 */
export const findOrder = async (read: ReadPage, orderNumber: string, options: FindOptions): Promise<FindResult> => {
  const wanted = orderNumberText(orderNumber);
  if (wanted === '') throw argumentError('The order number is empty', 'Give one such as `B-2026-0042`.');
  const maxRequests = checkWhole('maxRequests', checkOptions(options).maxRequests ?? 14, Number.MAX_SAFE_INTEGER);
  if (options.startPage !== undefined) {
    const startPage = checkWhole('startPage', options.startPage, Number.MAX_SAFE_INTEGER);
    return searchPages(read, wanted, { ...options, startPage, maxRequests });
  }
  const first = await read({ page: 1, perPage: fullPage, status: undefined, resumePage: 1 });
  const readRest: ReadPage = async (query) => (query.page === 1 && query.perPage === fullPage ? first : read(query));
  let requests = 1;
  if (first.pagination.pages > maxPagesToRead && /\d/.test(wanted)) {
    const sought = await seekNumber(readRest, wanted, { ...options, maxRequests });
    if (sought.isDone) return sought.result;
    requests = sought.result.requests;
  }
  return searchPages(readRest, wanted, { ...options, startPage: 1, maxRequests, requests: requests - 1 });
};

/** A list this short costs no more page by page than by a search, and then a number that is not in it is known not to be. */
const maxPagesToRead = 4;

const isNumbered = (order: OrderSummary, wanted: string): boolean => orderNumberText(order.bestellnummer) === wanted;

/** Searches by the order of the numbers. It is not done if they have none: then the list is read page by page. */
const seekNumber = async (
  read: ReadPage,
  wanted: string,
  { maxRequests, onPage }: FindOptions & { maxRequests: number },
): Promise<{ result: FindResult; isDone: boolean }> => {
  let requests = 0;
  const seeker = createSeeker(async (query) => {
    if (requests > 0) onPage?.({ ...lookedAt(seeker), requests });
    if (requests === maxRequests) return undefined;
    requests += 1;
    return read({ ...query, status: undefined, resumePage: 1 });
  });
  const found = await seeker.seek({
    side: (order) => compareOrderNumbers(orderNumberText(order.bestellnummer), wanted),
    isInOrder: (above, below) =>
      // The order of orders with the same date is open (U-09).
      above.created_at === below.created_at ||
      compareOrderNumbers(orderNumberText(above.bestellnummer), orderNumberText(below.bestellnummer)) === 1,
  });
  const result = { ...lookedAt(seeker), requests };
  // An order that was not compared, since its page is in no order, can still be the one.
  const hit = found?.hit ?? seeker.seen.flatMap(({ list }) => list.orders).find((order) => isNumbered(order, wanted));
  if (hit) return { result: { ...result, order: hit }, isDone: true };
  if (!found) return { result, isDone: result.nextPage === undefined };
  return { result: { ...result, between: { above: found.above?.order, below: found.below?.order } }, isDone: true };
};

/** What a search has looked at so far. */
const lookedAt = ({ seen, total }: Seeker): FindResult => {
  const orders = new Map(seen.flatMap(({ list }) => list.orders.map((order) => [order.id, order])));
  const [oldest] = [...orders.values()].map(({ created_at }) => created_at).sort();
  const pages = seen[0]?.list.pagination.pages ?? 0;
  const isAll = total !== undefined && orders.size >= total;
  return {
    order: undefined,
    searched: orders.size,
    requests: seen.length,
    total,
    oldest,
    nextPage: isAll ? undefined : Math.min(2, pages),
  };
};

/** Looks page by page, newest first. */
const searchPages = async (
  read: ReadPage,
  wanted: string,
  options: FindOptions & { startPage: number; maxRequests: number; requests?: number },
): Promise<FindResult> => {
  const { startPage, maxRequests, requests = 0 } = options;
  const walk = plainWalk(read, { startPage, perPage: fullPage, progress: createWalkProgress(requests) });
  const result: FindResult = {
    order: undefined,
    searched: 0,
    requests,
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
    result.order = step.fresh.find((order) => isNumbered(order, wanted));
    if (result.order || result.nextPage === undefined) return result;
    options.onPage?.({ ...result });
  }
  return result;
};
