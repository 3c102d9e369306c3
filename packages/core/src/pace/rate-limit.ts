import { checkNumber, type OptionNames, unknownOption } from '../base/checks.ts';
import { configurationError } from '../base/errors.ts';
import { defaultRateLimit, type RateLimit, type RateLimitStore } from './store.ts';

/** A rate limit; any number may be omitted. */
export type RateLimitOptions = { [Name in keyof RateLimit]?: RateLimit[Name] | undefined };

const optionNames: OptionNames<RateLimitOptions> = {
  requests: true,
  windowMs: true,
  guardMs: true,
  minGapMs: true,
  reserve: true,
};

/**
 * A client's rate limit, with defaults for omitted numbers.
 * @throws `configuration` for unknown names, for numbers out of range, and for numbers that a store decides
 */
export const readRateLimit = (options: {
  rateLimit?: RateLimitOptions | undefined;
  store?: RateLimitStore | undefined;
}): RateLimit => {
  const given = options.rateLimit ?? {};
  const problem = unknownOption(given, optionNames);
  if (problem) throw configurationError(`\`rateLimit\`: ${problem[0]}`, problem[1]);
  const ignored = (['requests', 'windowMs', 'guardMs'] as const).find((name) => given[name] !== undefined);
  if (options.store && ignored) {
    throw configurationError(
      `\`rateLimit.${ignored}\` has no effect with a \`store\``,
      `Set \`${ignored}\` when you create the store.`,
    );
  }
  const read = (name: keyof RateLimit, min: number, max: number) =>
    checkNumber(`rateLimit.${name}`, given[name] ?? defaultRateLimit[name], min, max);
  const limit = {
    requests: read('requests', 1, 1_000_000),
    windowMs: read('windowMs', 1, 86_400_000),
    guardMs: read('guardMs', 0, 86_400_000),
    minGapMs: read('minGapMs', 0, 86_400_000),
  };
  const reserve = given.reserve ?? defaultRateLimit.reserve;
  // A custom store may omit its limit.
  const most = (options.store ? (options.store.requests ?? 1_000_000) : limit.requests) - 1;
  if (!Number.isInteger(reserve) || reserve < 0 || reserve > most) {
    throw configurationError(
      `\`rateLimit.reserve\` must be a whole number from 0 to ${most}: less than the ${most + 1} requests per window`,
    );
  }
  return { ...limit, reserve };
};
