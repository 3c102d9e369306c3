import type { Signal } from './signal.ts';

/**
 * Urgency of a call, most urgent first: `interactive`, a person or a model is waiting; `background`, a program polls;
 * `bulk`, one of many calls, as in a walk or an export.
 */
export type Priority = 'interactive' | 'background' | 'bulk';

export interface CallOptions {
  /** Cancels the call at once, and aborts its request if one is in flight. */
  signal?: Signal | undefined;
  /**
   * Maximum wait before each attempt, ms. If the rate limit requires a longer wait, the call throws `rate_limited` at
   * once; if a 5xx response asks for a longer wait, it throws `server`. Default: the client's.
   */
  maxWaitMs?: number | undefined;
  /** Time limit for the whole call, including waits and retries, ms. Default: the client's. */
  deadlineMs?: number | undefined;
  /** Time limit for one request, to the last byte of its response, ms; at most 120,000. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Further attempts after a failure of the API, the network or the clock. Default: the client's. */
  retries?: number | undefined;
  /**
   * `interactive` calls are sent before `background` calls, which are sent before `bulk` calls. A lower priority with
   * waiting calls still gets about one permit in ten. Default: `bulk` in a walk, otherwise `interactive`.
   */
  priority?: Priority | undefined;
  /**
   * The caller's name. Within a priority, consumers take turns, so thousands of calls from one consumer do not delay
   * another's. A name means the same consumer in all clients with the same key. Default: each walk and each client
   * method is a consumer of its own.
   */
  consumer?: string | undefined;
  /** A trace context (W3C `traceparent`), which this call's events carry. It is not sent. */
  traceparent?: string | undefined;
  /**
   * Lets a `background` call use the permits of `rateLimit.reserve`, as `interactive` calls do. Meant for one small
   * request that checks whether anything is new. Default: false.
   */
  useReserve?: boolean | undefined;
}

/**
 * Maximum duration of a request in flight, ms. A permit that is never settled expires one window plus guard after that
 * time.
 */
export const maxFlightMs = 120_000;

/** How long a call may take, ms, and how often it is retried. */
export type CallLimits = Record<'maxWaitMs' | 'deadlineMs' | 'timeoutMs' | 'retries', number>;
