import { expect, test } from 'vitest';
import { createVirtualClock } from '../virtual-clock.fixture.ts';
import { sharedPacer } from './shared-pacer.ts';

test('U-37 a pacer that still has somebody in its queue is not forgotten, however long this process stood still', async () => {
  const clock = createVirtualClock();
  let skewMs = 0;
  const open = () =>
    sharedPacer({
      host: { now: () => clock.now() + skewMs, sleep: clock.sleep, send: () => Promise.reject(new Error('not used')) },
      baseUrl: 'https://shop.example/api/v1',
      apiKey: 'a key of its own',
      rateLimit: { requests: 1, windowMs: 1_000, guardMs: 0, minGapMs: 0 },
      concurrency: 4,
      ledger: undefined,
    });
  const wish = { priority: 'bulk', maxWaitMs: Infinity, signal: undefined, onWait: () => undefined } as const;
  const first = open();
  await first.settle(await clock.run(first.acquire(wish)));
  const waiting = first.acquire(wish);
  await clock.advance(500);
  // The window is over, but no timer has run yet: nobody in the queue knows.
  skewMs = 600;
  expect(open()).toBe(first);
  skewMs = 0;
  await first.settle(await clock.run(waiting));
  await clock.advance(1_000);
  expect(open()).not.toBe(first);
});
