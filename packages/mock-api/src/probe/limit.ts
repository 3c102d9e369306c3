import { createLimiter, type LimitRules } from '../limit/limiter.ts';
import { settingDefinitions } from '../settings/settings.ts';
import type { Asker, ProbeClock } from './asker.ts';
import { type Exchange, isOverLimit } from './exchange.ts';
import { limitQuestion } from './questions.ts';

/** A request that counts toward the limit, and whether the limit rejected it. */
export interface Timed {
  /** ms since 1970, by the API's clock. */
  at: number;
  rejected: boolean;
}

const windowMs = 60_000;
const gapMs = 200;
const pollMs = 5_000;
const maxPassed = 115;
const maxRejected = 10;

/**
 * Exceeds the limit once, then sends a request every 5 s until one is accepted. Each kind of window accepts requests
 * again at a different time: a bucket at once, a clock minute at its end, a fixed or sliding window a minute after the
 * first request, a lockout a minute after the first 429, and some only after a minute without requests. To tell these
 * times apart, three requests are sent 10 s before the others, in the first half of a clock minute.
 */
export const exceedLimit = async ({ askAt, exchanges }: Asker, clock: Pick<ProbeClock, 'now'>): Promise<void> => {
  const offset = offsetOf(exchanges);
  const quiet = clock.now() + windowMs + 2_000;
  const start = quiet + windowMs - ((quiet + offset - 12_000) % windowMs);
  const breaks = new Map([
    [0, start],
    [3, start + 10_000],
  ]);
  const isRejected = async (at = clock.now() + gapMs): Promise<boolean> => isOverLimit(await askAt(at, limitQuestion));
  let [passed, rejected, rejectedAt] = [0, 0, 0];
  while (passed < maxPassed && rejected < maxRejected) {
    const isOver = await isRejected(breaks.get(passed + rejected));
    if (isOver) rejectedAt ||= clock.now();
    if (isOver) rejected++;
    else passed++;
  }
  if (rejected === 0) return;
  let isOver = true;
  while (isOver && clock.now() < rejectedAt + windowMs + pollMs) isOver = await isRejected(clock.now() + pollMs);
  if (isOver) await isRejected(clock.now() + windowMs + 1_000);
  // Four more requests reveal a sliding window, which accepts only some of them.
  else for (let n = 0; n < 4; n++) await isRejected();
};

/**
 * Returns how far the API's clock is ahead, ms; 0 if it cannot be told, since the Date header has a resolution of 1 s.
 */
const offsetOf = ([first]: readonly Exchange[]): number => {
  const ahead = Date.parse(first?.headers.date ?? '') - (first?.at ?? 0);
  return Math.abs(ahead) > 1_500 ? ahead : 0;
};

/**
 * Returns the requests that show the rate limit: all requests with the key if the probe tried to exceed the limit or if
 * a request got 429, otherwise none.
 */
export const timesOf = (exchanges: readonly Exchange[]): Timed[] => {
  const offset = offsetOf(exchanges);
  const isCompared = exchanges.some((exchange) => exchange.question === limitQuestion || isOverLimit(exchange));
  // A long window also counts the requests before those that exceeded the limit. A request that writes the key differently
  // counts only if the API accepted it.
  return (isCompared ? exchanges : [])
    .filter(({ question, status }) => (question.authorization === undefined ? status !== 0 : status === 200))
    .map((exchange) => ({ at: exchange.at + offset, rejected: isOverLimit(exchange) }));
};

/** Sends the same requests to a mock, at the same times. */
export const replay = ({ window, windowMs, limit }: LimitRules, timed: readonly Timed[]): Timed[] => {
  const limiter = createLimiter();
  return timed.map(({ at }) => ({ at, rejected: !limiter.take('', at, { window, windowMs, limit }).allowed }));
};

/** Usual lengths of a window in seconds, the likeliest first. */
export const usualSeconds = [60, 30, 20, 15, 10, 5, 1, 90, 120, 300, 600, 900, 1800, 3600];
const maxRules = 40;

/**
 * Returns 0 for rules with the limit in the API docs, 1 for rules with the window in the docs, and 2 for all others.
 */
const rankOf = ({ window, windowMs, limit }: LimitRules): number => {
  const { window: kind, windowMs: length, limit: count } = settingDefinitions;
  if (limit === count.default) return 0;
  return window === kind.default && windowMs === length.default ? 1 : 2;
};

/**
 * Searches for the kind, length and limit of a window together, since each can hide the others.
 * @param numbers the numbers that the API shows, such as in its headers
 * @returns the rules with the most similar rejections. Those nearest to the API docs come first, then usual limits, then
 *   usual lengths.
 */
export const likelyRules = (timed: readonly Timed[], numbers: readonly number[]): Partial<LimitRules>[] => {
  const passed = timed.findIndex(({ rejected }) => rejected);
  if (timed.length === 0) return [];
  if (passed < 0) return [{ limit: 'off' }, ...numbers.map((limit) => ({ limit }))];
  const any = Array.from({ length: passed }, (_, n) => passed - n);
  const limits = new Set([60, ...any.filter((limit) => limit % 5 === 0), ...any]);
  const all = [...limits].flatMap((limit) =>
    [...new Set([...usualSeconds, ...numbers])].flatMap((seconds) =>
      settingDefinitions.window.values.map((window) => {
        const rules = { window, windowMs: seconds * 1000, limit };
        const different = replay(rules, timed).filter(({ rejected }, n) => rejected !== timed[n]?.rejected).length;
        return { rules, different };
      }),
    ),
  );
  const least = Math.min(...all.map(({ different }) => different));
  const best = all.filter(({ different }) => different === least).map(({ rules }) => rules);
  return best.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, maxRules);
};
