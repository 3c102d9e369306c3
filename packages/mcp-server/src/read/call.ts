import { type Client, isRateLimitError, RateLimitError } from '@order-license/core/portable';

/** A running call. */
export interface Call {
  client: Client;
  /** Aborted when the MCP client cancels the call. */
  signal: AbortSignal;
  /** Tells the MCP client what the call is doing, if it asked for progress. */
  reportProgress(message: string): void;
  /** Requests sent to the API so far. */
  requests(): number;
  /** When the call must end: ms of `performance.now()`. */
  endsAt: number;
  /** What a model may see of the API's data: a call returns only this, and writes only this to files. */
  show<Data extends object>(data: Data): Data;
}

/** The options of every read of a call: it ends with the call, and goes before exports. */
export const readOptions = ({ signal, endsAt }: Call) =>
  ({ signal, deadlineMs: Math.max(1, endsAt - performance.now()), priority: 'interactive' }) as const;

/** After this long without a request, the whole limit is available, ms. */
const wholeLimitMs = 61_000;

/**
 * For a search that the limit stopped before it had a result: the same error, with the time at which the whole limit is
 * available. With only the first permits that return, every further call would stop at the same place.
 */
export const afterWholeLimit = (error: unknown, { requests }: Call): unknown => {
  if (!isRateLimitError(error) || error.source !== 'local' || requests() === 0) return error;
  const { reason, position, retryAfterMs } = error;
  return Object.assign(new RateLimitError('local', Math.max(wholeLimitMs, retryAfterMs), { reason }), { position });
};
