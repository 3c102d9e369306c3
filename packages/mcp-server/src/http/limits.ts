/** Concurrent tool calls of all callers, running or waiting. */
export const maxCalls = 64;
/** Concurrent requests of every kind, including those still being received. */
export const maxRequests = 512;
/** The arguments of a tool are a few hundred bytes. */
export const maxBodyBytes = 256 * 1024;
/** From a request's arrival to the end of its answer, ms; a tool call itself ends within 45 s. */
export const requestDeadlineMs = 60_000;

/** Maximum time to receive a request, ms. */
const receiveMs = 15_000;

/** What node:http enforces for each connection, ms. */
export const connectionLimits = {
  requestTimeout: receiveMs,
  headersTimeout: receiveMs,
  /** How often connections are checked against these limits. */
  connectionsCheckingInterval: 1_000,
  /** Longer than proxies keep theirs (60 s), so that no request arrives on a closing connection. */
  keepAliveTimeout: 75_000,
};
