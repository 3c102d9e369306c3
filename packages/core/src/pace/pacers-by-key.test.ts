import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import { acquire } from './acquire.fixture.ts';
import type { Pacer } from './pacer.ts';
import { createPacers, pacersByKey } from './pacers-by-key.ts';

const limits = { requests: 1, windowMs: 1_000, guardMs: 0, holdMs: 1_000, minGapMs: 0, concurrency: 4, reserve: 0 };

const setUp = () => {
  const clock = createVirtualClock();
  const skew = { ms: 0 };
  const now = () => clock.now() + skew.ms;
  const host = { now, sleep: clock.sleep, send: () => Promise.reject(new Error('not used')) };
  const pacers = createPacers();
  /** Returns how a new client gets the pacer of a key. */
  const open = (own: Partial<typeof limits> = {}) => {
    const changed = { ...limits, ...own, holdMs: own.windowMs ?? limits.windowMs };
    const pacerOf = pacersByKey({ host, baseUrl: 'https://shop.example', limits: changed, store: undefined, pacers });
    return (key = 'key') => pacerOf(key);
  };
  /** Sends one request. */
  const use = async (pacer: Pacer) => pacer.settle(await clock.run(acquire(pacer, clock.now)));
  return { clock, skew, open, use };
};

test('rejects a new key while a thousand others are in use, and drops an idle one but none with a queue [U-37]', async () => {
  const { clock, skew, open, use } = setUp();
  const pacerOf = open();
  const first = pacerOf('first');
  await use(first);
  const waiting = acquire(first, clock.now);
  for (let key = 1; key < 1_000; key++) await use(pacerOf(`key ${key}`));
  const tooMany = { code: 'rate_limited', reason: 'too_many_keys', source: 'local', retryAfterMs: 1_000 };
  expect(() => pacerOf('one more')).toThrow(expect.objectContaining(tooMany));
  pacerOf('key 7'); // a known key stays usable
  // The window has ended, but no timer has run, as after this process was suspended: the first key still has a queue.
  skew.ms = 1_000;
  pacerOf('one more');
  expect(pacerOf('first')).toBe(first);
  skew.ms = 0;
  await first.settle(await clock.run(waiting));
});

test('the latest client’s requests per window apply to all clients, whether higher or lower', async () => {
  const { clock, open } = setUp();
  const [usual, strict, generous] = [open({ requests: 60 }), open({ requests: 1 }), open({ requests: 30 })];
  const startsWithin = async (pacerOf: () => Pacer, ms: number) => {
    const abort = new AbortController();
    let starts = 0;
    for (let call = 0; call < 100; call++) {
      const current = pacerOf();
      acquire(current, clock.now, { signal: abort.signal }).then(
        (permit) => {
          starts += 1;
          return current.settle(permit);
        },
        () => undefined,
      );
    }
    await clock.advance(ms);
    abort.abort();
    await clock.advance(0);
    return starts;
  };
  expect(await startsWithin(usual, 500)).toBe(60);
  await clock.advance(1_000);
  expect(await startsWithin(strict, 500)).toBe(1);
  await clock.advance(1_000);
  usual('another key'); // drops no idle key while there is room
  expect(await startsWithin(usual, 500)).toBe(1);
  // The permit already taken still counts.
  expect(await startsWithin(generous, 400)).toBe(29);
  await clock.advance(1_000);
  expect(await startsWithin(strict, 500)).toBe(30);
});

test('a raised limit releases waiting requests', async () => {
  const { clock, open } = setUp();
  const pacer = open({ requests: 1, windowMs: 60_000 })();
  const starts: number[] = [];
  const calls = Array.from({ length: 5 }, async () => {
    const permit = await acquire(pacer, clock.now);
    starts.push(clock.now());
    await pacer.settle(permit);
  });
  await clock.advance(10_000);
  open({ requests: 60, windowMs: 60_000 })();
  await clock.run(Promise.all(calls));
  expect(starts).toEqual([0, 10_000, 10_000, 10_000, 10_000]);
});

test('the latest client’s gap, concurrency and window also apply to all clients [S-83]', async () => {
  const { clock, open } = setUp();
  open({ requests: 60 })();
  const pacer = open({ requests: 4, minGapMs: 100, concurrency: 2, windowMs: 5_000 })();
  const starts: number[] = [];
  const call = async () => {
    const permit = await acquire(pacer, clock.now);
    starts.push(clock.now());
    await clock.sleep(1_000);
    await pacer.settle(permit);
  };
  await clock.run(Promise.all(Array.from({ length: 5 }, call)));
  expect(starts).toEqual([0, 100, 1_000, 1_100, 6_000]);
});
