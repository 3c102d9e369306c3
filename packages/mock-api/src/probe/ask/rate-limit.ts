import type { LimitFacts } from '../evidence.ts';
import type { Answer, Asker } from './asker.ts';
import { unknownPath, wrongPath } from './malformed.ts';
import { nobodyPath } from './reads.ts';

const windowMs = 60_000;
const gapMs = 200;
const maxPassed = 100;
export const firstCount = 3;
export const nobodyCount = 7;
const refusedCount = 10;

/**
 * Exceeds the limit once and observes when requests pass again, which identifies the value of the setting `window`:
 * `bucket` at once, `minute` at the end of the clock minute, `fixed` and `sliding` a minute after the first request,
 * `slidingStrict` a minute after half of the others, `lockout` a minute after the first 429, `extend` a minute after
 * the last one. To separate these times, the first requests are sent 10 s before the others, in the first half of a
 * clock minute.
 * @returns `undefined` if the probe stopped
 */
export const askRateLimit = async (asker: Asker, withMalformed: boolean): Promise<LimitFacts | undefined> => {
  const offset = clockOffset(asker);
  const quiet = asker.now() + windowMs + 2_000;
  await asker.waitUntil(quiet + gapTo(quiet + offset, 10_000));
  const start = asker.now();
  let passed = 0;
  const one = (name: 'burst' | 'burstNobody' | 'afterwards', pace = gapMs) =>
    asker.askFast({ name, path: name === 'burstNobody' ? nobodyPath : '/me' }, pace);
  const passes = async (): Promise<boolean> => (await one('afterwards', 0))?.status === 200;

  let refusedAt: number | undefined;
  const count = (answer: Answer | undefined): void => {
    if (answer?.status === 429) refusedAt ??= answer.startedAt;
    else if (answer) passed++;
  };
  for (let n = 0; n < firstCount && refusedAt === undefined; n++) count(await one('burst'));
  const second = start + 10_000;
  await asker.waitUntil(second);
  for (let n = 0; n < nobodyCount && refusedAt === undefined; n++) count(await one('burstNobody'));
  while (passed < maxPassed && refusedAt === undefined && !asker.stopped()) count(await one('burst'));
  if (asker.stopped()) return undefined;
  const facts: LimitFacts = { passed, seconds: (asker.now() - second) / 1000, refused: refusedAt !== undefined };
  if (refusedAt === undefined) return facts;

  const wrong = wrongPath(asker.answers);
  let refilled = 0;
  for (let n = 1; n < refusedCount; n++) {
    if ((await one('burst'))?.status === 200) refilled++;
  }
  if (withMalformed) await asker.askFast({ name: 'limitPath', path: unknownPath }, gapMs);
  if (withMalformed && wrong) await asker.askFast({ name: 'limitWrong', path: wrong }, gapMs);
  if (refilled > 0) return { ...facts, window: 'bucket' };

  const nextMinute = asker.now() + gapTo(asker.now() + offset, 0) + 1_500;
  if (nextMinute > start + windowMs - 1_000) {
    return { ...facts, unclear: 'the service answers too slowly to tell the windows apart' };
  }
  await asker.waitUntil(nextMinute);
  if (await passes()) return { ...facts, window: 'minute' };

  await asker.waitUntil(start + windowMs + 1_500);
  let free = 0;
  while (free < firstCount + 2 && (await passes())) free++;
  if (free > firstCount) return { ...facts, window: 'fixed' };
  if (free > 0) return { ...facts, window: 'sliding' };

  const half = (second + refusedAt) / 2 + windowMs + 500;
  if (half < refusedAt + windowMs - 1_000) {
    await asker.waitUntil(half);
    if (await passes()) return { ...facts, window: 'slidingStrict' };
  }
  await asker.waitUntil(refusedAt + windowMs + 1_000);
  if (await passes()) return { ...facts, window: 'lockout' };
  await asker.waitUntil(asker.now() + windowMs + 1_000);
  if (await passes()) return { ...facts, window: 'extend' };
  return { ...facts, unclear: 'requests did not pass again a minute after the last one' };
};

/** Returns the ms from `at` to the next moment that is `ms` after the start of a minute. */
const gapTo = (at: number, ms: number): number => (windowMs + ms - (at % windowMs)) % windowMs;

/** Returns how far the service's clock is ahead, in ms, from its Date header; 0 without one. */
const clockOffset = ({ answers }: Asker): number => {
  const last = answers.at(-1);
  const offset = Date.parse(last?.headers.get('date') ?? '') - (last?.startedAt ?? 0);
  // The header has a resolution of 1 s.
  return Math.abs(offset) > 1_500 ? offset : 0;
};
