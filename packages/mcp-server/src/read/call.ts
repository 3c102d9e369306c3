import { type Client, isRateLimitError, RateLimitError } from '@order-license/core/portable';

/** A kind of data that results mask. */
export type MaskedKind = 'license_keys' | 'personal_data' | 'other_fields';

/** A running tool call. */
export interface Call {
  client: Client;
  /** Aborted when the MCP client cancels the call. */
  signal: AbortSignal;
  /** The caller's trace. */
  traceparent: string | undefined;
  /** Tells the MCP client what the call is doing, if it asked for progress. */
  reportProgress(message: string): void;
  /** Returns the number of requests sent to the API so far. */
  requests(): number;
  /** Time by which the call must end, on the clock of `performance.now()`, ms. */
  endsAt: number;
  /**
   * Returns the part of the API's data that a model may see. A call returns only this part, and writes only this part
   * to files.
   * @param beside other data, whose license keys are hidden as well
   */
  show<Data extends object>(data: Data, beside?: object): Data;
  /** The kinds of data masked in all that `show` has returned; the result names them. */
  masked: Set<MaskedKind>;
  /** Returns the field that a result has if anything in it is masked. */
  maskingNote(): object;
}

/** Returns the options for every read in a call: a read ends when the call ends, and has the highest priority. */
export const readOptions = ({ signal, traceparent, endsAt }: Pick<Call, 'signal' | 'traceparent' | 'endsAt'>) =>
  ({ signal, traceparent, deadlineMs: Math.max(1, endsAt - performance.now()), priority: 'interactive' }) as const;

/** Maximum number of orders that are passed to `show` at once. */
const maxShown = 200;

/**
 * Returns the part of these orders that a model may see. Passes the orders to `show` in groups: `show` rejects input
 * with too many values, and thousands of orders would exceed that limit.
 */
export const showAll = <One extends object>(orders: readonly One[], { show }: Call): One[] => {
  const starts = Array.from({ length: Math.ceil(orders.length / maxShown) }, (_, group) => group * maxShown);
  return starts.flatMap((start) => show({ orders: orders.slice(start, start + maxShown) }).orders);
};

/** Time without requests after which the whole limit is available, ms. */
const wholeLimitMs = 61_000;

/**
 * If the rate limit stopped a search before it had a result, changes the wait in the error to the time until the whole
 * limit is available. A retry with only a few permits would stop at the same place again.
 */
export const afterWholeLimit = (error: unknown, { requests }: Call): unknown => {
  if (!isRateLimitError(error) || error.source !== 'local' || requests() === 0) return error;
  const { reason, oldest, createdBefore, retryAfterMs } = error;
  const later = new RateLimitError('local', Math.max(wholeLimitMs, retryAfterMs), { reason });
  return oldest === undefined ? later : Object.assign(later, { oldest, createdBefore });
};
