import type { Order, OrderId, OrderLicenseError, OrderSummary } from '@order-license/core/portable';
import type { Call } from './call.ts';
import type { RangeQuery } from './range.ts';
import { type Listed, type Part, readRange } from './read-range.ts';
import { maxOrderValues, readSome } from './read-some.ts';

/** Maximum number of orders that a call reads, with one request each. */
export const maxReads = 40;

/** Maximum number of orders that are read at the same time. */
const atOnce = 8;

/**
 * Number of requests that a broken order takes: three attempts, and one after a check. Fewer orders are read at the
 * same time if the rate limit allows too few requests to find out that all of them are broken.
 */
const requestsIfBroken = 4;
/** Maximum number of requests that a check takes. */
const requestsPerCheck = 2;

/** The orders to read: first `orders`, then those in `range`. */
export interface Wanted {
  orders: readonly Listed[];
  range: RangeQuery | undefined;
  /** An order that an earlier part could read. */
  readable?: Listed | undefined;
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
  /** Whether to find out if orders that fail are broken or the API is down. Default: true. */
  check?: boolean;
}

export interface ReadPart extends Part {
  /** The list entries of the requested orders. */
  listed: readonly Listed[];
  /** The orders that were read, with the fields of their list entries. */
  orders: Order[];
  failed: { id: OrderId; error: OrderLicenseError }[];
  left: readonly Listed[];
  /** An order that could be read. */
  readable: Listed | undefined;
}

/**
 * Reads orders, with one request each, until `most` orders are read or `isEnough` returns true. Lists the orders in the
 * range only if `orders` is empty. Returns the remaining orders as `left` if the rate limit or the call's time is used
 * up, if the API becomes unreachable, or if the orders read so far have as many values as a result may contain.
 * @throws an error that every other order would also cause
 */
export const readOrders = async (
  { orders, range, readable }: Wanted,
  { maxOrders, isWanted = () => true, isEnough, most = maxReads, check = true }: ReadLimits,
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
    readable,
    interruption: undefined,
  };
  let reads = 0;
  let values = 0;
  let isFull = false;
  while (reads < Math.min(listed.length, most) && !part.interruption && !isFull && !isEnough?.(part.orders, listed)) {
    const requestsLeft = (await call.client.requestsLeft()) ?? Number.POSITIVE_INFINITY;
    const size = Math.max(1, Math.min(atOnce, Math.floor((requestsLeft - requestsPerCheck) / requestsIfBroken)));
    const some = listed.slice(reads, Math.min(reads + size, most));
    const checks = { readable: part.readable, listed, failed: part.failed, isWanted };
    const read = await readSome(some, check ? checks : undefined, call);
    part.readable = read.readable;
    const outcomes = read.outcomes.filter((one) => {
      values += one.values;
      isFull ||= values > maxOrderValues;
      return !isFull;
    });
    reads += outcomes.length;
    const left = outcomes.filter(({ isLeft }) => isLeft);
    part.orders.push(...outcomes.flatMap(({ order }) => order ?? []));
    part.failed.push(
      ...outcomes.flatMap((one) => (one.error && !one.isLeft ? { id: one.listed.id, error: one.error } : [])),
    );
    part.left = [...left.map(({ listed }) => listed), ...listed.slice(reads)];
    part.interruption = left.length > 0 ? read.interruption : undefined;
    if (listed.length > 1) call.reportProgress(`Read ${part.orders.length} of ${listed.length} orders.`);
  }
  part.interruption ??= list?.interruption;
  return part;
};
