import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { leftMs } from '../client/call-limits.ts';
import type { Call } from './call.ts';

/** Maximum orders that a call reads, one request each. */
export const maxReads = 40;

/** Orders read at the same time. */
const atOnce = 8;

export interface ReadOrders {
  /** In the order of the IDs. */
  orders: Order[];
  /** Orders that can't be read, and why. */
  failed: { id: OrderId; error: OrderLicenseError }[];
  /** Orders left to the next call, in the order of the IDs. */
  left: OrderId[];
  /** Why orders that were asked for are left. */
  interruption: OrderLicenseError | undefined;
}

/**
 * Reads orders, one request each, until `isEnough` or 40 are read. Orders beyond the rate limit or the time are left.
 * @throws an error that every other order would meet as well
 */
export const readOrders = async (
  ids: readonly OrderId[],
  { client, signal, reportProgress, endsAt }: Call,
  isEnough: (orders: readonly Order[]) => boolean = () => false,
): Promise<ReadOrders> => {
  const wanted = [...new Map(ids.map((id) => [String(id), id])).values()];
  const read: ReadOrders = { orders: [], failed: [], left: [], interruption: undefined };
  let asked = 0;
  const hasTime = () => !read.interruption && performance.now() < endsAt;
  while (asked < Math.min(wanted.length, maxReads) && hasTime() && !isEnough(read.orders)) {
    const some = wanted.slice(asked, Math.min(asked + atOnce, maxReads));
    const outcomes = await Promise.all(
      some.map((id) =>
        client.getOrder(id, { signal, deadlineMs: leftMs(endsAt) }).catch((error: unknown) => {
          if (!isOrderLicenseError(error) || concernsAll.has(error.code)) throw error;
          return error as OrderLicenseError;
        }),
      ),
    );
    asked += some.length;
    for (const [index, outcome] of outcomes.entries()) {
      const id = some[index] as OrderId;
      if (!isOrderLicenseError(outcome)) read.orders.push(outcome as Order);
      else if (!outcome.retryable) read.failed.push({ id, error: outcome });
      else {
        read.left.push(id);
        read.interruption ??= outcome;
      }
    }
    if (wanted.length > 1) reportProgress?.(`Read ${read.orders.length} of ${wanted.length} orders.`);
  }
  return { ...read, left: [...read.left, ...wanted.slice(asked)] };
};

/** Errors that every other order would meet as well. */
const concernsAll: ReadonlySet<string> = new Set([
  'authentication',
  'not_business_account',
  'configuration',
  'aborted',
]);

/** The order with the fields that only its list entry has: payment, delivery and date. */
export const withListEntry = (order: Order, summary: OrderSummary | undefined): Order => ({
  ...order,
  ...Object.fromEntries(Object.entries(summary ?? {}).filter(([name]) => !Object.hasOwn(order, name))),
});
