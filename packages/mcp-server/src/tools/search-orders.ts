import { OrderLicenseError, type OrderSummary, toDate } from '@order-license/core/portable';
import { compactRows } from '../answers/compact-rows.ts';
import { describePart } from '../answers/describe-part.ts';
import { matchingItems } from '../answers/order-codes.ts';
import { argumentsOf, type RangeQuery } from '../read/range.ts';
import { maxReads, type ReadOrders, readOrders } from '../read/read-orders.ts';
import { maxListRequests, type RangePart, readRange } from '../read/read-range.ts';
import { type Answer, shapedAnswer, type ToolCall } from './tool.ts';

const maxOrders = 100;

/** What a search returns besides the range. */
export interface SearchOptions {
  perPage: number | undefined;
  /** Only orders with an item whose product name contains this: each order of the range is read. */
  product: string | undefined;
}

/** Orders of a range as a table. */
export const searchOrders = async (
  range: RangeQuery,
  { perPage, product }: SearchOptions,
  call: ToolCall,
): Promise<Answer> => {
  const limit = Math.min(perPage ?? maxOrders, product === undefined ? maxOrders : maxReads);
  const listed = await readRange(range, { maxOrders: limit, maxRequests: maxListRequests }, call);
  const { part, read } =
    product === undefined ? { part: listed, read: undefined } : await withProduct(listed, product, call);
  const { continueBefore } = part;
  const next = continueBefore !== undefined && {
    ...argumentsOf({ ...range, before: new Date(continueBefore) }),
    ...(perPage !== undefined && { per_page: perPage }),
    ...(product !== undefined && { product }),
  };
  return shapedAnswer({ orders: part.orders }, ({ orders }) => ({
    ...describePart({ range, part, requests: call.requests(), next: next || undefined, failed: read?.failed ?? [] }),
    count: orders.length,
    ...compactRows(orders),
  }));
};

/** Reads the orders, and keeps those with the product; the part ends before the first that could not be read. */
const withProduct = async (
  part: RangePart,
  product: string,
  call: ToolCall,
): Promise<{ part: RangePart; read: ReadOrders }> => {
  const read = await readOrders(
    part.orders.map(({ id }) => id),
    call,
  );
  const left = new Set(read.left.map(String));
  const [unread] = part.orders.filter(({ id }) => left.has(String(id)));
  const time = (order: OrderSummary): number => toDate(order.created_at)?.getTime() ?? 0;
  const cut = unread && time(unread) + 1000;
  const found = new Set(
    read.orders.filter((order) => matchingItems(order, product).length > 0).map(({ id }) => String(id)),
  );
  if (cut !== undefined && !part.orders.some((order) => time(order) >= cut)) {
    throw read.interruption ?? tooMany();
  }
  const orders = part.orders.filter(
    (order) => found.has(String(order.id)) && (cut === undefined || time(order) >= cut),
  );
  const { interruption = part.interruption } = read;
  return { part: { ...part, orders, interruption, ...(cut !== undefined && { continueBefore: cut }) }, read };
};

/** More orders of one second than a call reads. */
const tooMany = (): OrderLicenseError =>
  new OrderLicenseError('server', {
    detail: `More than ${maxReads} orders were created in one second, too many to look for a product`,
    advice: 'Call get_order with the same dates and product instead.',
    retryable: false,
  });
