/** The limits of each tool call and of its requests. */
export const callLimits = {
  /**
   * Maximum wait for the rate limit before each request, ms. If the limit allows no request before then, the call fails
   * at once, with an error that says how long to wait.
   */
  maxWaitMs: 20_000,
  /** Maximum duration of a tool call, including waits and retries, ms: common MCP clients give up after 60 s. */
  deadlineMs: 45_000,
};
