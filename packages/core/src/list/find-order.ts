import type { CallOptions } from '../base/call-options.ts';
import { checkWhole } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import type { OrderSearch } from '../base/order-search.ts';
import { pointAtCaller } from '../base/point-at-caller.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { compareOrderNumbers, orderNumberText } from '../model/order-number.ts';
import { type ListReader, readList } from './list-reader.ts';
import { createOrderIndex } from './order-index.ts';
import type { Target } from './page-cut.ts';
import { addPage, type Place, type Seen, seek } from './search.ts';
import { notFoundError, notLocatedError } from './search-errors.ts';
import { fullPage, type ReadPage } from './window.ts';

export interface FindOptions extends CallOptions {
  /** Maximum list requests to send. Default 14, enough to find an order among 100,000. */
  maxRequests?: number | undefined;
  /** Called after each response without the order, with the progress of the search. Must not throw. */
  onPage?: ((soFar: Readonly<OrderSearch>) => void) | undefined;
}

export interface FoundOrder {
  /** The order's entry in the list; `getOrder(summary.id)` reads its items and license codes. */
  summary: OrderSummary;
  search: OrderSearch;
}

/** Finds orders by number and remembers what earlier lookups read. */
export interface OrderFinder {
  /**
   * The order with this number, in upper or lower case. Orders read by earlier lookups are searched first: a match
   * costs no request and is as old as its response. Concurrent finds run one after another.
   * @throws `not_located` if the order is not where the list is expected to have it, or if not the whole list was read;
   * `not_found` if it was: both have `search`. `bad_request` for an empty order number; then the errors of a call
   */
  find(orderNumber: string, options?: FindOptions): Promise<FoundOrder>;
}

/** How one find sends its requests. */
export interface FindCalls {
  read: ReadPage;
  /** Waits for the find before, or rejects when the caller stops waiting. */
  waitForTurn(turn: Promise<void>): Promise<void>;
}

/** In a list this short, reading page by page costs no more than a search and proves that a number is missing. */
const maxPagesToRead = 4;

const firstPage = { page: 1, perPage: fullPage };

/**
 * The API has no search, but the list is sorted by date, and so usually by number: at most ⌈log2 pages⌉ + 2 list
 * requests (§4.2). If the numbers are unsorted, the list is read page by page; each find goes on where the last one
 * stopped.
 */
export const createOrderFinder = (callsFor: (options: FindOptions) => FindCalls): OrderFinder => {
  const index = createOrderIndex();
  const seen: Seen = { pages: [], total: undefined };
  /** The end of the latest find; undefined while none runs. */
  let last: Promise<void> | undefined;
  /** The first page of the list, until the reader of the whole list takes it. */
  let first: OrderList | undefined;
  let isSortable: boolean | undefined;
  let readNow: ReadPage;
  let reader: ListReader | undefined;
  let isAllRead = false;

  const find = async (
    wanted: string,
    { read: readPage }: FindCalls,
    options: FindOptions & { maxRequests: number },
  ) => {
    const { maxRequests, onPage } = options;
    let requests = 0;
    let hasTop = false;
    let meetsKnown = false;
    let place: Place | undefined;

    const found = (): OrderSummary | undefined => index.get(wanted);
    const soFar = (): OrderSearch => ({
      ...(place && { between: betweenOf(place) }),
      searched: index.size,
      total: index.total,
      requests,
      oldest: index.oldest,
    });
    const canRead = (): boolean => requests < maxRequests;
    const read: ReadPage = async (query) => {
      requests += 1;
      const list = await readPage(query);
      hasTop ||= query.page === 1;
      meetsKnown = index.add(list);
      if (!found()) onPage?.(soFar());
      return list;
    };
    const readTop = (page: number) => read({ page, perPage: fullPage, status: undefined });

    const readFirst = async () => {
      first = await readTop(1);
      isSortable = first.pagination.pages > maxPagesToRead && addPage(seen, first, firstPage) !== undefined;
    };
    const search = async () => {
      place = await seek(seen, targetOf(wanted), {
        read: async (window) => (canRead() ? read({ ...window, status: undefined }) : undefined),
        isTopFresh: hasTop,
        isFound: () => found() !== undefined,
      });
    };
    const readOn = async () => {
      readNow = async (query) => {
        const known = query.page === 1 ? first : undefined;
        first = undefined;
        return known ?? read(query);
      };
      reader ??= readList((query) => readNow(query), wholeList);
      while (!found() && !isAllRead && (canRead() || first)) isAllRead = (await reader.next()) === undefined;
    };
    /** Reads the orders that arrived since the list was read. */
    const readArrivals = async () => {
      for (let page = 1; !found() && canRead(); page++) {
        const { orders, pagination } = await readTop(page);
        if (meetsKnown || orders.length === 0 || page >= pagination.pages) return true;
      }
      return false;
    };

    if (!found() && isSortable === undefined) await readFirst();
    if (!found() && isSortable && /\d/.test(wanted)) await search();
    if (!found() && !place) await readOn();
    const isWhole = isAllRead && reader?.gaps().length === 0 && (hasTop || (await readArrivals())) && index.isWhole;
    const summary = found();
    if (summary) return { summary, search: soFar() };
    throw isWhole ? notFoundError(wanted, soFar()) : notLocatedError(wanted, soFar(), place);
  };

  return {
    async find(orderNumber, options = {}) {
      const wanted = orderNumberText(orderNumber);
      if (wanted === '')
        throw argumentError('`orderNumber` must be a non-empty string', 'Pass one such as `B-2026-0042`.');
      const { maxRequests: given = 14 } = options;
      const maxRequests = checkWhole('maxRequests', given, Number.MAX_SAFE_INTEGER);
      const calls = callsFor(options);
      const before = last;
      const turn = before ? calls.waitForTurn(before) : Promise.resolve();
      const finding = turn.then(() => find(wanted, calls, { ...options, maxRequests }));
      const ended = Promise.allSettled([before, finding]).then(() => {
        if (last === ended) last = undefined;
      });
      last = ended;
      return pointAtCaller(finding);
    },
  };
};

const wholeList = {
  status: undefined,
  start: firstPage,
  isAbove: () => false,
  hasRange: false,
  isCounted: true,
};

const numberOf = (order: OrderSummary | undefined): string => orderNumberText(order?.bestellnummer);

const compare = (a: string, b: string) => compareOrderNumbers(a.toLowerCase(), b.toLowerCase());

const targetOf = (wanted: string): Target => ({
  side: (order) => compare(numberOf(order), wanted),
  isInOrder: (above, below) =>
    // The order of orders with the same date is undefined (U-09).
    above.created_at === below.created_at || compare(numberOf(above), numberOf(below)) === 1,
});

const betweenOf = ({ newer, older }: Place): OrderSearch['between'] => ({
  newer: newer && numberOf(newer),
  older: older && numberOf(older),
  newerAt: newer?.created_at,
  olderAt: older?.created_at,
});
