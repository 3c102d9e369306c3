/**
 * How urgent a call is, most urgent first: `interactive`, a person or a model waits for it; `background`, a program
 * that polls; `bulk`, one of many, such as those of a walk or an export.
 */
export type Priority = 'interactive' | 'background' | 'bulk';

export const priorities: readonly Priority[] = ['interactive', 'background', 'bulk'];

export interface CallOptions {
  /** Cancels the call: at once while it waits, and the request if one is under way. */
  signal?: AbortSignal | undefined;
  /**
   * A longer wait for the rate limit throws `rate_limited` at once, and one that the service asks for with a 5xx throws
   * `server`, ms. Default: the client's.
   */
  maxWaitMs?: number | undefined;
  /** The whole call, waits and retries included, ends within this, ms. Default: the client's. */
  deadlineMs?: number | undefined;
  /** One exchange, to the last byte, ms; at most 120,000. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Further attempts when the service, the network or the clock failed. Default: the client's. */
  retries?: number | undefined;
  /**
   * `interactive` calls are sent before `background` ones and those before `bulk` ones, but a priority that waits gets
   * about one permit in ten. Default: `bulk` in a walk, else `interactive`.
   */
  priority?: Priority | undefined;
  /**
   * Who calls. Calls of one priority take turns by consumer, so that thousands of one do not keep another waiting; the
   * same name is the same consumer in all clients of the key. Default: each walk, and each method of a client, is one.
   */
  consumer?: string | undefined;
  /**
   * Lets a `background` call use permits of `rateLimit.reserve`, as `interactive` ones may: for the one small request
   * with which a poller sees whether anything is new. Default: false.
   */
  useReserve?: boolean | undefined;
}
