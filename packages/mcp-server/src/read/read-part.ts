import { concernsEveryOrder, timeOf } from '@order-license/core/host';
import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { type Call, readOptions } from '../client/one-call.ts';
import { hasState, isUndated, type Listed, type RangeQuery } from './range.ts';
import { type Listing, type ListLimits, readRange } from './read-range.ts';

/** Maximum number of orders that a call reads, with one request each. */
export const maxReads = 40;

/** Maximum number of orders that are read at the same time. */
const atOnce = 8;
/** If this many different orders in a row cannot be read, the API is assumed to be out of reach. */
const maxInARow = 3;
/** Time before the end of a call in which a failure may only mean that the time is up, ms. */
const endingMs = 1_000;

/**
 * What a call reads. By default, the wanted orders are those with the payment and delivery statuses of the range;
 * `maxOrders` is also the maximum number of orders that are read in full.
 */
export interface Wanted extends ListLimits {
  /** The orders, or the range whose orders are listed first. */
  from: readonly Listed[] | RangeQuery;
  /** Whether to read the orders in full, with one request each, or only their list entries. */
  inFull: boolean;
  /** Whether a result that contains these orders is full. Default: never. */
  isEnough?(orders: readonly Order[]): boolean;
}

/** The orders that one call covers; its `rest` contains the orders in `left`, and those that were not listed. */
export interface Part extends Omit<Listing, 'orders'> {
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
