import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import type { Client } from '../client/client.ts';
import { errorOf, setUpVirtual } from '../client/virtual-client.fixture.ts';
import { acquire } from './acquire.fixture.ts';
import type { Pacer } from './pacer.ts';
import { createPacers, pacersByKey } from './pacers-by-key.ts';
import type { RateLimitOptions } from './rate-limit.ts';

test('rejects a new key while a thousand others are in use, and drops an idle one but none with a queue [U-37]', async () => {
  const clock = createVirtualClock();
  const skew = { ms: 0 };
  const now = () => clock.now() + skew.ms;
  const host = { now, sleep: clock.sleep, send: () => Promise.reject(new Error('not used')) };
  const limits = { requests: 1, windowMs: 1_000, guardMs: 0, holdMs: 1_000, minGapMs: 0, concurrency: 4, reserve: 0 };
  const shared = { baseUrl: 'https://shop.example', store: undefined, pacers: createPacers() };
  const pacerOf = pacersByKey({ host, limits, ...shared });
  /** Sends one request. */
  const use = async (pacer: Pacer) => pacer.settle(await clock.run(acquire(pacer, clock.now)));
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

/** An API without a limit, whose responses take `tripMs`, and clients of it whose windows last a second. */
const setUp = (tripMs = 0) => {
  const { clock, mock, newClient } = setUpVirtual({}, { set: { limit: 'off' } }, { tripMs: () => tripMs / 2 });
  const clientOf = (rateLimit: RateLimitOptions, concurrency = 4) =>
    newClient({ rateLimit: { windowMs: 1_000, guardMs: 0, minGapMs: 0, ...rateLimit }, concurrency });
  const sentAt = () => mock.journal.entries().map(({ at }) => at);
  return { clock, mock, clientOf, sentAt };
};

test('the latest client’s requests per window apply to all clients, whether higher or lower', async () => {
  const { clock, mock, clientOf } = setUp();
  const usual = clientOf({ requests: 60 });
  const strict = clientOf({ requests: 1 });
  const generous = clientOf({ requests: 30 });
  const sentWithin = async (client: Client, ms: number) => {
    const abort = new AbortController();
    const before = mock.journal.total();
    const calls = Array.from({ length: 100 }, () => errorOf(client.getMe({ signal: abort.signal })));
    await clock.advance(ms);
    abort.abort();
    await Promise.all(calls);
    return mock.journal.total() - before;
  };
  expect(await sentWithin(usual, 500)).toBe(60);
  await clock.advance(1_000);
  expect(await sentWithin(strict, 500)).toBe(1);
  await clock.advance(1_000);
  expect(await sentWithin(usual, 500)).toBe(1);
  // The permit already taken still counts.
  expect(await sentWithin(generous, 400)).toBe(29);
  await clock.advance(1_000);
  expect(await sentWithin(strict, 500)).toBe(30);
});

test('a raised limit releases waiting requests', async () => {
  const { clock, clientOf, sentAt } = setUp();
  const client = clientOf({ requests: 1, windowMs: 60_000 });
  const calls = Array.from({ length: 5 }, () => client.getMe());
  await clock.advance(10_000);
  await clientOf({ requests: 60, windowMs: 60_000 }).requestsLeft();
  await clock.run(Promise.all(calls));
  const [first = 0, ...others] = sentAt();
  expect(others.map((at) => at - first)).toEqual(Array(4).fill(10_000));
});

test('the latest client’s gap, concurrency and window also apply to all clients [S-83]', async () => {
  const { clock, clientOf, sentAt } = setUp(1_000);
  const earlier = clientOf({ requests: 60 });
  const latest = clientOf({ requests: 4, minGapMs: 100, windowMs: 5_000 }, 2);
  await clock.run(Promise.all([latest.getMe(), ...Array.from({ length: 4 }, () => earlier.getMe())]));
  const [first = 0, ...others] = sentAt();
  expect(others.map((at) => at - first)).toEqual([100, 1_000, 1_100, 6_000]);
});
