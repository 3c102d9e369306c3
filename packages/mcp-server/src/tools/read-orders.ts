import { listOf, orderShape } from '@order-license/core/masking';
import { isOrderLicenseError, type Order, type OrderId, type OrderLicenseError } from '@order-license/core/portable';
import { countCodes, maxPlainCodes, withoutCodes } from '../answers/code-pages.ts';
import { retryAfter } from './retry-after.ts';
import { type Answer, shapedAnswer, type ToolCall } from './tool.ts';

/** Maximum orders per call. */
export const maxIds = 20;

interface Read {
  id: OrderId;
  order?: Order;
  error?: OrderLicenseError;
}

/**
 * Reads several orders, one request each, in the order of `ids`. Returns at most 50 license codes in all; an order
 * whose codes don't fit says how to read them. An order that can't be read is returned as its error; orders beyond the
 * rate limit or the time are left to the next call.
 * @param withCodes false for the number of codes alone
 * @throws what a call throws, if no order can be returned or every call would fail
 */
export const readOrders = async (
  ids: readonly OrderId[],
  withCodes: boolean,
  { client, signal }: ToolCall,
): Promise<Answer> => {
  const reads = await Promise.all(
    [...new Map(ids.map((id) => [String(id), id])).values()].map(async (id): Promise<Read> => {
      try {
        return { id, order: await client.getOrder(id, { signal }) };
      } catch (error) {
        if (!isOrderLicenseError(error) || concernsAll.has(error.code)) throw error;
        return { id, error };
      }
    }),
  );
  const left = reads.filter(({ error }) => error?.retryable);
  const [{ error: interruption } = {}] = left;
  if (interruption && left.length === reads.length) throw interruption;
  const given = reads.filter(({ error }) => !error?.retryable);
  const orders = given.flatMap(({ order }) => order ?? []);
  const answer = shapedAnswer({ orders }, (shown) => {
    let codesLeft = maxPlainCodes;
    const shownOrders = shown.orders.values();
    const answers = given.map(({ id, error }) => {
      if (error) return { id, error: { code: error.code, detail: error.detail, advice: error.advice } };
      const order = shownOrders.next().value as Order;
      if (!withCodes) return withoutCodes(order);
      const codes = countCodes(order);
      if (codes > codesLeft) return { ...withoutCodes(order), codes_left_out: codes, read_codes_with: { id } };
      codesLeft -= codes;
      return order;
    });
    return {
      orders: answers,
      ...(interruption && {
        interrupted_by: interruption.code,
        ...retryAfter(interruption),
        advice: interruption.message,
        continue: { ids: left.map(({ id }) => id) },
      }),
    };
  });
  return { ...answer, documented: { orders: listOf(orderShape) } };
};

/** Errors that every other order would meet as well. */
const concernsAll: ReadonlySet<string> = new Set([
  'authentication',
  'not_business_account',
  'configuration',
  'aborted',
]);
