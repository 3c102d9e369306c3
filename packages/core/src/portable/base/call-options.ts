/**
 * How urgent a call is, most urgent first: `interactive`, a person or a model is waiting; `background`, a program that
 * polls; `bulk`, one of many, such as those of a walk or an export.
 */
export type Priority = 'interactive' | 'background' | 'bulk';

export const priorities: readonly Priority[] = ['interactive', 'background', 'bulk'];

export interface CallOptions {
  /** Cancels the call: at once while it waits, and its request if one is in flight. */
  signal?: AbortSignal | undefined;
  /**
   * If the rate limit requires a longer wait, the call throws `rate_limited` at once; if the service asks for a longer
   * one with a 5xx, `server`, ms. Default: the client's.
   */
  maxWaitMs?: number | undefined;
  /** The whole call, including waits and retries, ends within this time, ms. Default: the client's. */
  deadlineMs?: number | undefined;
  /** One request, to the last byte of its response, ms; at most 120,000. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Further attempts after a failure of the service, the network or the clock. Default: the client's. */
  retries?: number | undefined;
  /**
   * `interactive` calls are sent before `background` ones and those before `bulk` ones, but a waiting priority gets
   * about one permit in ten. Default: `bulk` in a walk, otherwise `interactive`.
   */
  priority?: Priority | undefined;
  /**
   * The caller's name. Calls of one priority take turns by consumer, so that thousands of one do not delay another's.
   * The same name is the same consumer in all clients of the key. Default: each walk, and each client method, is one.
   */
  consumer?: string | undefined;
  /**
   * Lets a `background` call use permits of `rateLimit.reserve`, as `interactive` ones may: for the one small request
   * that checks whether there is anything new. Default: false.
   */
  useReserve?: boolean | undefined;
}
