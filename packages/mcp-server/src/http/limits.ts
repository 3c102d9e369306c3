/** Calls of tools that run or wait at a time, of everybody. */
export const maxCalls = 64;
/** Of every kind, those included that are still being received. */
export const maxRequests = 512;
/** The arguments of a tool are a few hundred bytes. */
export const maxBodyBytes = 256 * 1024;
/** From the arrival of a request to the end of its answer, ms; a call of a tool ends within 45 s by itself. */
export const requestDeadlineMs = 60_000;

/** To receive a request, ms. */
const receiveMs = 15_000;

/** What node:http enforces for each connection, ms. */
export const connectionLimits = {
  requestTimeout: receiveMs,
  headersTimeout: receiveMs,
  /** How often it looks for connections over these limits. */
  connectionsCheckingInterval: 1_000,
  /** Longer than proxies keep theirs (60 s), so that no request meets a connection that is just being closed. */
  keepAliveTimeout: 75_000,
};
