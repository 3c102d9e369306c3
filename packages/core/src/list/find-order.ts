import type { CallOptions } from '../base/call-options.ts';
import { checkWhole, textOf } from '../base/checks.ts';
import { OrderLicenseError } from '../base/errors.ts';
import { describeSpan, numberAdvice, type OrderSearch, quoteNumber } from '../base/order-search.ts';
import { throwFromHere } from '../base/point-at-caller.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { trimmedText } from '../model/order-id.ts';
import { checkOrderNumber, compareOrderNumbers, foldOrderNumber } from '../model/order-number.ts';
import { readList } from './list-reader.ts';
import { addPage, type Place, placeIn, type Seen, seek, type Target } from './search.ts';
import { type ReadPage, totalOf } from './slice.ts';

export interface FindOptions extends CallOptions {
  /**
   * Maximum number of list requests. Default: 14, enough to find an order among 100,000 if numbers rise with the date.
   */
  maxRequests?: number | undefined;
  /** Called with the progress of the search after each response that does not contain the order. Must not throw. */
  onPage?: ((soFar: Readonly<OrderSearch>) => void) | undefined;
}

export interface FoundOrder {
  /** The order's entry in the list; `getOrder(summary.id)` reads its items and license codes. */
  summary: OrderSummary;
  /** How far the search read. */
  search: OrderSearch;
}

/** Finds orders by number and remembers what earlier searches read. */
export interface OrderFinder {
  /**
   * Finds the order with this number, ignoring case, invisible characters, and signs around it such as `#` or quotes.
   * Looks first among the orders that earlier searches have read: a match there costs no request, and is as old as the
   * response that contained it. Concurrent searches run one after another. While a search waits for an earlier one, its
   * deadline does not run, and an abort has no effect until the search starts.
   * @throws `not_located` if the order is not where expected in the list, or not in the part of the list that was read;
   * `not_found` if the whole list was read. Both errors have `search`. `bad_request` for an empty order number, one
   * with characters that no order number has, or an invalid `maxRequests`; otherwise the errors of a call
   */
  find(orderNumber: string, options?: FindOptions): Promise<FoundOrder>;
}

/**
 * A list with at most this many pages is read as a whole. This costs at most one request more than a bisection, and
 * proves that a number is missing.
 */
const maxPagesToRead = 4;

/**
 * The API cannot search, but its list is sorted by date, and therefore usually by number. A bisection finds an order
 * with at most ⌈log2 pages⌉ + 2 list requests (§4.2). If the numbers are unsorted, the list is read page by page, and
 * each search continues where the last one stopped.
 * @param readerFor creates the function with which one search reads pages
 * @param onList called with each page that a search reads
 */
export const createOrderFinder = (
  readerFor: (options: FindOptions) => ReadPage,
  onList?: (list: OrderList) => void,
): OrderFinder => {
  /** The folded number of each order, stored because a search compares an order many times. */
  const folded = new WeakMap<OrderSummary, string>();
  const foldOf = (order: OrderSummary): string => folded.get(order) ?? '';
  /** The first order read with each number: by the number as written, and by the folded number. */
  const byNumber = new Map<string, OrderSummary>();
  const byFolded = new Map<string, OrderSummary>();
  const ids = new Set<string>();
  /** Pages that a bisection can use; empty for a short list. */
  const seen: Seen = { pages: [], total: undefined };
  /** Whether the last order of the latest response was new. */
  let endsNew = false;
  let oldest: string | undefined;
  let example: string | undefined;
  let readDownTo: string | undefined;
  /** Resolves when the latest search has ended. */
  let last: Promise<unknown> = Promise.resolve();
  let readNow: ReadPage;
  /** Reads the whole list. Each request counts for the search that is running. */
  const reader = readList((query) => readNow(query));
  let isAllRead = false;

  const remember = (list: OrderList): void => {
    const { orders } = list;
    seen.total = totalOf(list);
    endsNew = !ids.has(String(orders.at(-1)?.id));
    for (const order of orders) {
      const number = numberOf(order);
      example ??= number || undefined;
      if (oldest === undefined || textOf(order.created_at) < textOf(oldest)) oldest = order.created_at;
      const name = foldOrderNumber(number);
      folded.set(order, name);
      ids.add(String(order.id));
      if (!byNumber.has(number)) byNumber.set(number, order);
      if (!byFolded.has(name)) byFolded.set(name, order);
    }
  };

  const find = async (
    wanted: string,
    readPage: ReadPage,
    { maxRequests, onPage }: FindOptions & { maxRequests: number },
  ): Promise<FoundOrder> => {
    const wantedName = foldOrderNumber(wanted);
    const target: Target = {
      side: (order) => compareOrderNumbers(foldOf(order), wantedName),
      isInOrder: (above, below) =>
        // The sequence of orders with the same time is undefined (U-09).
        above.created_at === below.created_at || compareOrderNumbers(foldOf(above), foldOf(below)) === 1,
    };
    let requests = 0;
    let hasTop = false;

    const found = (): OrderSummary | undefined => byNumber.get(wanted) ?? byFolded.get(wantedName);
    /** Returns where the number is expected, if the list is sorted by number. */
    const placeNow = (): Place | undefined => (seen.pages.length > 0 ? placeIn(seen, target) : undefined);
    const soFar = (): OrderSearch => {
      const place = placeNow();
      return {
        between: place && betweenOf(place),
        searched: ids.size,
        total: seen.total,
        requests,
        oldest,
        readDownTo,
        example,
      };
    };
    const read: ReadPage = async (query) => {
      if (requests === maxRequests) throw noRequestsLeft;
      requests += 1;
      const list = await readPage(query);
      onList?.(list);
      hasTop ||= query.page === 1;
      remember(list);
      if (!found()) onPage?.(soFar());
      return list;
    };
    readNow = read;

    const readOn = async (): Promise<void> => {
      const step = await reader.next();
      isAllRead = !step || step.isEnd;
      if (!step?.joins) return;
      if (reader.gaps().length === 0) readDownTo = step.list.orders.at(-1)?.created_at ?? readDownTo;
      if (step.list.pagination.pages > maxPagesToRead) addPage(seen, step.list, step.slice);
    };
    /** Reads until the order is found, or no request can help. Returns whether every order was read. */
    const search = async (): Promise<boolean> => {
      if (seen.pages.length === 0 && !isAllRead) await readOn();
      const isSorted =
        placeNow() &&
        (await seek(seen, target, { read, isTopFresh: hasTop, isFound: () => found() !== undefined, maxRequests }));
      while (!isSorted && !isAllRead && !found()) await readOn();
      // Orders may have arrived since earlier searches read the list.
      const top = readList(read);
      let isBehind = isAllRead && !hasTop;
      while (isBehind && !found()) isBehind = (await top.next())?.isEnd === false && endsNew;
      return isAllRead && reader.gaps().length === 0 && seen.total !== undefined;
    };

    const isComplete =
      !found() &&
      (await search().catch((error: unknown) => {
        if (error === noRequestsLeft) return false;
        throw error;
      }));
    const summary = found();
    if (summary) return { summary, search: soFar() };
    if (isComplete) throw notFoundError(wanted, soFar());
    throw notLocatedError(wanted, soFar(), placeNow());
  };

  return {
    async find(orderNumber, options = {}) {
      const wanted = checkOrderNumber(orderNumber);
      const maxRequests = checkWhole('maxRequests', options.maxRequests ?? 14);
      const read = readerFor(options);
      const finding = last.then(() => find(wanted, read, { ...options, maxRequests }));
      last = finding.catch(() => undefined);
      return finding.catch(throwFromHere);
    },
  };
};

/** Ends a search that has sent `maxRequests` requests. */
const noRequestsLeft = new Error('No requests left');

const numberOf = (order: OrderSummary): string => trimmedText(order.bestellnummer);

const betweenOf = ({ newer, older }: Place): OrderSearch['between'] => ({
  newer: newer && numberOf(newer),
  older: older && numberOf(older),
  newerAt: newer?.created_at,
  olderAt: older?.created_at,
});

/** Creates the error for a number that is missing although the whole list was read. */
const notFoundError = (orderNumber: string, search: OrderSearch): OrderLicenseError =>
  new OrderLicenseError('not_found', {
    detail: `No order in this account has the number ${quoteNumber(orderNumber)}; all ${search.searched} orders were read`,
    advice: numberAdvice(search),
    search,
  });

/**
 * Creates the error for a number that is neither where it is expected in the list nor on the pages that were read.
 * @param place where the number is expected, if the list is sorted by number
 */
const notLocatedError = (orderNumber: string, search: OrderSearch, place: Place | undefined): OrderLicenseError => {
  const { between } = search;
  const wanted = `No order with the number ${quoteNumber(orderNumber)} was found`;
  const isWhole = between === undefined && search.searched === search.total;
  if (between && !place?.next) {
    const detail = `${wanted} where expected in the list, ${describePlace(between)}`;
    return new OrderLicenseError('not_located', { detail, advice: 'Check the number.', search });
  }
  const detail = between
    ? `${wanted} in ${search.requests} requests; the number is expected ${describePlace(between)}`
    : `${wanted} among the ${describeSpan(search)} that were read`;
  const advice = isWhole
    ? 'The list changed during the search, or more orders may follow. Try again with a higher `maxRequests`.'
    : `${numberAdvice(search)} To search further, raise \`maxRequests\`, or call \`find\` again on the same \`orderFinder()\`.`;
  return new OrderLicenseError('not_located', { detail, advice, search });
};

const describePlace = ({ newer, older }: NonNullable<OrderSearch['between']>): string => {
  if (newer === undefined)
    return older === undefined ? 'which is empty' : `above the newest order, ${quoteNumber(older)}`;
  return older === undefined
    ? `below the oldest order, ${quoteNumber(newer)}`
    : `between ${quoteNumber(newer)} and ${quoteNumber(older)}`;
};
