import { AsyncLocalStorage } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { CallOptions } from '../base/call-options.ts';
import type { OnEvent } from '../base/events.ts';
import { errorOf, setUpVirtual } from '../client/virtual-client.fixture.ts';

const caller = new AsyncLocalStorage<number>();

const setUp = () => {
  const { newClientThrough, ...shop } = setUpVirtual({ retries: 0 });
  const sent: { aborted: boolean; caller: number | undefined }[] = [];
  const reported: (number | undefined)[] = [];
  const onEvent: OnEvent = ({ type }) => type === 'request' && reported.push(caller.getStore());
  const client = newClientThrough(
    (request, usual) => {
      sent.push({ aborted: request.signal?.aborted ?? false, caller: caller.getStore() });
      return usual(request);
    },
    { onEvent },
  );
  return { ...shop, client, sent, reported };
};

test('honors an abort between permit and request, and returns the permit', async () => {
  const { clock, client, sent } = setUp();
  let unsent = 0;
  for (let ticks = 0; ticks < 60; ticks++) {
    const abort = new AbortController();
    const before = sent.length;
    const call = errorOf(client.getMe({ signal: abort.signal }));
    for (let tick = 0; tick < ticks % 30; tick++) await null;
    abort.abort();
    expect(await clock.run(call)).toMatchObject({ code: 'aborted' });
    if (sent.length === before) unsent += 1;
  }
  expect(sent.filter(({ aborted }) => aborted)).toEqual([]);
  expect(unsent).toBeGreaterThan(10);
  const before = clock.now();
  await clock.run(Promise.all(Array.from({ length: 60 - sent.length }, () => client.getMe())));
  expect(clock.now() - before).toBeLessThan(10_000);
});

test('sends and reports each attempt in the caller’s async context, however long the call waited', async () => {
  const { clock, mock, client, sent, reported } = setUp();
  mock.faults.add({ kind: 'status', status: 503, times: 3 });
  const calls = Array.from({ length: 100 }, (_, index) => caller.run(index, () => client.getMe({ retries: 3 })));
  await clock.run(Promise.all(calls));
  expect(sent).toHaveLength(103);
  expect(new Set(sent.map(({ caller }) => caller))).toEqual(new Set(Array(100).keys()));
  expect(reported.toSorted()).toEqual(sent.map(({ caller }) => caller).toSorted());
});

test('sends nothing if the API key arrives after the deadline', async () => {
  const { clock, mock, newClient } = setUpVirtual({ rateLimit: { requests: 1 }, deadlineMs: 5_000 });
  const client = newClient({
    async apiKey() {
      await clock.sleep(6_000);
      return mock.keys.business;
    },
  });
  const error = await clock.run(errorOf(client.getMe()));
  expect(error).toMatchObject({ code: 'timeout', attempts: 0, sent: false });
  expect(mock.journal.total()).toBe(0);
  await clock.run(client.getMe({ deadlineMs: 7_000 })); // the aborted call returned its permit
});

test('frees the memory of calls that were aborted while waiting', async () => {
  const { clock, client } = setUp();
  const wait = () => {
    const abort = new AbortController();
    const call = client.getMe({ signal: abort.signal }).catch(() => undefined);
    return { abort, call, ref: new WeakRef(abort.signal) };
  };
  await clock.run(Promise.all(Array.from({ length: 60 }, () => client.getMe())));
  const refs = await (async () => {
    const waiting = Array.from({ length: 100 }, wait);
    await clock.advance(1_000);
    for (const { abort } of waiting) abort.abort();
    await clock.run(Promise.all(waiting.map(({ call }) => call)));
    return waiting.map(({ ref }) => ref);
  })();
  await clock.advance(1_000);
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  collectGarbage();
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(5);
});

test.each([
  { retries: -1 },
  { timeoutMs: 0 },
  { timeoutMs: 120_001 },
  { deadlineMs: 0 },
  { deadlineMs: Number.NaN },
  { deadlineMs: '50000' },
  { maxWaitMs: Number.NaN },
  { maxWaitMs: -1 },
  { priority: 'urgent' },
])('rejects invalid call options before anything is sent, and names the option: %j', async (options) => {
  const { mock, client } = setUp();
  const [name = ''] = Object.keys(options);
  const code = name === 'priority' ? 'bad_request' : 'configuration';
  const message = expect.stringContaining(`\`${name}\``);
  await expect(client.getMe(options as CallOptions)).rejects.toMatchObject({ code, message, attempts: 0 });
  expect(mock.journal.total()).toBe(0);
});

test('splits a wait of months into sleeps that are short enough for a timer', async () => {
  const { clock, mock, host, newClient } = setUpVirtual({ concurrency: 1, deadlineMs: 90 * 86_400_000 });
  const own = host(mock.keys.business);
  const sleep = vi.fn(own.sleep);
  const client = newClient({ host: { ...own, sleep } });
  await clock.run(Promise.all([client.getMe(), client.getMe()]));
  const slept = sleep.mock.calls.map(([ms]) => ms);
  expect(Math.max(...slept)).toBe(2 ** 31 - 1);
});
