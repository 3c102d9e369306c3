import type { CallOptions } from '../base/call-options.ts';
import { callOptionNames, checkOptions, checkWhole, type OptionNames } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import type { OrderSearch } from '../base/order-search.ts';
import { pointAtCaller } from '../base/point-at-caller.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { compareOrderNumbers, orderNumberText } from '../model/order-number.ts';
import { createOrderIndex } from './order-index.ts';
import { createPageByPage } from './page-by-page.ts';
import { fullPage } from './plain-walk.ts';
import { notFoundError, notLocatedError } from './search-errors.ts';
import { type InTurn, type SeekTarget, seek } from './seek.ts';
import { createSeenOrders, type IsInOrder } from './seen-orders.ts';
import { createTurns, type WaitForTurn } from './turns.ts';
import type { ReadPage } from './walk-progress.ts';

export interface FindOptions extends CallOptions {
  /** Maximum list requests to send. Default 14, enough to find an order among 100,000. */
  maxRequests?: number | undefined;
  /** Searches page by page, 50 orders each, from this page on: `search.nextPage` of an earlier search. */
  startPage?: number | undefined;
  /** Called after each answer without the order, with the progress of the search. Must not throw. */
  onPage?: ((soFar: Readonly<OrderSearch>) => void) | undefined;
}

const optionNames: OptionNames<FindOptions> = {
  ...callOptionNames,
  maxRequests: true,
  startPage: true,
  onPage: true,
};

export interface FoundOrder {
  /** The order's entry in the list; `getOrder(summary.id)` reads its items and license codes. */
  summary: OrderSummary;
  search: OrderSearch;
}

/** Finds orders by number and remembers what earlier lookups read. */
export interface OrderFinder {
  /**
   * The order with this number. Orders read by earlier lookups are searched first: a match costs no request and is as
   * old as its answer. Concurrent finds send their requests one after another.
   * @throws `not_located` if no order is at the number's place and the rest of the list was not read, `not_found` if
   * the whole list was read; both have `search`. `bad_request` for an empty order number; then the errors of a call,
   * with `page`
   */
  find(orderNumber: string, options?: FindOptions): Promise<FoundOrder>;
}

/** How one find sends its requests. */
export interface FindCalls {
  read: ReadPage;
  waitForTurn: WaitForTurn;
}

/** In a list this short, reading page by page costs no more than a search and proves that a number is missing. */
const maxPagesToRead = 4;

/**
 * The API has no search, but the list is sorted by date, and so usually by number: at most ⌈log2 pages⌉ + 2 list
 * requests (§4.2). If the numbers are unsorted, or `startPage` is set, it reads page by page.
 */
export const createOrderFinder = (callsFor: (options: FindOptions) => FindCalls): OrderFinder => {
  const seen = createSeenOrders(isInOrder);
  const index = createOrderIndex();
  const turns = createTurns();
  let first: OrderList | undefined;
  let canSeek = false;
  let readNow: ReadPage | undefined;
  const walkList = createPageByPage(async (query) => (query.page === 1 && first) || (readNow as ReadPage)(query), 1);

  const find = async (wanted: string, options: FindOptions & { maxRequests: number }): Promise<FoundOrder> => {
    const { maxRequests, startPage, onPage } = options;
    const calls = callsFor(options);
    const pages = startPage === undefined ? walkList : createPageByPage((query) => read(query), startPage);
    let requests = 0;
    let hasReadTop = false;
    let meetsKnown = false;
    let between: OrderSearch['between'];

    const found = (): OrderSummary | undefined => index.get(wanted);
    const isAllRead = (): boolean =>
      walkList.nextPage === undefined || (index.total !== undefined && index.size >= index.total);
    const nextPage = () => (startPage === undefined && first ? Math.max(2, pages.nextPage ?? 1) : pages.nextPage);
    const soFar = (): OrderSearch => ({
      ...(between && { between }),
      searched: index.size,
      total: index.total,
      requests,
      oldest: index.oldest,
      nextPage: isAllRead() ? undefined : nextPage(),
    });
    const read: ReadPage = async (query) => {
      requests += 1;
      const list = await calls.read(query);
      hasReadTop ||= query.page === 1;
      meetsKnown = index.add(list);
      return list;
    };
    const inTurn: InTurn = async (step) => {
      const before = requests;
      const result = await turns(step, calls.waitForTurn);
      if (requests > before && !found() && !isAllRead()) onPage?.(soFar());
      return result;
    };

    const readFirst = () =>
      inTurn(async () => {
        if (first) return;
        first = await read(firstPage);
        canSeek = first.pagination.pages > maxPagesToRead && seen.add(first, firstPage);
      });
    const seekNumber = async () => {
      const result = await seek(seen, placeOf(wanted), {
        inTurn,
        isTopFresh: hasReadTop,
        read: async (window) =>
          requests < maxRequests ? read({ ...window, status: undefined, resumePage: 1 }) : undefined,
      });
      between = result && {
        newer: result.above && numberOf(result.above.order),
        older: result.below && numberOf(result.below.order),
        newerAt: result.above?.order.created_at,
        olderAt: result.below?.order.created_at,
      };
    };
    const readPages = async () => {
      while (!found() && pages.nextPage !== undefined && requests < maxRequests) {
        await inTurn(async () => {
          readNow = read;
          if (!found()) await pages.step();
        });
      }
    };
    const lacksCounted = (): boolean => index.total !== undefined && index.size < index.total;
    /** Reads the orders that arrived since the list was read. */
    const readArrivals = async () => {
      let hasReadAll = false;
      for (let page = 1; !found() && !hasReadAll && requests < maxRequests; page++) {
        await inTurn(async () => {
          const { orders, pagination } = await read({ ...firstPage, page });
          hasReadAll = meetsKnown || orders.length === 0 || page >= pagination.pages;
        });
      }
      return hasReadAll && !lacksCounted();
    };

    if (!found() && !first && startPage === undefined) await readFirst();
    if (!found() && canSeek && startPage === undefined && /\d/.test(wanted)) await seekNumber();
    if (!found() && !between) await readPages();
    const isWhole = isAllRead() && ((hasReadTop && !lacksCounted()) || (await readArrivals()));
    const order = found();
    if (order) return { summary: order, search: soFar() };
    throw isWhole ? notFoundError(wanted, soFar()) : notLocatedError(wanted, soFar());
  };

  return {
    async find(orderNumber, options = {}) {
      const wanted = orderNumberText(orderNumber);
      if (wanted === '')
        throw argumentError('`orderNumber` must be a non-empty string', 'Pass one such as `B-2026-0042`.');
      const { maxRequests: given = 14 } = checkOptions(options, optionNames);
      const maxRequests = checkWhole('maxRequests', given, Number.MAX_SAFE_INTEGER);
      if (options.startPage !== undefined) checkWhole('startPage', options.startPage, Number.MAX_SAFE_INTEGER);
      return pointAtCaller(find(wanted, { ...options, maxRequests }));
    },
  };
};

const firstPage = { page: 1, perPage: fullPage, status: undefined, resumePage: 1 };

const numberOf = (order: OrderSummary): string => orderNumberText(order.bestellnummer);

const placeOf = (wanted: string): SeekTarget => ({ side: (order) => compareOrderNumbers(numberOf(order), wanted) });

const isInOrder: IsInOrder = (above, below) =>
  // The order of orders with the same date is undefined (U-09).
  above.created_at === below.created_at || compareOrderNumbers(numberOf(above), numberOf(below)) === 1;
