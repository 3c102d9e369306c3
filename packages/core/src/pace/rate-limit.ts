import { checkNumber } from '../base/checks.ts';
import { configurationError } from '../base/errors.ts';
import type { RateLimitStore } from './store.ts';

export interface RateLimit {
  /** Requests per window; a fraction is rounded down. */
  requests: number;
  /** The API's window (§8), ms. */
  windowMs: number;
  /** The guard, ms: time added to the window to allow for clocks that round. */
  guardMs: number;
  /** Minimum time between the starts of two requests (the short delay of §8), ms. */
  minGapMs: number;
  /**
   * Number of the `requests` permits that are left to `interactive` calls and to the first requests of a poll. The one
   * permit in ten that a lower priority gets may be one of them.
   */
  reserve: number;
}

const defaultLimit = { requests: 60, windowMs: 60_000, guardMs: 1_000 };

/** A rate limit; any number may be omitted. */
export type RateLimitOptions = { [Name in keyof RateLimit]?: number | undefined };

const ofStore = ['requests', 'windowMs', 'guardMs'] as const;

/** The numbers that a store decides. */
export type StoreLimit = Pick<RateLimitOptions, (typeof ofStore)[number]>;

/** The numbers that a pacer decides. */
export interface Pace extends Pick<RateLimit, 'minGapMs' | 'reserve'> {
  /** Maximum number of requests in flight. An unforeseen 429 can reject this many. */
  concurrency: number;
}

export interface Limit {
  /** How many permits can be taken at once. */
  requests: number;
  /** Time from the end of a request until its permit returns, ms: one window plus a safety margin. */
  holdMs: number;
}

/**
 * Validates a store's limit and adds the defaults.
 * @param prefix text before the names of the numbers in errors
 * @throws `configuration` for numbers out of range
 */
export const readLimit = (given: StoreLimit, prefix = '') => {
  const read = (name: keyof StoreLimit, min: number, max: number): number =>
    checkNumber(prefix + name, given[name] ?? defaultLimit[name], min, max);
  const windowMs = read('windowMs', 1, 86_400_000);
  const guardMs = read('guardMs', 0, 86_400_000);
  // A limit divided among programs can be a fraction; only whole permits can be taken.
  const requests = Math.floor(read('requests', 1, 1_000_000));
  return { requests, windowMs, guardMs, holdMs: windowMs + guardMs };
};

/**
 * Returns a client's rate limit, with defaults for omitted numbers.
 * @throws `configuration` for numbers out of range, and for numbers that only the `store` decides
 */
export const readRateLimit = ({
  store,
  rateLimit,
}: {
  rateLimit?: RateLimitOptions | undefined;
  store?: RateLimitStore | undefined;
}): RateLimit & Limit => {
  const given = rateLimit ?? {};
  const ignored = store && ofStore.find((name) => given[name] !== undefined);
  if (ignored) {
    throw configurationError(
      `\`rateLimit.${ignored}\` has no effect with a \`store\``,
      `Set \`${ignored}\` when you create the store.`,
    );
  }
  const limit = readLimit(store ?? given, store ? 'store.' : 'rateLimit.');
  const { minGapMs = 20, reserve = 0 } = given;
  // A custom store may omit its limit.
  const requests = store && store.requests === undefined ? 1_000_000 : limit.requests;
  if (!Number.isInteger(reserve) || reserve < 0 || reserve >= requests) {
    throw configurationError(
      `\`rateLimit.reserve\` must be a whole number from 0 to ${requests - 1}: less than the ${requests} requests per window`,
    );
  }
  return { ...limit, minGapMs: checkNumber('rateLimit.minGapMs', minGapMs, 0, 86_400_000), reserve };
};
