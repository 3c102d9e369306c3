import { expect, onTestFinished, test, vi } from 'vitest';
import { getMe, headers, post, rpc, serve } from '../testing/http-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { type CallQueue, createCallQueue } from './call-queue.ts';

/** Starts a server in front of an API that does not respond yet. */
const serveSlow = async (flags: string[] = []) => {
  const service = await slowService();
  const { url } = await serve({ ORDER_LICENSE_BASE_URL: service.baseUrl }, flags);
  return {
    service,
    ask: (key: string | undefined, body = getMe) => post(url, key ? { 'x-order-license-key': key } : {}, body),
  };
};

/** Returns the result of a tool call from the stream that the server responds with. */
const resultOf = (text: string) => JSON.parse(text.slice(text.indexOf('{'))).result;

test('if 8 calls of a caller run and 32 wait, the next one gets a tool result with advice', async () => {
  const { service, ask } = await serveSlow();
  const calls = Array.from({ length: 41 }, () => ask('key-of-one'));
  const { status, text } = await Promise.race(calls);
  expect(status).toBe(200);
  expect(resultOf(text)).toMatchObject({
    isError: true,
    _meta: { 'io.github.order-license/error': { code: 'rate_limited', reason: 'queue_full', retryAfterMs: 1_000 } },
    content: [
      {
        text: expect.stringMatching(/^rate_limited: 40 calls of this caller are .*\. Call again when some .* ended\.$/),
      },
    ],
  });
  const other = ask('key-of-another'); // this caller has its own queue
  service.answerAll();
  const results = (await Promise.all([...calls, other])).map(({ text }) => resultOf(text).isError === true);
  expect(results.filter((isError) => isError)).toHaveLength(1);
});

test('only tool calls wait', async () => {
  const { service, ask } = await serveSlow(['--max-per-caller', '1']);
  const running = [ask('key-of-one'), ask('key-of-one')];
  await service.came;
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
  for (const body of [rpc('tools/list'), rpc('prompts/list'), rpc('ping'), rpc('initialize', client)]) {
    expect((await ask('key-of-one', body)).status).toBe(200);
  }
  service.answerAll();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
});

const never = new AbortController().signal;
const maxWaitMs = 45_000;

/** Lets a call enter the queue; `hasStarted` says whether it runs. */
const enter = (queue: CallQueue, caller: string | undefined, signal = never) => {
  let end: (() => void) | undefined;
  const promise = queue(caller, signal, maxWaitMs).then((ended) => {
    end = ended;
  });
  promise.catch(() => undefined);
  return { promise, hasStarted: () => end !== undefined, end: () => end?.() };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("of the calls with the server's API key, 56 run and 224 wait; one that ends starts the oldest", async () => {
  const queue = createCallQueue(8);
  const calls = Array.from({ length: 280 }, () => enter(queue, undefined));
  await settled();
  expect(calls.filter(({ hasStarted }) => hasStarted())).toHaveLength(56);
  await expect(enter(queue, undefined).promise).rejects.toMatchObject({
    reason: 'queue_full',
    detail: "280 calls with the server's API key are already running or waiting",
  });
  for (const [index, ended] of [30, 3].entries()) {
    calls[ended]?.end();
    await settled();
    const started = calls.map(({ hasStarted }) => hasStarted());
    expect([started.lastIndexOf(true), started.indexOf(false)]).toEqual([56 + index, 57 + index]);
  }
});

test('of all callers, at most 320 calls run or wait, and the next may enter when one of them has ended', async () => {
  const queue = createCallQueue(8);
  const calls = Array.from({ length: 320 }, (_, i) => enter(queue, `key-${i % 40}`));
  await settled();
  expect(calls.every(({ hasStarted }) => hasStarted())).toBe(true);
  await expect(enter(queue, 'another').promise).rejects.toMatchObject({
    reason: 'queue_full',
    detail: '320 calls of all callers are already running or waiting',
  });
  calls[0]?.end();
  const next = enter(queue, 'another');
  await settled();
  expect(next.hasStarted()).toBe(true);
});

test('a call that is cancelled leaves the queue', async () => {
  const queue = createCallQueue(1);
  const waiting = new AbortController();
  const first = enter(queue, 'key');
  const cancelled = enter(queue, 'key', waiting.signal);
  const last = enter(queue, 'key');
  await settled();
  waiting.abort();
  await expect(cancelled.promise).rejects.toMatchObject({ code: 'aborted' });
  expect([first.hasStarted(), last.hasStarted()]).toEqual([true, false]);
  first.end();
  await settled();
  expect(last.hasStarted()).toBe(true);
  await expect(enter(queue, 'key', AbortSignal.abort()).promise).rejects.toMatchObject({ code: 'aborted' });
  last.end();
  const next = enter(queue, 'key');
  await settled();
  expect(next.hasStarted()).toBe(true);
});

test('a call whose caller disconnects leaves the queue', async () => {
  const service = await slowService();
  const env = { ORDER_LICENSE_BASE_URL: service.baseUrl, ORDER_LICENSE_ACCESS_LOG: 'stderr' };
  const { url } = await serve(env, ['--max-per-caller', '1']);
  const lines = watchStderr();
  const own = { ...headers, 'x-order-license-key': 'key-of-one' };
  /** Resolves when the response begins; its result follows when the call ends. */
  const begin = (signal?: AbortSignal) =>
    fetch(url, { method: 'POST', headers: own, body: getMe, ...(signal && { signal }) });
  const cancel = new AbortController();
  const first = await begin();
  await service.came;
  const waiting = [await begin(), await begin(), await begin()];
  await begin(cancel.signal);
  cancel.abort();
  await vi.waitFor(() => expect(lines.join('')).toContain('"outcome":"aborted"'), { timeout: 30_000 });
  waiting.push(await begin());
  service.answerAll();
  for (const response of [first, ...waiting]) {
    expect(resultOf(await response.text()).structuredContent).toEqual({ user_id: 7 });
  }
});

test('a call that waits longer than a call may take ends with a timeout', async () => {
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
  onTestFinished(() => timeout.mockRestore());
  const queue = createCallQueue(1);
  const running = enter(queue, 'key');
  const waiting = enter(queue, 'key');
  await settled();
  expect([running.hasStarted(), waiting.hasStarted(), timeout.mock.lastCall]).toEqual([true, false, [45_000]]);
  late.abort();
  await expect(waiting.promise).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('45 s') });
  running.end();
  await settled();
  expect(waiting.hasStarted()).toBe(false);
});
