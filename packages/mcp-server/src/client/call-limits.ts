export const callLimits = {
  /** A longer wait for the rate limit is answered at once with when to come back, ms. */
  maxWaitMs: 20_000,
  /** A whole call of a tool, waits and retries included, ms: common MCP clients give up after 60 s. */
  deadlineMs: 45_000,
};
