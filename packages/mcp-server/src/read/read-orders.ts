import { concernsEveryOrder } from '@order-license/core/host';
import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { countValues, maxValues, tooLong } from '../answers/visible-answer.ts';
import { type Call, readOptions } from './call.ts';
import type { RangeQuery } from './range.ts';
import { type Listed, type Part, readRange } from './read-range.ts';

/** Maximum number of orders that a call reads, with one request each. */
export const maxReads = 40;

/** Maximum number of orders that are read at the same time. */
const atOnce = 8;

/**
 * If this many orders are read at the same time and all fail, the API is assumed to be unreachable. Fewer failures
 * count as an outage only if no order has been read before.
 */
const minOutage = 3;

/**
 * Maximum number of values in the orders of one part. It leaves a few values for the object that contains these orders.
 */
const maxOrderValues = maxValues - 10;

/** The orders to read: first `orders`, then those in `range`. */
export interface Wanted {
  orders: readonly Listed[];
  range: RangeQuery | undefined;
}

export interface ReadLimits {
  /** Maximum number of orders to list. */
  maxOrders: number;
  /** Whether to read a listed order. Default: always. */
  isWanted?(order: OrderSummary): boolean;
  /** Whether a result that contains these orders and the IDs of the other listed orders is full. Default: never. */
  isEnough?(orders: readonly Order[], listed: readonly Listed[]): boolean;
  /** Maximum number of orders to read. Default: 40. */
  most?: number;
}

export interface ReadPart extends Part {
  /** The list entries of the requested orders. */
  listed: readonly Listed[];
  /** The orders that were read, with the fields of their list entries. */
  orders: Order[];
  failed: { id: OrderId; error: OrderLicenseError }[];
  left: readonly Listed[];
}

/**
 * Reads orders, with one request each, until `most` orders are read or `isEnough` returns true. Lists the orders in the
 * range only if `orders` is empty. Returns the remaining orders as `left` if the rate limit or the call's time is used
 * up, if the API becomes unreachable, or if the orders read so far have as many values as a result may contain.
 * @throws an error that every other order would also cause
 */
export const readOrders = async (
  { orders, range }: Wanted,
  { maxOrders, isWanted = () => true, isEnough, most = maxReads }: ReadLimits,
  call: Call,
): Promise<ReadPart> => {
  const list = range && orders.length === 0 ? await readRange(range, { maxOrders }, call) : undefined;
  const asked = list?.orders.filter(isWanted) ?? orders;
  const listed = [...new Map(asked.map((order) => [String(order.id), order])).values()];
  const part: ReadPart = {
    rest: range,
    ...list,
    listed,
    orders: [],
    failed: [],
    left: listed,
    interruption: undefined,
  };
  let reads = 0;
  let values = 0;
  let isFull = false;
  while (reads < Math.min(listed.length, most) && !part.interruption && !isFull && !isEnough?.(part.orders, listed)) {
    const some = listed.slice(reads, Math.min(reads + atOnce, most));
    const all = await Promise.all(some.map((order) => readOrder(order, call)));
    const outcomes = all.filter((one) => {
      values += one.values;
      isFull ||= values > maxOrderValues;
      return !isFull;
    });
    reads += outcomes.length;
    // If other orders can be read, a failure concerns only the order in question.
    const isAlone = outcomes.some(({ order }) => order) || (part.orders.length > 0 && some.length < minOutage);
    const canGoOn = isAlone && performance.now() < call.endsAt;
    const isLeft = ({ error }: Outcome): boolean =>
      error?.retryable === true && (!canGoOn || error.code === 'rate_limited');
    const left = outcomes.filter(isLeft);
    part.orders.push(...outcomes.flatMap(({ order }) => order ?? []));
    part.failed.push(
      ...outcomes.flatMap((one) => (one.error && !isLeft(one) ? { id: one.listed.id, error: one.error } : [])),
    );
    part.left = [...left.map(({ listed }) => listed), ...listed.slice(reads)];
    part.interruption = left[0]?.error;
    if (listed.length > 1) call.reportProgress(`Read ${part.orders.length} of ${listed.length} orders.`);
  }
  part.interruption ??= list?.interruption;
  return part;
};

interface Outcome {
  listed: Listed;
  /** Number of values in the order; 0 if the order could not be read. */
  values: number;
  order?: Order;
  error?: OrderLicenseError;
}

/**
 * Reads an order, and adds the fields that only its list entry has: payment status, delivery status and date. Fields
 * that are null in the order's details also have the list entry's values.
 * @returns the order, or an error that concerns only this order or may not recur
 */
const readOrder = async (listed: Listed, call: Call): Promise<Outcome> => {
  try {
    const read = await call.client.getOrder(listed.id, readOptions(call));
    const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null)) as typeof read;
    const order = { ...read, ...listed, ...known };
    const values = countValues(order);
    return values > maxOrderValues ? { listed, values: 0, error: tooLong() } : { listed, values, order };
  } catch (error) {
    if (!isOrderLicenseError(error) || concernsEveryOrder(error)) throw error;
    return { listed, values: 0, error };
  }
};
