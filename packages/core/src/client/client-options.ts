import packageJson from '../../package.json' with { type: 'json' };
import { configurationError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import type { ApiKey } from '../call/api-key.ts';
import type { RateLimitOptions } from '../pace/rate-limit.ts';
import type { RateLimitStore } from '../pace/store.ts';

/** Defaults for omitted client options; times in ms. */
export const defaults = {
  maxWaitMs: Infinity,
  timeoutMs: 30_000,
  deadlineMs: Infinity,
  retries: undefined,
  concurrency: 4,
};

export interface ClientOptions {
  /**
   * Address of the API, ending in `/api/v1` (§1). Must use HTTPS, except for this machine and hosts in
   * `allowHttpHosts`.
   */
  baseUrl: string;
  /**
   * Exact names of hosts for which plain HTTP is allowed, such as `mock` on a private network. Plain HTTP sends the API
   * key and all responses in clear text. A client that uses it emits a `plain_http` event. @default none
   */
  allowHttpHosts?: readonly string[] | undefined;
  /**
   * API key (§5), or a function that returns it, for keys that rotate. White space around the key is dropped; no output
   * of this library contains the key. The function is called before each attempt, so cache slow lookups. Each key that
   * it returns has its own limit, unless a `store` counts all of them together. If the function throws, the call throws
   * `configuration`; if it takes longer than `timeoutMs`, `timeout`.
   */
  apiKey: ApiKey;
  /**
   * The API's limit (§8). The values of the latest client apply to all clients of this process with the same key. A
   * `store` has its own `requests`, `windowMs` and `guardMs`; with a store, only `minGapMs` and `reserve` can be set
   * here. `reserve` is the number of permits per window that are kept for `interactive` calls and the first requests of
   * a poll. Times are in ms.
   * @default { requests: 60, windowMs: 60_000, guardMs: 1_000, minGapMs: 20, reserve: 0 }
   */
  rateLimit?: RateLimitOptions | undefined;
  /**
   * Longest wait for the rate limit before each attempt, ms, and longest wait that a response such as 503 may ask for.
   * A call can set its own.
   * @default no maximum
   */
  maxWaitMs?: number | undefined;
  /**
   * Time limit for one request, to the last byte of its response, ms; at most 120,000.
   * @default 30_000
   */
  timeoutMs?: number | undefined;
  /**
   * Time limit for a whole call, including waits and retries, ms; in a method that sends several requests, for all of
   * them together. Does not apply to `changes`.
   * @default no deadline
   */
  deadlineMs?: number | undefined;
  /**
   * Maximum number of retries after a failure of the API, the network or the store. A 429 is handled separately: the
   * call waits out at most three pauses. By default, `background` and `bulk` calls are retried for two minutes after
   * their first failure, so that a walk, whose calls are `bulk`, outlasts a restart of the API.
   * @default 2, and two minutes for `background` and `bulk` calls
   */
  retries?: number | undefined;
  /**
   * Maximum number of requests in flight, across all clients of this process with the same key; the latest client's
   * value applies. @default 4
   */
  concurrency?: number | undefined;
  /** Sent as `User-Agent`. @default order-license-core/VERSION */
  userAgent?: string | undefined;
  /** Store that counts the permits. @default in this process's memory, shared by its clients with the same key */
  store?: RateLimitStore | undefined;
  /**
   * Called for each event, such as a request, a wait, a retry, a pause or a deviation. If `onEvent` throws, the call
   * continues, and the first error is reported as a warning. A shared `store` without a handler of its own reports to
   * the latest client that has an `onEvent`.
   */
  onEvent?: OnEvent | undefined;
}

export interface PortableClientOptions extends ClientOptions {
  /** Sends the requests, waits, and tells the time. */
  host: Host;
}

/** Always set, because common firewall rules reject requests without a `User-Agent`. */
const defaultUserAgent = `order-license-core/${packageJson.version}`;

/** @throws `configuration` unless the value is visible ASCII; firewalls would reject an empty one */
export const checkUserAgent = (userAgent: unknown = defaultUserAgent): string => {
  if (typeof userAgent === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(userAgent)) return userAgent;
  throw configurationError('`userAgent` must be a non-empty string of visible ASCII, such as `my-shop/1.0`');
};
