import { createVirtualClock, type VirtualClock } from '@order-license/testing/virtual-clock';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { isRateLimitError } from '../base/errors.ts';
import { acquire, type PermitWish } from './acquire.fixture.ts';
import { createPacer, type PacerOptions } from './pacer.ts';
import { createMemoryStore } from './permits.ts';
import type { Pace } from './rate-limit.ts';
import type { RateLimitStore } from './store.ts';

interface SetUp extends Partial<Pace>, Partial<Pick<PacerOptions, 'host'>> {
  requests?: number;
  /** Returns methods that replace those of the store. */
  change?: (store: RateLimitStore, clock: VirtualClock) => Partial<RateLimitStore>;
}

const setUp = ({ requests = 60, change = () => ({}), host, ...pace }: SetUp = {}) => {
  const clock = createVirtualClock();
  const memory = createMemoryStore({ requests, holdMs: 61_000 }, clock.now);
  const store = { ...memory, ...change(memory, clock) };
  const defaults = { minGapMs: 20, concurrency: 4, reserve: 0 };
  const pacer = createPacer({ store, host: host ?? clock, pace: { ...defaults, ...pace } });
  const starts: { label: string; at: number }[] = [];
  /** A request that takes `tripMs` from permit to response. */
  const request = async (label: string, wish: PermitWish & { tripMs?: number } = {}) => {
    const { tripMs = 100, ...rest } = wish;
    const permit = await acquire(pacer, clock.now, rest);
    starts.push({ label, at: clock.now() });
    if (tripMs > 0) await clock.sleep(tripMs);
    await pacer.settle(permit);
  };
  const burst = (count: number, wish?: PermitWish) =>
    Promise.all(Array.from({ length: count }, (_, index) => request(`${index}`, wish)));
  return { clock, pacer, starts, request, burst };
};

/** Makes `take` of a store slow. */
const slowTake: NonNullable<SetUp['change']> = (store, clock) => ({
  async take(reserve) {
    await clock.sleep(100);
    return store.take(reserve);
  },
});

test('sends nothing with a permit that is granted while a pause begins, even if the store does not take it back [S-84]', async () => {
  const { clock, pacer, starts, request } = setUp({
    change: (store, clock) => ({
      ...slowTake(store, clock),
      settle: (permit, sent) => (sent === false ? Promise.reject(new Error('away')) : store.settle(permit, sent)),
      pause: async () => undefined,
    }),
  });
  const waiting = request('waits');
  await clock.advance(50);
  await pacer.pause(61_000);
  await clock.run(waiting);
  expect(starts).toEqual([{ label: 'waits', at: 61_150 }]);
});

test('passes a permit granted to a cancelled request to the next request', async () => {
  const { clock, starts, request } = setUp({ requests: 1, change: slowTake });
  const abort = new AbortController();
  const cancelled = request('cancelled', { signal: abort.signal }).catch((error: unknown) => error);
  const next = request('next');
  await clock.advance(50);
  abort.abort();
  await clock.run(next);
  expect(await cancelled).toMatchObject({ code: 'aborted' });
  expect(starts).toEqual([{ label: 'next', at: 200 }]);
});

test('never sleeps for a negative time, even if the process is suspended between two clock readings', async () => {
  const slept: number[] = [];
  for (let stop = 0; stop < 30; stop++) {
    const clock = createVirtualClock();
    let readings = 0;
    const now = () => clock.now() + (readings++ < stop ? 0 : 30);
    const sleep: VirtualClock['sleep'] = (ms, signal) => {
      slept.push(ms);
      return clock.sleep(Math.max(0, ms), signal);
    };
    const { pacer } = setUp({ host: { now, sleep } });
    await clock.run(Promise.all(Array.from({ length: 4 }, () => acquire(pacer, clock.now))));
  }
  expect(slept.length).toBeGreaterThan(0);
  expect(Math.min(...slept)).toBeGreaterThanOrEqual(0);
});

test.each([{ maxWaitMs: 20_000 }, { deadlineMs: 20_000 }])(
  'immediately rejects a request with %j if the next permit comes later, and says when',
  async (wish) => {
    const { clock, request, burst } = setUp({ requests: 3 });
    await clock.run(burst(3));
    const answeredAt = clock.now();
    const rejected = await clock.run(request('late', wish).catch((error: unknown) => error));
    expect(clock.now()).toBe(answeredAt);
    expect(isRateLimitError(rejected) && rejected.source).toBe('local');
    expect(isRateLimitError(rejected) && rejected.retryAfterMs).toBeCloseTo(61_000 - 40, -1);
  },
);

test('serves a waiting request at once with a permit that was not used', async () => {
  const { clock, pacer, starts, request } = setUp({ requests: 1 });
  const permit = await clock.run(acquire(pacer, clock.now));
  const waiting = request('waits');
  await clock.advance(5_000);
  await pacer.settle(permit, false);
  await clock.run(waiting);
  expect(starts).toEqual([{ label: 'waits', at: 5_000 }]);
});

test('a request that waits for a slow one is rejected at its deadline, not after `maxWaitMs`', async () => {
  const { clock, request } = setUp({ concurrency: 1 });
  const slow = request('slow', { tripMs: 30_000 });
  const late = request('late', { maxWaitMs: 1_000, deadlineMs: 5_000 }).catch((error: unknown) => error);
  expect(await clock.run(late)).toMatchObject({ code: 'timeout' });
  expect(clock.now()).toBe(5_000);
  await clock.run(slow);
});

test('with `maxWaitMs: 0`, serves every call for which a permit is free, whatever the concurrency', async () => {
  const { clock, starts, request } = setUp({ requests: 20, concurrency: 4 });
  const calls = Array.from({ length: 25 }, (_, index) => request(`${index}`, { maxWaitMs: 0, tripMs: 5_000 }));
  const results = await clock.run(Promise.allSettled(calls));
  expect(starts).toHaveLength(20);
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual(
    Array(5).fill(expect.objectContaining({ code: 'rate_limited', source: 'local' })),
  );
});

test('a pause immediately rejects callers that cannot wait that long', async () => {
  const { clock, pacer, request, burst } = setUp({ requests: 2 });
  await clock.run(burst(2));
  await clock.advance(50_000);
  const waiting = request('patient for 20 s', { maxWaitMs: 20_000 }).catch((error: unknown) => error);
  await clock.advance(1_000);
  await pacer.pause(60_000);
  await clock.advance(11_000);
  expect(await waiting).toMatchObject({ code: 'rate_limited' });
});

test('a rejection during a pause does not give an earlier store failure as its reason', async () => {
  let isReduced = true;
  const { clock, pacer, request } = setUp({
    change: (store, clock) => ({
      take: async () => (isReduced ? { retryAt: clock.now() + 1_000, reduced: true } : store.take()),
    }),
  });
  const first = request('a');
  await clock.advance(10);
  isReduced = false;
  await pacer.pause(30_000);
  const late = request('b', { maxWaitMs: 20_000 }).catch((error: unknown) => error);
  await clock.run(first);
  const error = await late;
  expect(isRateLimitError(error) && error.reason).toBeUndefined();
});

test('aborting a queued call ends it at once, leaves no timer, and does not block the next call', async () => {
  const { clock, starts, request, burst } = setUp({ requests: 2 });
  await clock.run(burst(2));
  const abort = new AbortController();
  const given = request('given up', { signal: abort.signal }).catch((error: unknown) => error);
  await clock.advance(10_000);
  abort.abort(new Error('enough'));
  await clock.advance(0);
  expect(await given).toMatchObject({ code: 'aborted', cause: new Error('enough') });
  expect(clock.sleeping()).toBe(0);
  await clock.run(request('next'));
  expect(starts.at(-1)).toMatchObject({ label: 'next' });
});

test('listens to a signal only while a request waits', async () => {
  const { clock, request } = setUp({ requests: 1 });
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await clock.run(request('served at once', { signal }));
  expect(added).not.toHaveBeenCalled();
  removed.mockClear();
  await clock.run(request('waits', { signal }));
  expect([added, removed].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('bulk and background requests leave the reserve to interactive ones and to those with `useReserve`', async () => {
  const { clock, starts, request, burst } = setUp({ requests: 10, reserve: 3 });
  const bulk = burst(12);
  const poll = request('poll', { priority: 'background' });
  await clock.advance(10_000);
  expect(starts).toHaveLength(7);
  const people = ['a', 'b'].map((label) => request(label, { priority: 'interactive' }));
  await clock.run(Promise.all([...people, request('head', { priority: 'background', useReserve: true })]));
  expect(clock.now()).toBeLessThan(11_000);
  expect(starts.slice(7).map(({ label }) => label)).toEqual(['a', 'b', 'head']);
  await clock.run(Promise.all([bulk, poll]));
});

const requests = fc.array(
  fc.record({
    at: fc.nat(150_000),
    priority: fc.constantFrom('interactive', 'background', 'bulk' as const),
    useReserve: fc.boolean(),
    consumer: fc.nat(3),
    tripMs: fc.nat(3_000),
    givesUpAfterMs: fc.option(fc.nat(30_000), { freq: 4, nil: undefined }),
  }),
  { maxLength: 60 },
);

test('serves all users of a key in order, and never exceeds the limit [S-79]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }).chain((requests) => fc.tuple(fc.constant(requests), fc.nat(requests - 1))),
      requests,
      async ([requests, reserve], wishes) => {
        const { clock, pacer } = setUp({ requests, reserve });
        const out: { from: number; to: number; isOther: boolean }[] = [];
        const served = new Map<string, number[]>();
        const expected = new Map<string, number[]>();
        const send = async (
          { at, tripMs, givesUpAfterMs, priority, consumer, ...wish }: (typeof wishes)[number],
          index: number,
        ) => {
          await clock.sleep(at + index / 1_000);
          const useReserve = wish.useReserve && priority === 'background';
          const of = `${priority} ${useReserve} ${consumer}`;
          const abort = new AbortController();
          if (givesUpAfterMs !== undefined) clock.sleep(givesUpAfterMs).then(() => abort.abort());
          else expected.set(of, [...(expected.get(of) ?? []), index]);
          const permit = await acquire(pacer, clock.now, {
            priority,
            useReserve,
            consumer,
            signal: abort.signal,
            onWait: (waitMs) => expect(waitMs).toBeGreaterThan(0),
          }).catch(() => undefined);
          if (!permit) return;
          if (givesUpAfterMs === undefined) served.set(of, [...(served.get(of) ?? []), index]);
          const from = clock.now();
          await clock.sleep(tripMs);
          await pacer.settle(permit);
          out.push({ from, to: clock.now() + 61_000, isOther: priority === 'bulk' });
        };
        await clock.run(Promise.all(wishes.map(send)));
        expect(served).toEqual(expected);
        for (const { from } of out) {
          expect(out.filter((other) => other.from <= from && from < other.to).length).toBeLessThanOrEqual(requests);
        }
      },
    ),
    { numRuns: 60 },
  );
});
