import type { Asker, ProbeClock } from './asker.ts';
import { limitQuestions } from './questions.ts';

const { first, burst, afterwards } = limitQuestions;
const windowMs = 60_000;
const firstCount = 3;
const gapMs = 200;
const pollMs = 5_000;
const maxPassed = 100;
const maxRejected = 10;

/**
 * Exceeds the limit once, and asks every 5 s when requests pass again. Each kind of window lets them pass at another
 * time: a bucket at once, a clock minute at its end, a fixed or sliding window a minute after the first request, a
 * lockout a minute after the first 429, and some only after a minute without requests. To separate these times, three
 * requests come 10 s before the others, in the first half of a clock minute.
 * @param offset how far the service's clock is ahead, ms
 */
export const exceedLimit = async (asker: Asker, clock: Pick<ProbeClock, 'now'>, offset: number): Promise<void> => {
  const quiet = clock.now() + windowMs + 2_000;
  const start = quiet + windowMs - ((quiet + offset - 12_000) % windowMs);
  let rejectedAt: number | undefined;
  const isRejected = async (at: number, question = burst): Promise<boolean> => {
    const answer = await asker.askAt(at, question);
    if (answer?.status === 429) rejectedAt ??= answer.startedAt;
    return answer?.status === 429;
  };
  const soon = (): number => (asker.answers.at(-1)?.startedAt ?? 0) + gapMs;
  for (let n = 0; n < firstCount; n++) await isRejected(start + n * gapMs, first);
  let [passed, rejected] = [firstCount, 0];
  while (passed < maxPassed && rejected < maxRejected && !asker.stopped()) {
    if (await isRejected(Math.max(start + 10_000, soon()))) rejected++;
    else passed++;
  }
  if (rejectedAt === undefined) return;
  const until = rejectedAt + windowMs + pollMs;
  let isOver = true;
  while (isOver && clock.now() < until && !asker.stopped()) isOver = await isRejected(clock.now() + pollMs, afterwards);
  if (isOver) await isRejected(clock.now() + windowMs + 1_000, afterwards);
  // A window that slides lets only some pass.
  else for (let n = 0; n < 4; n++) await isRejected(soon(), afterwards);
};
