import { routeTo, tunnelError } from '@order-license/core/agents';
import { codeOf, isObject, readBody, unlessAborted } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { errors } from 'jose';

/**
 * Maximum time for one attempt to read the issuer's metadata, or its keys, ms. It is short, because calls wait for the
 * attempt.
 */
export const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/** The error for a missing or unusable response from the issuer; its message says why in a few words. */
export class Unreadable extends Error {
  /** Whether the same request may succeed later, because there was no complete response or only a temporary status. */
  readonly isAway: boolean;

  constructor(problem: string, isAway = false) {
    super(problem);
    this.isAway = isAway;
  }
}

/**
 * Reads a JSON object from the issuer, and checks it. Uses the same connections and proxy as requests to the API.
 * Doesn't follow redirects.
 * @param check returns what the caller needs, or throws Unreadable or one of jose's errors
 * @throws Unreadable, whose message begins with the address; `configuration` if the environment names the proxy in an
 * invalid way
 */
export const fetchJson = async <Value>(
  address: string,
  check: (json: Record<string, unknown>) => Value,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<Value> => {
  const { origin, pathname, search } = new URL(address);
  const headers = { accept: 'application/json', 'user-agent': 'order-license-mcp' };
  const request = { origin, path: pathname + search, method: 'GET', headers, signal } as const;
  try {
    const { agent, variable } = routeTo(origin);
    const sending = agent.request(request).catch((error: unknown) => {
      const ofProxy = variable && tunnelError(variable, error);
      throw ofProxy ? new Unreadable(ofProxy.detail, true) : error;
    });
    // undici notices an abort only once it is connected.
    const { statusCode: status, body } = await unlessAborted(sending, signal, () => signal.reason);
    const bytes = await readBody(body, { status, maxBytes, signal });
    if (status !== 200) throw new Unreadable(`HTTP status ${status}`, passing.test(`${status}`));
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isObject(json)) throw new Unreadable('not a JSON object');
    return check(json);
  } catch (error) {
    if (isOrderLicenseError(error) && error.code === 'configuration') throw error;
    const { message, isAway } = readFailure(error);
    throw new Unreadable(`${address}: ${message}`, isAway);
  }
};

/** Statuses after which the same request may succeed. */
const passing = /^(408|425|429|5..)$/;

/** Describes a failure to connect or to read by its code alone, because its message could quote the response. */
const readFailure = (error: unknown): Unreadable => {
  if (error instanceof Unreadable) return error;
  if (error instanceof errors.JOSEError) return new Unreadable(error.message);
  if (error instanceof SyntaxError) return new Unreadable('not JSON');
  if (isOrderLicenseError(error)) return new Unreadable(`longer than ${maxBytes} bytes`);
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return new Unreadable(isLate ? `no response within ${timeoutMs / 1000} s` : (codeOf(error) ?? 'no connection'), true);
};
