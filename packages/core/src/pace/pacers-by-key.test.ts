import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import { acquire } from './acquire.fixture.ts';
import type { Pacer } from './pacer.ts';
import { pacersByKey } from './pacers-by-key.ts';

const limits = { requests: 1, windowMs: 1_000, guardMs: 0, holdMs: 1_000, minGapMs: 0, concurrency: 4, reserve: 0 };
let keys = 0;

const setUp = () => {
  const clock = createVirtualClock();
  const skew = { ms: 0 };
  const apiKey = `key-${++keys}`;
  const host = {
    now: () => clock.now() + skew.ms,
    sleep: clock.sleep,
    send: () => Promise.reject(new Error('not used')),
  };
  const pacersOf = (own: Partial<typeof limits> = {}) =>
    pacersByKey({
      host,
      baseUrl: `https://${apiKey}.example/api/v1`,
      limits: { ...limits, ...own, holdMs: own.windowMs ?? limits.windowMs },
      store: undefined,
    });
  const open = (own?: Partial<typeof limits>, key = apiKey) => {
    const pacers = pacersOf(own);
    return () => pacers.of(key);
  };
  return { clock, skew, open, pacers: pacersOf() };
};

test('keeps a pacer with a queue, however long this process was suspended [U-37]', async () => {
  const { clock, skew, open } = setUp();
  await clock.advance(200_000);
  const pacer = open();
  const first = pacer();
  await first.settle(await clock.run(acquire(first, clock.now)));
  const waiting = acquire(first, clock.now);
  await clock.advance(500);
  // The window has ended, but no timer has run yet, so the queue is still waiting.
  skew.ms = 600;
  open({}, 'another key')();
  expect(pacer()).toBe(first);
  skew.ms = 0;
  await first.settle(await clock.run(waiting));
});

test('rejects a new key while a thousand others are in use, until one of them is idle', async () => {
  const { clock, pacers } = setUp();
  const use = async (name: string) => {
    const pacer = pacers.of(name);
    await pacer.settle(await clock.run(acquire(pacer, clock.now)));
  };
  let used = 0;
  const fill = async () => {
    while (used < 1_001) await use(`key ${++used}`);
  };
  await expect(fill()).rejects.toMatchObject({
    code: 'rate_limited',
    reason: 'too_many_keys',
    source: 'local',
    retryAfterMs: 1_000,
  });
  expect(used).toBeGreaterThan(900); // other tests in this file use a few keys
  await use('key 7'); // a known key stays usable
  await clock.advance(1_000);
  await use('one more');
  await clock.advance(1_000);
});

test('the latest client’s requests per window apply to all clients, whether higher or lower', async () => {
  const { clock, open } = setUp();
  const [usual, strict, generous] = [open({ requests: 60 }), open({ requests: 1 }), open({ requests: 30 })];
  const startsWithin = async (pacer: () => Pacer, ms: number) => {
    const abort = new AbortController();
    let starts = 0;
    for (let call = 0; call < 100; call++) {
      const current = pacer();
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

test('the latest client’s gap, concurrency and window also apply to all clients', async () => {
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

test('a client whose limit was overridden does not regain it by waiting', async () => {
  const { clock, open } = setUp();
  const [older, newer] = [open({ requests: 60 }), open({ requests: 1 })];
  older();
  newer();
  await clock.advance(1_000_000);
  open({}, `another ${keys}`)();
  const pacer = older();
  await pacer.settle(await clock.run(acquire(pacer, clock.now)));
  const at = clock.now();
  await clock.run(acquire(pacer, clock.now));
  expect(clock.now() - at).toBe(1_000);
});
