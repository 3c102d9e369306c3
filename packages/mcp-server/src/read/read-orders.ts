import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { type Call, readOptions } from './call.ts';
import type { RangeQuery } from './range.ts';
import { type Part, readRange } from './read-range.ts';

/** Maximum orders that a call reads, one request each. */
export const maxReads = 40;

/** Orders read at the same time. */
const atOnce = 8;

/** An order to read: its ID, and the rest of its list entry if it is known. */
export interface Listed extends Pick<OrderSummary, 'id'> {
  created_at?: string | undefined;
}

/** What a call asks for: these orders, then those of the range. */
export interface Wanted {
  orders: readonly Listed[];
  range: RangeQuery | undefined;
}

export interface ReadLimits {
  /** Maximum orders to list. */
  maxOrders: number;
  /** Whether a listed order is to be read. Default: every one. */
  isWanted?(order: OrderSummary): boolean;
  /** Whether the orders read so far are as much as an answer holds. Default: never. */
  isEnough?(orders: readonly Order[]): boolean;
  /** Maximum orders to read. Default 40. */
  most?: number;
}

export interface ReadPart extends Part {
  /** The list entries of the orders asked for. */
  listed: readonly Listed[];
  /** With the fields of their list entries. */
  orders: Order[];
  /** Orders that cannot be read, and why. */
  failed: { id: OrderId; error: OrderLicenseError }[];
  /** Listed orders left to the next call. */
  left: Listed[];
}

/**
 * Reads the next orders of what is wanted, one request each, until 40 are read or it `isEnough`. It lists orders of the
 * range only if no listed ones are left. Orders beyond the rate limit or the time are left to the next call.
 * @throws an error that every other order would meet as well
 */
export const readOrders = async (
  { orders, range }: Wanted,
  { maxOrders, isWanted, isEnough, most = maxReads }: ReadLimits,
  call: Call,
): Promise<ReadPart> => {
  const list = range && orders.length === 0 ? await readRange(range, { maxOrders }, call) : undefined;
  const asked = list?.orders.filter((order) => isWanted?.(order) ?? true) ?? orders;
  const listed = [...new Map(asked.map((order) => [String(order.id), order])).values()];
  const { totals, ...covered } = list ?? { totals: undefined, rest: range };
  const part: ReadPart = { ...covered, listed, orders: [], failed: [], left: [] };
  let next = 0;
  let isOver = false;
  while (next < Math.min(listed.length, most) && !isOver && !isEnough?.(part.orders)) {
    const some = listed.slice(next, Math.min(next + atOnce, most));
    next += some.length;
    const outcomes = await Promise.all(some.map((order) => readOrder(order, call)));
    for (const { listed, order, error } of outcomes) {
      if (!error) part.orders.push(order);
      else if (!error.retryable) part.failed.push({ id: listed.id, error });
      else {
        part.left.push(listed);
        part.interruption ??= error;
        isOver = true;
      }
    }
    if (listed.length > 1) call.reportProgress(`Read ${part.orders.length} of ${listed.length} orders.`);
  }
  part.left.push(...listed.slice(next));
  return part;
};

type Outcome = { listed: Listed } & (
  | { order: Order; error?: undefined }
  | { order?: undefined; error: OrderLicenseError }
);

/**
 * Reads an order, and adds the fields that only its list entry has: payment, delivery and date.
 * @returns an error that concerns this order alone, or that a later call may not meet
 */
const readOrder = async (listed: Listed, call: Call): Promise<Outcome> => {
  try {
    const order = await call.client.getOrder(listed.id, readOptions(call));
    return { listed, order: { ...order, ...listed, ...order } };
  } catch (error) {
    if (!isOrderLicenseError(error) || concernsAll.has(error.code)) throw error;
    return { listed, error };
  }
};

/** Errors that every other order would meet as well. */
const concernsAll: ReadonlySet<string> = new Set([
  'authentication',
  'not_business_account',
  'configuration',
  'aborted',
]);
