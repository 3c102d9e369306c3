import { concernsEveryOrder, timeOf } from '@order-license/core/host';
import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { type Call, readOptions } from './call.ts';
import type { RangeQuery } from './range.ts';
import { type Listed, type Part, readRange } from './read-range.ts';
import { countValues, maxValues, tooLong } from './values.ts';

/** Maximum number of orders that a call reads, with one request each. */
export const maxReads = 40;

/** Maximum number of orders that are read at the same time. */
const atOnce = 8;
/** If this many different orders in a row cannot be read, the API is assumed to be out of reach. */
const maxInARow = 3;
/** Time before the end of a call in which a failure may only mean that the time is up, ms. */
const endingMs = 1_000;
/** Maximum number of values in the orders of a part. It leaves a few for the object that contains these orders. */
const maxOrderValues = maxValues - 10;

/** The orders to read: those in `orders`, or if there are none, those in `range`. */
export interface Wanted {
  orders: readonly Listed[];
  range: RangeQuery | undefined;
  /** If given, only these orders of the newest second in `range` are read, in this sequence. */
  first?: readonly OrderId[] | undefined;
}

export interface ReadLimits {
  /** Maximum number of orders to list. */
  maxOrders: number;
  /** Whether to read a listed order. Default: always. */
  isWanted?(order: OrderSummary): boolean;
  /** Whether a result that contains these orders is full. Default: never. */
  isEnough?(orders: readonly Order[]): boolean;
  /** Maximum number of orders to read. Default: 40. */
  most?: number;
}

export interface ReadPart extends Part {
  /** The list entries of the requested orders. */
  listed: readonly Listed[];
  /** The orders of the range that were not read, because `isWanted` returned false. */
  unwanted: readonly OrderSummary[];
  /** The orders that were read, with the fields of their list entries. */
  orders: Order[];
  failed: { id: OrderId; error: OrderLicenseError }[];
  left: readonly Listed[];
}

/**
 * Reads orders, with one request each, until `most` orders are read or `isEnough` returns true. Returns the remaining
 * orders as `left` if the rate limit or the call's time is used up, if three different orders in a row fail (404 does
 * not count), or if the orders read so far have as many values as a result may contain.
 * @throws an error that every other order would also cause
 */
export const readOrders = async (
  { orders, range, first }: Wanted,
  { maxOrders, isWanted = () => true, isEnough, most = maxReads }: ReadLimits,
  call: Call,
): Promise<ReadPart> => {
  const list = range && orders.length === 0 ? await readRange(range, { maxOrders, isWanted }, call) : undefined;
  const entries = list && beginWith(list.orders, range, first);
  const asked: readonly Listed[] = entries?.filter(isWanted) ?? orders;
  const listed = [...new Map(asked.map((order) => [String(order.id), order])).values()];
  const part: ReadPart = {
    rest: range,
    ...list,
    listed,
    first,
    unwanted: entries?.filter((order) => !isWanted(order)) ?? [],
    orders: [],
    failed: [],
    left: listed,
    interruption: undefined,
  };
  let values = 0;
  let inARow = 0;
  /** Adds an order to the part. Returns whether the next one may be added. */
  const add = ({ order, error }: Outcome): boolean => {
    if (order) {
      values += countValues(order);
      if (values > maxOrderValues) return false;
      part.orders.push(order);
      inARow = 0;
    } else if (error) {
      if (isInterruption(error, call)) {
        part.interruption = error;
        return false;
      }
      part.failed.push({ id: part.left[0]?.id ?? 0, error });
      if (error.code !== 'not_found') inARow += 1;
      if (inARow === maxInARow) part.interruption = error;
    }
    part.left = part.left.slice(1);
    return !part.interruption;
  };
  const end = Math.max(0, listed.length - most);
  let mayGoOn = true;
  while (mayGoOn && part.left.length > end && !isEnough?.(part.orders)) {
    const some = part.left.slice(0, Math.min(atOnce, part.left.length - end));
    const outcomes = await Promise.all(some.map((order) => readOrder(order, call)));
    mayGoOn = outcomes.every(add);
    if (listed.length > 1) call.reportProgress(`Read ${part.orders.length} of ${listed.length} orders.`);
  }
  part.interruption ??= list?.interruption;
  return part;
};

/** Returns the orders of a range. If `first` is given, these are the only ones in the range's newest second. */
const beginWith = (
  orders: readonly OrderSummary[],
  range: RangeQuery | undefined,
  first: readonly OrderId[] | undefined,
): readonly OrderSummary[] => {
  const before = range?.before;
  if (!first || !before) return orders;
  const isNewest = (order: OrderSummary): boolean => timeOf(order) >= before.getTime() - 1000;
  const byId = new Map(orders.filter(isNewest).map((order) => [String(order.id), order]));
  return [...first.flatMap((id) => byId.get(String(id)) ?? []), ...orders.filter((order) => !isNewest(order))];
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
    const order = { ...read, ...listed, ...known };
    return countValues(order) > maxOrderValues ? { error: tooLong() } : { order };
  } catch (error) {
    if (!isOrderLicenseError(error) || concernsEveryOrder(error)) throw error;
    return { error };
  }
};

/** Whether the error says nothing about the order, so that the order remains to be read. */
const isInterruption = ({ code, retryable }: OrderLicenseError, { endsAt }: Call): boolean =>
  code === 'rate_limited' || code === 'aborted' || (retryable && endsAt - performance.now() < endingMs);
