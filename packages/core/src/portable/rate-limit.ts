import { checkNumber } from './check-number.ts';
import { configurationError } from './errors.ts';
import { defaultRateLimit, type Ledger, type RateLimit } from './ledger.ts';

/** A rate limit of which any number may be left out. */
export type RateLimitOptions = { [Name in keyof RateLimit]?: RateLimit[Name] | undefined };

/**
 * The rate limit of a client, with the defaults for what is not given.
 * @throws `configuration` for numbers out of range, and for those that a given ledger decides
 */
export const readRateLimit = (options: {
  rateLimit?: RateLimitOptions | undefined;
  ledger?: Ledger | undefined;
}): RateLimit => {
  const given = options.rateLimit ?? {};
  const ignored = (['requests', 'windowMs', 'guardMs'] as const).find((name) => given[name] !== undefined);
  if (options.ledger && ignored) {
    throw configurationError(
      `\`rateLimit.${ignored}\` has no effect with a \`ledger\`; set \`${ignored}\` where the ledger is created.`,
    );
  }
  const read = (name: keyof RateLimit, least: number, most: number) =>
    checkNumber(`rateLimit.${name}`, given[name] ?? defaultRateLimit[name], least, most);
  return {
    requests: read('requests', 1, 1_000_000),
    windowMs: read('windowMs', 1, 86_400_000),
    guardMs: read('guardMs', 0, 86_400_000),
    minGapMs: read('minGapMs', 0, 86_400_000),
  };
};
