import type { Answer, Asker } from './asker.ts';
import { limitQuestions } from './questions.ts';

const { burst, nobody, afterwards } = limitQuestions;
const windowMs = 60_000;
const gapMs = 200;
const maxPassed = 100;
const firstCount = 3;
const rejectedCount = 10;

/**
 * Exceeds the limit once, and asks when requests pass again. Each reading of the window lets them pass at another time:
 * a bucket at once, a clock minute at its end, a fixed or sliding window a minute after the first request, a lockout a
 * minute after the first 429, and a window of half the length earlier. To separate these times, three requests are sent 10 s before the others, in the first
 * half of a clock minute.
 * @param offset how far the service's clock is ahead, ms
 */
export const exceedLimit = async (asker: Asker, offset: number): Promise<void> => {
  const quiet = asker.now() + windowMs + 2_000;
  await asker.waitUntil(quiet + gapTo(quiet + offset, 12_000));
  const start = asker.now();
  let passed = 0;
  let rejectedAt: number | undefined;
  const send = async (question: typeof burst | typeof nobody): Promise<void> => {
    const answer = await asker.askFast(question, gapMs);
    if (answer?.status === 429) rejectedAt ??= answer.startedAt;
    else if (answer) passed++;
  };
  for (let n = 0; n < firstCount && rejectedAt === undefined; n++) await send(burst);
  const second = start + 10_000;
  await asker.waitUntil(second);
  for (let n = 0; n < nobody.max && rejectedAt === undefined; n++) await send(nobody);
  while (passed < maxPassed && rejectedAt === undefined && !asker.stopped()) await send(burst);
  if (rejectedAt === undefined) return;
  for (let n = 1; n < rejectedCount; n++) await send(burst);

  const passesAt = async (at: number): Promise<boolean> => {
    await asker.waitUntil(at);
    return isPassed(await asker.askFast(afterwards, 0));
  };
  const now = asker.now();
  if (await passesAt(now + gapTo(now + offset, 0) + 1_500)) return;
  if (await passesAt(rejectedAt + windowMs / 2 + 1_000)) return;
  const first = start + windowMs + 1_500;
  let free = 0;
  while (free < firstCount + 2 && (await passesAt(first))) free++;
  if (free > 0) return;
  if (await passesAt((second + rejectedAt) / 2 + windowMs + 500)) return;
  if (await passesAt(rejectedAt + windowMs + 1_000)) return;
  await passesAt(asker.now() + windowMs + 1_000);
};

const isPassed = (answer: Answer | undefined): boolean => answer !== undefined && answer.status !== 429;

/** Returns the ms from `at` to the next moment that is `ms` after the start of a minute. */
const gapTo = (at: number, ms: number): number => (windowMs + ms - (at % windowMs)) % windowMs;
