import { type OrderSummary, toDate } from '@order-license/core/portable';
import { compactRows } from '../answers/compact-rows.ts';
import { type AnyPart, argumentsForRest, describePart } from '../answers/describe-part.ts';
import { matchingItems } from '../answers/order-codes.ts';
import { spentBy } from '../read/call.ts';
import type { RangeQuery } from '../read/range.ts';
import { type Listed, maxReads, readOrders } from '../read/read-orders.ts';
import { readRange } from '../read/read-range.ts';
import type { ToolCall } from './tool.ts';

const maxOrders = 100;

/** What a search returns besides the range. */
export interface SearchOptions {
  /** Maximum orders. */
  per_page?: number | undefined;
  /** Only orders with an item whose product name contains this: each order of the range is read. */
  product?: string | undefined;
}

/** Orders of a range as a table. */
export const searchOrders = async (range: RangeQuery, more: SearchOptions, call: ToolCall): Promise<object> => {
  const { per_page: limit = maxOrders, product } = more;
  const part =
    product === undefined
      ? await readRange(range, { maxOrders: limit }, call)
      : await readWithProduct(range, product, Math.min(limit, maxReads), call);
  const { orders } = call.show({ orders: part.orders });
  return {
    ...describePart(part, await spentBy(call), argumentsForRest(part, more)),
    count: orders.length,
    ...compactRows(orders),
  };
};

/**
 * The orders of a range that have the product.
 * @returns a part that ends before the second of the first order that could not be read
 */
const readWithProduct = async (
  range: RangeQuery,
  product: string,
  maxOrders: number,
  call: ToolCall,
): Promise<AnyPart & { orders: OrderSummary[] }> => {
  const { left, listed, ...read } = await readOrders(
    { orders: [], range },
    { maxOrders, most: Number.POSITIVE_INFINITY },
    call,
  );
  const found = new Set(
    read.orders.filter((order) => matchingItems(order, product).length > 0).map(({ id }) => String(id)),
  );
  const [unread] = left;
  const end = unread ? timeOf(unread) + 1000 : Number.NEGATIVE_INFINITY;
  const whole = listed.filter((order) => !(timeOf(order) < end)) as OrderSummary[];
  if (unread && whole.length === 0) throw read.interruption;
  const orders = whole.filter(({ id }) => found.has(String(id)));
  return { ...read, orders, rest: unread ? { ...range, before: new Date(end) } : read.rest };
};

/** ms */
const timeOf = ({ created_at }: Listed): number => toDate(created_at)?.getTime() ?? 0;
