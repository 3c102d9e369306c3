import { createLimiter, type LimitRules } from '../limit/limiter.ts';
import type { AskAt, ProbeClock } from './ask.ts';
import { type Exchange, isOverLimit } from './exchange.ts';
import { limitQuestion } from './questions.ts';

const gapMs = 200;
const pollMs = 5_000;
const maxPassed = 115;
const maxRejected = 10;

/**
 * Exceeds the limit once, then sends a request every 5 s until one is accepted. Each kind of window accepts requests
 * again at a different time. To tell these times apart, three requests are sent 10 s before the others.
 */
export const exceedLimit = async (askAt: AskAt, clock: Pick<ProbeClock, 'now'>): Promise<void> => {
  const quiet = clock.now() + 62_000;
  const isRejected = async (at = clock.now() + gapMs): Promise<boolean> => isOverLimit(await askAt(at, limitQuestion));
  let [passed, rejected, rejectedAt] = [0, 0, 0];
  while (passed < maxPassed && rejected < maxRejected) {
    const isOver = await isRejected({ 0: quiet, 3: quiet + 10_000 }[passed + rejected]);
    if (isOver) rejectedAt ||= clock.now();
    if (isOver) rejected++;
    else passed++;
  }
  if (rejected === 0) return;
  let isOver = true;
  while (isOver && clock.now() < rejectedAt + 65_000) isOver = await isRejected(clock.now() + pollMs);
  if (isOver) await isRejected(clock.now() + 61_000);
  // Four more requests reveal a sliding window, which accepts only some of them.
  else for (let n = 0; n < 4; n++) await isRejected();
};

/** The requests that count toward the limit: their times, and whether the limit rejected them. */
export interface Counted {
  at: number;
  rejected: boolean;
}

/** Returns the counted requests if the limit rejected one, or if the probe tried to exceed it; otherwise none. */
export const countedIn = (exchanges: readonly Exchange[]): Counted[] => {
  if (!exchanges.some((exchange) => exchange.question === limitQuestion || isOverLimit(exchange))) return [];
  const ahead = Date.parse(exchanges[0]?.headers.date ?? '') - (exchanges[0]?.at ?? 0);
  // The Date header has a resolution of 1 s. The clock matters for windows that are minutes of the clock.
  const offset = Math.abs(ahead) > 1_500 ? ahead : 0;
  return exchanges
    .filter(({ question, status }) => (question.authorization === undefined ? status !== 0 : status === 200))
    .map((exchange) => ({ at: exchange.at + offset, rejected: isOverLimit(exchange) }));
};

/** Sends the same requests to a limiter of the mock, at the same times. */
export const replay = ({ window, windowMs, limit }: LimitRules, counted: readonly Counted[]): Counted[] => {
  const limiter = createLimiter();
  return counted.map(({ at }) => ({ at, rejected: !limiter.take('', at, { window, windowMs, limit }).allowed }));
};
