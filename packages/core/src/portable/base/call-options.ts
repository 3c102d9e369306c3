/** Somebody waits for an interactive call; a bulk call is one of many. */
export type Priority = 'interactive' | 'bulk';

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
  /** `interactive` calls are sent before `bulk` ones. Default: `bulk` in a walk, else `interactive`. */
  priority?: Priority | undefined;
}
