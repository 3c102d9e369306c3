import { codeOf, isObject } from '@order-license/core/host';
import { EnvHttpProxyAgent } from 'undici';

/**
 * Maximum time for one attempt to read the issuer's metadata and keys, ms. It is short, because calls wait for the
 * attempt.
 */
export const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/** The error for a missing or unusable response from the issuer; its message says why in a few words. */
export class Unreadable extends Error {
  /** Whether there was no response, or one with status 5xx: the same request may succeed later. */
  readonly isAway: boolean;

  constructor(problem: string, isAway = false) {
    super(problem);
    this.isAway = isAway;
  }
}

/** The agents that send the requests, by protocol. */
const agents: Record<string, EnvHttpProxyAgent> = {};

/**
 * Reads a JSON object from the issuer. Like requests to the API, HTTPS requests use the proxy in HTTPS_PROXY or
 * HTTP_PROXY, and plain HTTP bypasses it. Doesn't follow redirects.
 * @throws Unreadable
 */
export const fetchJson = async (
  address: string,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<Record<string, unknown>> => {
  const { protocol, origin, pathname, search } = new URL(address);
  let status: number | undefined;
  try {
    const direct = protocol === 'http:' ? { noProxy: '*' } : {};
    agents[protocol] ??= new EnvHttpProxyAgent({ allowH2: false, maxResponseSize: maxBytes, ...direct });
    const headers = { accept: 'application/json', 'user-agent': 'order-license-mcp' };
    const response = await agents[protocol].request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers,
      signal,
    });
    status = response.statusCode;
    const text = await response.body.text();
    const json = status === 200 ? JSON.parse(text) : undefined;
    if (isObject(json)) return json;
  } catch (error) {
    throw new Unreadable(explain(error), status === undefined);
  }
  throw status === 200 ? new Unreadable('not a JSON object') : new Unreadable(`HTTP status ${status}`, status >= 500);
};

/** Describes an error by its code alone, because its message could quote the response. */
const explain = (error: unknown): string => {
  if (error instanceof SyntaxError) return 'not JSON';
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  return codeOf(error) ?? 'no connection';
};
