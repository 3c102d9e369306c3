import { concernsEveryOrder, fullPage } from '@order-license/core/host';
import {
  type CallOptions,
  isOrderLicenseError,
  isRateLimitError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { countValues, maxValues, tooLong } from '../answers/visible-answer.ts';
import { type Call, readOptions } from './call.ts';
import type { Listed } from './read-range.ts';

/**
 * Maximum number of values in the orders of one part. It leaves a few values for the object that contains these orders.
 */
export const maxOrderValues = maxValues - 10;

interface Outcome {
  listed: Listed;
  /** Number of values in the order; 0 if the order could not be read. */
  values: number;
  order?: Order;
  error?: OrderLicenseError;
  /** Whether other orders may fail for the same reason, such as an outage, so that this order remains to be read. */
  isLeft?: boolean;
}

/** The orders with which a call checks whether the API responds. */
interface Checks {
  /** An order that could be read before. */
  readable: Listed | undefined;
  /** All orders to read. */
  listed: readonly Listed[];
  /** The orders that have failed before. */
  failed: readonly { id: OrderId }[];
  /** Whether an order could be one of those to read. */
  isWanted(order: OrderSummary): boolean;
}

/**
 * Reads some orders at the same time. If some fail, checks with another order whether the API is down. If the API
 * responds, an outage may just have ended, so the failed orders are read once more: those that fail again are broken.
 * @returns the outcomes in the given order, a readable order if one is known, and the error that leaves orders unread
 */
export const readSome = async (
  some: readonly Listed[],
  checks: Checks | undefined,
  call: Call,
): Promise<{ outcomes: Outcome[]; readable: Listed | undefined; interruption: OrderLicenseError | undefined }> => {
  const outcomes = await Promise.all(some.map((order) => readOrder(order, call)));
  const latest = outcomes.findLast(({ order }) => order)?.listed ?? checks?.readable;
  const error = interruptionOf(outcomes);
  if (!checks || !error || isRateLimitError(error)) return { outcomes, readable: latest, interruption: error };
  const failed = [...checks.failed, ...some];
  const checked = await checkApi({ ...checks, readable: latest, failed }, call);
  if (!checked.readable) {
    return { outcomes, readable: undefined, interruption: isRateLimitError(checked.error) ? checked.error : error };
  }
  const again = await Promise.all(outcomes.map((one) => (one.isLeft ? readAgain(one.listed, call) : one)));
  return { outcomes: again, readable: checked.readable, interruption: interruptionOf(again) };
};

/** Returns the error of the orders that remain to be read: preferably the one that says how long to wait. */
const interruptionOf = (outcomes: readonly Outcome[]): OrderLicenseError | undefined => {
  const errors = outcomes.filter(({ isLeft }) => isLeft).map(({ error }) => error);
  return errors.find(isRateLimitError) ?? errors[0];
};

/**
 * Reads an order that has not failed, to check whether the API is down. List requests prove nothing: the API may list
 * orders while it cannot return any. If no order could be read before, the order is chosen at random from `listed` and
 * the newest in the account, because it may be broken, too: a later call may then try a different one. Orders that the
 * call skips prove nothing either: without license codes, they may be readable while no others are.
 * @returns the order that was read, the error if it cannot be read, or neither if no other order is known
 */
const checkApi = async (
  { readable, listed, failed, isWanted }: Checks,
  call: Call,
): Promise<{ readable?: Listed | undefined; error?: OrderLicenseError }> => {
  const options = () => ({ ...readOptions(call), retries: 0 });
  const anyOther = async (): Promise<Listed | undefined> => {
    const { orders } = await call.client.listOrders({ ...options(), page: 1, perPage: fullPage });
    const failedIds = new Set(failed.map(({ id }) => String(id)));
    const others = [...listed, ...orders.filter(isWanted)].filter(({ id }) => !failedIds.has(String(id)));
    return others[Math.floor(Math.random() * others.length)];
  };
  try {
    const one = readable ?? (await anyOther());
    if (one) await call.client.getOrder(one.id, options());
    return { readable: one };
  } catch (thrown) {
    return { error: orderErrorOf(thrown) };
  }
};

/**
 * Reads an order, and adds the fields that only its list entry has: payment status, delivery status and date. Fields
 * that are null in the order's details also have the list entry's values.
 * @throws an error that every other order would also cause
 */
const readOrder = async (listed: Listed, call: Call, more: Pick<CallOptions, 'retries'> = {}): Promise<Outcome> => {
  try {
    const read = await call.client.getOrder(listed.id, { ...readOptions(call), ...more });
    const known = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null)) as typeof read;
    const order = { ...read, ...listed, ...known };
    const values = countValues(order);
    return values > maxOrderValues ? { listed, values: 0, error: tooLong() } : { listed, values, order };
  } catch (thrown) {
    const error = orderErrorOf(thrown);
    return { listed, values: 0, error, isLeft: error.code !== 'not_found' && error.code !== 'bad_request' };
  }
};

/** Reads an order that failed before the API responded again. A timeout may only mean that the call's time is up. */
const readAgain = async (listed: Listed, call: Call): Promise<Outcome> => {
  const one = await readOrder(listed, call, { retries: 0 });
  return { ...one, isLeft: one.error?.code === 'rate_limited' || one.error?.code === 'timeout' };
};

/** @throws an error that every other order would also cause */
const orderErrorOf = (thrown: unknown): OrderLicenseError => {
  if (!isOrderLicenseError(thrown) || concernsEveryOrder(thrown)) throw thrown;
  return thrown;
};
