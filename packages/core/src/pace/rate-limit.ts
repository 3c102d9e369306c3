import { checkNumber } from '../base/checks.ts';
import { configurationError } from '../base/errors.ts';
import { defaultRateLimit, type Limit, type RateLimit, type RateLimitStore, readLimit } from './store.ts';

/** A rate limit; any number may be omitted. */
export type RateLimitOptions = { [Name in keyof RateLimit]?: RateLimit[Name] | undefined };

/**
 * Returns a client's rate limit, with defaults for omitted numbers.
 * @throws `configuration` for numbers out of range, and for numbers that only the `store` decides
 */
export const readRateLimit = (options: {
  rateLimit?: RateLimitOptions | undefined;
  store?: RateLimitStore | undefined;
}): RateLimit & Limit => {
  const { store } = options;
  const rateLimit = options.rateLimit ?? {};
  const ignored = (['requests', 'windowMs', 'guardMs'] as const).find((name) => rateLimit[name] !== undefined);
  if (store && ignored) {
    throw configurationError(
      `\`rateLimit.${ignored}\` has no effect with a \`store\``,
      `Set \`${ignored}\` when you create the store.`,
    );
  }
  const { windowMs, guardMs } = store ?? rateLimit;
  const limit = readLimit({ ...rateLimit, windowMs, guardMs }, store ? 'store.' : 'rateLimit.');
  const { minGapMs = defaultRateLimit.minGapMs, reserve = defaultRateLimit.reserve } = rateLimit;
  // A custom store may omit its limit.
  const most = (store ? (store.requests ?? 1_000_000) : limit.requests) - 1;
  if (!Number.isInteger(reserve) || reserve < 0 || reserve > most) {
    throw configurationError(
      `\`rateLimit.reserve\` must be a whole number from 0 to ${most}: less than the ${most + 1} requests per window`,
    );
  }
  return { ...limit, minGapMs: checkNumber('rateLimit.minGapMs', minGapMs, 0, 86_400_000), reserve };
};
