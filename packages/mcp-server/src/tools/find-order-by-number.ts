import {
  isOrderLicenseError,
  type Order,
  OrderLicenseError,
  type OrderSearch,
  type OrderSummary,
} from '@order-license/core/portable';
import { callLimits } from '../client/call-limits.ts';
import { askedOrderId } from './order-id.ts';
import type { ToolCall } from './tool.ts';

/**
 * Reads the order with this number: at most 14 list requests, then one for the order.
 * @throws `not_found` or `not_located` with how far it looked and how to go on, besides what a call throws
 */
export const findOrderByNumber = async (orderNumber: string, call: ToolCall): Promise<Order> => {
  const endsAt = performance.now() + callLimits.deadlineMs;
  const { id } = await search(orderNumber, call);
  const { client, signal } = call;
  try {
    return await client.getOrder(id, { signal, deadlineMs: Math.max(1, endsAt - performance.now()) });
  } catch (error) {
    const canBeAsked = askedOrderId.safeParse(id).success;
    throw canBeAsked ? withHint(error, `The order has id ${id}: next time call get_order with it.`) : error;
  }
};

const search = async (orderNumber: string, { client, signal, reportProgress }: ToolCall): Promise<OrderSummary> => {
  const onPage = reportProgress && ((soFar: OrderSearch) => reportProgress(`Looked at ${describeSpan(soFar)}.`));
  try {
    return (await client.findOrder(orderNumber, { signal, onPage })).order;
  } catch (error) {
    if (isOrderLicenseError(error) && error.search) {
      const { code, search } = error;
      throw new OrderLicenseError(code, { ...describeMiss(orderNumber, search), search });
    }
    const page = isOrderLicenseError(error) ? error.page : undefined;
    throw page === undefined || page === 1
      ? error
      : withHint(error, `Not among the newest orders so far. ${goOn(page)}`);
  }
};

const describeMiss = (orderNumber: string, found: OrderSearch): { detail: string; advice: string } => {
  const { searched, oldest, nextPage, between } = found;
  const wanted = `No order with number ${JSON.stringify(orderNumber)}`;
  if (nextPage === undefined) {
    const detail = `${wanted} belongs to the account of the API key: all ${searched} orders were looked at`;
    return { detail, advice: 'Check the number.' };
  }
  if (between) {
    const detail = `${wanted} stands where the list, sorted by number, would have it: ${describePlace(between)}`;
    return { detail, advice: `Check the number. ${goOn(1)}` };
  }
  const back = isTimestamp(oldest) ? `, back to ${oldest} UTC` : '';
  return { detail: `${wanted} is among the newest ${describeSpan(found)}${back}`, advice: goOn(nextPage) };
};

/** @param between not both of its sides are empty: the list has an order */
const describePlace = ({ newer, older }: NonNullable<OrderSearch['between']>): string => {
  const [higher, lower] = [newer, older].map((number) => JSON.stringify(number));
  if (higher === undefined) return `above the newest, ${lower}`;
  return lower === undefined ? `below the oldest, ${higher}` : `between ${lower} and ${higher}`;
};

const describeSpan = ({ searched, total }: OrderSearch): string =>
  Number.isSafeInteger(total) ? `${searched} of ${total} orders` : `${searched} orders`;

const goOn = (page: number): string => `To look further, call list_orders with per_page 50 from page ${page} on.`;

const isTimestamp = (value: OrderSummary['created_at'] | undefined): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);

const withHint = (error: unknown, hint: string): unknown =>
  isOrderLicenseError(error) ? error.addAdvice(hint) : error;
