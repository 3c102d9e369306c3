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

const { window, windowMs, limit } = settingDefinitions;
const usualSeconds = [1, 5, 10, 15, 20, 30, 60, 90, 120, 300, 600, 900, 1800, 3600];
const maxRules = 40;

/**
 * Searches kind, length and limit of a window together, since each hides the others.
 * @param numbers that the service shows, such as in its headers
 * @returns those that reject the most alike: with the fewest changes from the defaults first, then with round limits
 */
export const likelyRules = (timed: readonly Timed[], numbers: readonly number[]): Partial<LimitRules>[] => {
  const passed = timed.findIndex(({ rejected }) => rejected);
  if (passed < 0) return timed.length === 0 ? [] : [{ limit: 'off' }, ...numbers.map((number) => ({ limit: number }))];
  const lengths = new Set([windowMs.default, ...[...usualSeconds, ...numbers].map((seconds) => seconds * 1000)]);
  const limits = new Set([60, ...Array.from({ length: passed }, (_, n) => passed - n)]);
  let best: { rules: LimitRules; cost: number }[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const kind of window.values)
    for (const ms of lengths)
      for (const count of limits) {
        const rules = { window: kind, windowMs: ms, limit: count };
        const different = countDifferent(rules, timed, least);
        if (different < least) best = [];
        if (different > least) continue;
        least = different;
        const changes = [kind !== window.default, ms !== windowMs.default, count !== limit.default].filter(Boolean);
        best.push({ rules, cost: changes.length + (count % 5 === 0 ? 0 : 0.5) });
      }
  return best
    .sort((one, other) => one.cost - other.cost)
    .slice(0, maxRules)
    .map(({ rules }) => rules);
};

/** How many of these requests a mock treats differently. Stops counting above `most`. */
const countDifferent = (rules: LimitRules, timed: readonly Timed[], most: number): number => {
  const limiter = createLimiter();
  let count = 0;
  for (const { at, rejected } of timed) if (limiter.take('', at, rules).allowed === rejected && ++count > most) break;
  return count;
};
