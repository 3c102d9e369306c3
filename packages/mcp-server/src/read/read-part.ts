import { concernsEveryOrder } from '@order-license/core/host';
import { isOrderLicenseError, type Order, type OrderLicenseError } from '@order-license/core/portable';
import { type Call, readOptions } from '../client/one-call.ts';
import { emptyPart, endBefore, type ListLimits, listPart, type Part } from './list-part.ts';
import type { Listed, RangeQuery } from './range.ts';

/** Maximum number of orders that a call reads, with one request each. */
export const maxReads = 40;

/** Maximum number of orders that are read at the same time. */
const atOnce = 8;
/** If this many different orders in a row cannot be read, the API is assumed to be unreachable. */
const maxInARow = 3;
/** Time before the end of a call in which a failure may only mean that the time is up, ms. */
const endingMs = 1_000;

/** What a call reads in full; `maxOrders` is also the maximum number of orders to read. */
export interface Wanted extends ListLimits {
  /** The orders, or the range whose orders are listed first. */
  from: readonly Listed[] | RangeQuery;
  /** Whether a result that contains these orders is full. Default: never. */
  isEnough?(orders: readonly Order[]): boolean;
}

/**
 * Reads orders in full, with one request each. Ends if the rate limit or the call's time is used up, if three different
 * orders in a row fail (404 does not count), or if `isEnough` returns true.
 * @throws an error that every other order would also cause
 */
export const readPart = async ({ from, isEnough, ...limits }: Wanted, call: Call): Promise<Part> => {
  const { maxOrders = Number.POSITIVE_INFINITY } = limits;
  const part = 'timeZone' in from ? await listPart(from, limits, call) : partOf(from);
  const { listed } = part;
  const orders: Order[] = [];
  const failed: Part['failed'][number][] = [];
  let { interruption } = part;
  let [done, inARow] = [0, 0];
  /** Adds an order to the part. Returns whether the next one may be added. */
  const add = ({ order, error }: Outcome): boolean => {
    if (order) {
      orders.push(order);
      inARow = 0;
    } else if (error) {
      if (isInterruption(error, call)) {
        interruption = error;
        return false;
      }
      failed.push({ id: listed[done]?.id ?? 0, error });
      if (error.code !== 'not_found') inARow += 1;
      if (inARow === maxInARow) interruption = error;
    }
    done += 1;
    return inARow < maxInARow;
  };
  const end = Math.min(listed.length, maxOrders);
  let mayGoOn = end > 0;
  while (mayGoOn) {
    // A single order can fill a result, so the first batches are small: 1, 2 and 4.
    const size = isEnough ? Math.min(done + 1, atOnce) : atOnce;
    const some = listed.slice(done, Math.min(done + size, end));
    const outcomes = await Promise.all(some.map((order) => readOrder(order, call)));
    mayGoOn = outcomes.every(add) && done < end && !isEnough?.(orders);
    if (listed.length > 1) call.reportProgress(`Read ${orders.length} of ${listed.length} orders.`);
  }
  const read = { ...part, orders, failed, interruption };
  return done < listed.length ? endBefore(read, listed[done]) : read;
};

/** Returns the part that consists of these orders, each once. */
const partOf = (orders: readonly Listed[]): Part => ({
  ...emptyPart,
  listed: [...new Map(orders.map((order) => [String(order.id), order])).values()],
});

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
