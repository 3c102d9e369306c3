import { createLimiter, type LimitRules } from '../limit/limiter.ts';
import { settingDefinitions } from '../settings/settings.ts';

/** A request that counts for the limit, and whether it got 429. */
export interface Timed {
  /** ms since 1970, by the clock of the service. */
  at: number;
  rejected: boolean;
}

/** Sends the same requests at the same times to a mock. */
export const replay = ({ window, windowMs, limit }: LimitRules, timed: readonly Timed[]): Timed[] => {
  const limiter = createLimiter();
  return timed.map(({ at }) => ({ at, rejected: !limiter.take('', at, { window, windowMs, limit }).allowed }));
};

/** Usual lengths of a window, the likeliest first. */
const usualSeconds = [60, 30, 20, 15, 10, 5, 1, 90, 120, 300, 600, 900, 1800, 3600];
const maxRules = 40;

/**
 * Searches kind, length and limit of a window together, since each hides the others.
 * @param numbers that the service shows, such as in its headers
 * @returns those that reject the most alike: usual lengths and limits first
 */
export const likelyRules = (timed: readonly Timed[], numbers: readonly number[]): Partial<LimitRules>[] => {
  const passed = timed.findIndex(({ rejected }) => rejected);
  if (timed.length === 0) return [];
  if (passed < 0) return [{ limit: 'off' }, ...numbers.map((limit) => ({ limit }))];
  const any = Array.from({ length: passed }, (_, n) => passed - n);
  const limits = new Set([60, ...any.filter((limit) => limit % 5 === 0), ...any]);
  let best: LimitRules[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const seconds of new Set([...usualSeconds, ...numbers]))
    for (const limit of limits)
      for (const window of settingDefinitions.window.values) {
        const rules = { window, windowMs: seconds * 1000, limit };
        const different = countDifferent(rules, timed, least);
        if (different < least) best = [];
        if (different <= least) best.push(rules);
        least = Math.min(different, least);
      }
  return best.slice(0, maxRules);
};

/** How many of these requests a mock treats differently. Stops counting above `most`. */
const countDifferent = (rules: LimitRules, timed: readonly Timed[], most: number): number => {
  const limiter = createLimiter();
  let count = 0;
  for (const { at, rejected } of timed) if (limiter.take('', at, rules).allowed === rejected && ++count > most) break;
  return count;
};
