import type { Signal } from './signal.ts';

/**
 * Urgency of a call, most urgent first: `interactive` if a person or a model is waiting; `background` if a program
 * polls; `bulk` for one of many calls, as in a walk or an export.
 */
export type Priority = 'interactive' | 'background' | 'bulk';

export interface CallOptions {
  /** Cancels the call at once, and aborts its request if one is in flight. */
  signal?: Signal | undefined;
  /**
   * Longest wait for the rate limit before each attempt, ms, and longest wait that a response such as 503 may ask for.
   * As soon as the next permit is known to come later, the call throws `rate_limited`; if a response asks for more, it
   * throws `server`. Waiting for other requests in flight does not count. Default: the client's.
   */
  maxWaitMs?: number | undefined;
  /** Time limit for the whole call, including waits and retries, ms. Default: the client's. */
  deadlineMs?: number | undefined;
  /**
   * Time limit for one request, to the last byte of its response, and for one call of an `apiKey` function, ms; at most
   * 120,000. Default: the client's.
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of retries after a failure of the API, the network or the store. Default: the client's, otherwise 2;
   * `background` and `bulk` calls are then retried for two minutes, unless the API has never responded to this client
   * and a rejected connection or an HTML page suggests that its address is wrong.
   */
  retries?: number | undefined;
  /**
   * `interactive` calls are sent before `background` calls, which are sent before `bulk` calls. A lower priority with
   * waiting calls still gets about one permit in ten. Default: `bulk` in a walk, otherwise `interactive`.
   */
  priority?: Priority | undefined;
  /**
   * Name of the consumer: the part of a program that sends the call. Within a priority, consumers take turns, so
   * thousands of calls from one consumer do not delay the calls of another. In all clients with the same key, the same
   * name stands for the same consumer. By default, each walk is a consumer of its own; so are, for each client,
   * `getMe`, `listOrders`, `getOrder`, and all searches and counts together.
   */
  consumer?: string | undefined;
  /** Trace context (W3C `traceparent`) that this call's events carry; it is not sent to the API. */
  traceparent?: string | undefined;
}

/** Options of a call that a poll sends. */
export interface PollCallOptions extends CallOptions {
  /** Whether this call may use the permits of `rateLimit.reserve`, as `interactive` calls do. Default: false. */
  useReserve?: boolean | undefined;
}

/**
 * Maximum duration of a request, ms. A permit that is never settled expires after this time plus one window and the
 * guard.
 */
export const maxFlightMs = 120_000;

/** Time limits of a call, ms, and its maximum number of retries, if set. */
export interface CallLimits extends Record<'maxWaitMs' | 'deadlineMs' | 'timeoutMs', number> {
  retries: number | undefined;
}
