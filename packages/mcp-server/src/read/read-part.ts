import { concernsEveryOrder, timeOf } from '@order-license/core/host';
import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
  type Totals,
  type TotalsOptions,
  toDate,
} from '@order-license/core/portable';
import { afterWholeLimit, type Call, readOptions } from '../client/one-call.ts';
import { hasState, isNotAbove, isUndated, type Listed, newestFirst, type RangeQuery, utcText } from './range.ts';

/** Maximum number of list requests in a call: as many as the rate limit allows in a minute. */
export const maxListRequests = 60;

/** A reason why orders may be missing even after every `continue` has been followed. */
export type Gap = Exclude<Totals['gaps'][number], 'unfinished'> | 'masked_names';

/** Maximum number of orders that a call reads, with one request each. */
export const maxReads = 40;

/** Maximum number of orders that are read at the same time. */
const atOnce = 8;
/** If this many different orders in a row cannot be read, the API is assumed to be out of reach. */
const maxInARow = 3;
/** Time before the end of a call in which a failure may only mean that the time is up, ms. */
const endingMs = 1_000;

/** What a call reads. */
export interface Wanted {
  /** The orders, or the range whose orders are listed first. */
  from: readonly Listed[] | RangeQuery;
  /** Whether to read the orders in full, with one request each, or only their list entries. */
  inFull: boolean;
  /** Number of wanted orders that are listed, and maximum number of those that are read in full. Default: no limit. */
  maxOrders?: number | undefined;
  /** Maximum number of list requests. Default: 60. */
  maxRequests?: number | undefined;
  /** Whether an order of the range is wanted. Default: every order with its payment and delivery statuses. */
  isWanted?(order: OrderSummary): boolean;
  /** Whether a result that contains these orders is full. Default: never. */
  isEnough?(orders: readonly Order[]): boolean;
}

/** The orders that one call covers, and what remains for the next one. */
export interface Part {
  /** The range whose orders were listed; undefined if the orders were chosen by ID. */
  range: RangeQuery | undefined;
  /** The wanted orders that were listed, newest first, or those that were chosen, in the given sequence. */
  listed: readonly Listed[];
  /** Whether these are all wanted orders of the range. */
  isListed: boolean;
  /** The other orders of the range. */
  unwanted: readonly OrderSummary[];
  /** The orders that were read: list entries, or full orders, which also have the fields of their list entries. */
  orders: Order[];
  /** Orders that cannot be read, and why. */
  failed: readonly { id: OrderId; error: OrderLicenseError }[];
  /** The listed orders that remain to be read. */
  left: readonly Listed[];
  /** The rest of the range: the orders in `left`, and those that were not listed. */
  rest: RangeQuery | undefined;
  gaps: readonly Gap[];
  /** IDs of the orders that are left out because their date is unreadable. */
  undated: readonly OrderId[];
  /** The error that ended the call early. */
  interruption: OrderLicenseError | undefined;
}

export const emptyPart = (range: RangeQuery | undefined): Part => ({
  range,
  listed: [],
  isListed: true,
  unwanted: [],
  orders: [],
  failed: [],
  left: [],
  rest: undefined,
  gaps: [],
  undated: [],
  interruption: undefined,
});

/**
 * Lists orders, and reads them in full if wanted. Ends if the rate limit or the call's time is used up, if three
 * different orders in a row fail (404 does not count), or if `isEnough` returns true.
 * @throws an error that every other order would also cause
 */
export const readPart = async (wanted: Wanted, call: Call): Promise<Part> => {
  const { from, inFull, maxOrders = Number.POSITIVE_INFINITY, maxRequests, isEnough } = wanted;
  const range = 'timeZone' in from ? from : undefined;
  const isWanted = wanted.isWanted ?? ((order: OrderSummary) => !range || hasState(range, order));
  const list = range && (await readRange(range, { maxOrders, maxRequests, isWanted }, call));
  const asked: readonly Listed[] = list?.orders.filter(isWanted) ?? (from as readonly Listed[]);
  const listed = [...new Map(asked.map((order) => [String(order.id), order])).values()];
  const unwanted = list?.orders.filter((order) => !isWanted(order)) ?? [];
  const part: Part = { ...emptyPart(range), ...list, listed, isListed: !list?.rest, unwanted, orders: [] };
  if (!inFull) return { ...part, orders: listed as Order[] };

  const failed: Part['failed'][number][] = [];
  let [done, inARow] = [0, 0];
  /** Adds an order to the part. Returns whether the next one may be added. */
  const add = ({ order, error }: Outcome): boolean => {
    if (order) {
      part.orders.push(order);
      inARow = 0;
    } else if (error) {
      if (isInterruption(error, call)) {
        part.interruption = error;
        return false;
      }
      failed.push({ id: listed[done]?.id ?? 0, error });
      if (error.code !== 'not_found') inARow += 1;
      if (inARow === maxInARow) part.interruption = error;
    }
    done += 1;
    return inARow < maxInARow;
  };
  const end = Math.min(listed.length, maxOrders);
  let mayGoOn = true;
  while (mayGoOn && done < end && !isEnough?.(part.orders)) {
    // A single order can fill a result, so the first batches are small: 1, 2 and 4.
    const size = isEnough ? Math.min(done + 1, atOnce) : atOnce;
    const some = listed.slice(done, Math.min(done + size, end));
    const outcomes = await Promise.all(some.map((order) => readOrder(order, call)));
    mayGoOn = outcomes.every(add);
    if (listed.length > 1) call.reportProgress(`Read ${part.orders.length} of ${listed.length} orders.`);
  }
  return endBefore({ ...part, failed }, listed[done]);
};

/**
 * Ends a part before one of its listed orders, with which the next part begins.
 * @param isBegun whether this part contains the beginning of that order
 * @returns the same part if no order is passed
 */
export const endBefore = (part: Part, next: Listed | undefined, isBegun = false): Part => {
  const { range, listed, failed } = part;
  if (!next) return part;
  const end = listed.indexOf(next);
  const left = listed.slice(end);
  const ids = new Set(left.map(({ id }) => id));
  // The next part searches by date, so it cannot begin with an undated order.
  const first = range && left.find((order) => !isUndated(order));
  return {
    ...part,
    left,
    failed: failed.filter(({ id }) => !ids.has(id)),
    rest: first ? beginWith(first, range, isBegun || timeOf(listed[end - 1]) === timeOf(first)) : part.rest,
  };
};

/** Returns the rest of a range that begins with this order, or with its second unless a part of that second is done. */
const beginWith = (order: Listed, range: RangeQuery, isDivided: boolean): RangeQuery => {
  const before = new Date(timeOf(order) + 1000);
  const isContinued = range.continueId !== undefined && Number(range.before) === before.getTime();
  return { ...range, before, continueId: isDivided || isContinued ? String(order.id) : undefined };
};

interface Outcome {
  order?: Order;
  error?: OrderLicenseError;
}

/**
 * Reads an order, and adds the fields that only its list entry has: payment status, delivery status and date. Fields
 * that are null in the order's details also have the list entry's values.
 * @throws an error that every other order would also cause
 */
const readOrder = async (listed: Listed, call: Call): Promise<Outcome> => {
  try {
    const read = await call.client.getOrder(listed.id, readOptions(call));
    const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null)) as typeof read;
    return { order: { ...read, ...listed, ...known } };
  } catch (error) {
    if (!isOrderLicenseError(error) || concernsEveryOrder(error)) throw error;
    return { error };
  }
};

/** Whether the error says nothing about the order, so that the order remains to be read. */
const isInterruption = ({ code, retryable }: OrderLicenseError, { endsAt }: Call): boolean =>
  code === 'rate_limited' || code === 'aborted' || (retryable && endsAt - performance.now() < endingMs);

const otherwise =
  'If the call fails again, the rate limit allows too few requests for this search: call order_license_list_orders with `page` instead, or ask the person who set up this MCP server to raise ORDER_LICENSE_REQUESTS_PER_MINUTE.';

/**
 * The newest orders of a range, wanted or not, newest first, and what remains of the range: whole seconds, none of which
 * has an order in `orders`. Orders without a readable date are listed only if the range has no dates.
 */
type Listing = Pick<Part, 'rest' | 'gaps' | 'undated' | 'interruption'> & { orders: OrderSummary[] };

/**
 * Reads the newest orders in a range with core's `totals`, until a limit is reached.
 * @throws any error that occurs before all orders of one second have been read
 */
export const readRange = async (
  range: RangeQuery,
  { maxRequests = maxListRequests, maxOrders, isWanted = () => true }: Omit<Wanted, 'from' | 'inFull'>,
  call: Call,
): Promise<Listing> => {
  const { statuses, from, before } = range;
  const read: OrderSummary[] = [];
  const enough = new AbortController();
  const reads = readOptions(call);
  let soFar: Totals | undefined;
  let interruption: OrderLicenseError | undefined;
  const options: TotalsOptions = {
    status: statuses,
    createdFrom: from,
    createdBefore: before,
    maxRequests,
    ...reads,
    signal: AbortSignal.any([reads.signal, enough.signal]),
    onOrders: (orders) => void read.push(...orders),
    onProgress(totals) {
      soFar = totals;
      const oldest = toDate(totals.oldest);
      const makesProgress = Number(totals.continue?.createdBefore) < Number(before ?? Number.POSITIVE_INFINITY);
      if (makesProgress && read.filter(isWanted).length > Number(maxOrders)) enough.abort();
      call.reportProgress(`Read ${totals.orders} orders${oldest ? `, back to ${utcText(oldest.getTime())}` : ''}.`);
    },
  };
  const totals = await call.client.totals(options).catch((error: unknown) => {
    if (!isOrderLicenseError(error)) throw error;
    if (soFar && enough.signal.aborted && !reads.signal.aborted) return soFar;
    // Only the page that shows that the range has ended is missing: the next call reads it, with the first second.
    if (soFar && soFar.orders > 0 && from && !soFar.continue && !(before && before <= endOfSecond(from))) {
      soFar = { ...soFar, continue: { createdBefore: endOfSecond(from) } };
    }
    const reached = soFar?.continue?.createdBefore.getTime();
    if (soFar && reached !== undefined) {
      if (error.retryable && (read.length > 0 || reached < Number(before))) {
        interruption = error;
        return soFar;
      }
      error.addAdvice(`Not all orders created at ${utcText(reached - 1000)} could be read in time.`);
    }
    const stopped = afterWholeLimit(error, call);
    throw stopped === error ? error : (stopped as OrderLicenseError).addAdvice(otherwise);
  });
  const end = totals.continue?.createdBefore;
  // Later calls search by date, so they would not find undated orders again.
  const listed = end ? read.filter((order) => !(timeOf(order) < end.getTime())) : read;
  return {
    orders: listed.filter((order) => isNotAbove(range, order)).sort(newestFirst),
    rest: end && { ...range, before: end, continueId: undefined },
    gaps: totals.gaps.filter((gap) => gap !== 'unfinished'),
    undated: totals.unreadable.filter(({ field }) => field === 'created_at').map(({ id }) => id),
    interruption,
  };
};

const endOfSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000 + 1000);
