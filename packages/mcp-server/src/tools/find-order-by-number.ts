import {
  type FindResult,
  isOrderLicenseError,
  type Order,
  OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { callLimits } from '../client-opener.ts';
import type { ToolCall } from './tool.ts';

const maxRequests = 10;

/**
 * Reads the order with this number: at most ten list requests of 50 orders, newest first, then one for the order.
 * @throws `not_found` with how far it looked and how to go on, besides what a call throws
 */
export const findOrderByNumber = async (orderNumber: string, { client, signal }: ToolCall): Promise<Order> => {
  const endsAt = performance.now() + callLimits.deadlineMs;
  const found = await search(orderNumber, { client, signal });
  if (!found.order) throw new OrderLicenseError('not_found', describeMiss(orderNumber, found));
  const { id } = found.order;
  try {
    return await client.getOrder(id, { signal, deadlineMs: Math.max(1, endsAt - performance.now()) });
  } catch (error) {
    throw withHint(error, `The order has id ${id}: next time call get_order with it.`);
  }
};

const search = async (orderNumber: string, { client, signal }: ToolCall): Promise<FindResult> => {
  try {
    return await client.findOrder(orderNumber, { maxRequests, signal });
  } catch (error) {
    const page = isOrderLicenseError(error) ? error.page : undefined;
    throw page === undefined || page === 1
      ? error
      : withHint(error, `Not among the newest orders so far. ${goOn(page)}`);
  }
};

const describeMiss = (orderNumber: string, { searched, total, oldest, nextPage }: FindResult): string => {
  const wanted = `No order with number ${JSON.stringify(orderNumber)}`;
  if (nextPage === undefined) {
    return `${wanted} belongs to the account of the API key: all ${searched} orders were looked at; check the number.`;
  }
  const of = Number.isSafeInteger(total) ? ` of ${total}` : '';
  const back = isTimestamp(oldest) ? `, back to ${oldest} UTC` : '';
  return `${wanted} is among the newest ${searched}${of} orders${back}. ${goOn(nextPage)}`;
};

const goOn = (page: number): string => `To look further, call list_orders with per_page 50 from page ${page} on.`;

const isTimestamp = (value: OrderSummary['created_at'] | undefined): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);

/** The same error with one more sentence. */
const withHint = (error: unknown, hint: string): unknown => {
  if (!isOrderLicenseError(error)) return error;
  const { code, message, status, serverText } = error;
  return new OrderLicenseError(code, `${message} ${hint}`, { status, serverText });
};
