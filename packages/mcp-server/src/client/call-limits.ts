export const callLimits = {
  /** Maximum wait for the rate limit, ms; instead of a longer one, the call fails at once with the time to wait. */
  maxWaitMs: 20_000,
  /** Maximum duration of a tool call, with waits and retries, ms: common MCP clients give up after 60 s. */
  deadlineMs: 45_000,
};
