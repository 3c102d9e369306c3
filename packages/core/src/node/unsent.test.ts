import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { freePort } from '@order-license/testing/free-port';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { errorOf } from '../client/virtual-client.fixture.ts';
import { createClient } from '../index.ts';
import { serve, startMock } from '../serve.fixture.ts';

const apiKey = 'olk_canary_key';

const failureOf = (baseUrl: string): Promise<unknown> =>
  errorOf(createClient({ baseUrl, apiKey, retries: 0, timeoutMs: 300 }).getMe());

test('calls to an unreachable API do not count toward the limit, and their errors name the code but not the key', async () => {
  const port = await freePort();
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey,
    retries: 0,
    maxWaitMs: 5_000,
    rateLimit: { minGapMs: 0 },
  });
  for (let call = 0; call < 20; call++) {
    const error = await errorOf(client.getMe());
    expect(error).toMatchObject({ code: 'connection', reason: 'ECONNREFUSED', sent: false });
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('canary');
  }
  const { mock } = await startMock({ port, keys: { business: apiKey } });
  await Promise.all(Array.from({ length: 60 }, () => client.getMe()));
  expect(mock.journal.total()).toBe(60);
});

test('a request that times out or is aborted before the connection is established counts as unsent', async () => {
  const silent = (await serve(createServer())).replace('http:', 'https:');
  expect(await failureOf(silent)).toMatchObject({ code: 'timeout', sent: false });
  const abort = new AbortController();
  const client = createClient({ baseUrl: silent, apiKey: 'the-key', rateLimit: { requests: 1 }, maxWaitMs: 0 });
  setTimeout(() => abort.abort(), 50);
  await expect(client.getMe({ signal: abort.signal })).rejects.toMatchObject({ code: 'aborted', attempts: 1 });
  await new Promise(setImmediate);
  await expect(client.getMe({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: 'aborted' });
});

test('never sends a request that was aborted while it waited for a connection', async () => {
  const { mock, service } = await startMock();
  mock.faults.add({ kind: 'delay', ms: 100, times: 1 });
  const dispatcher = new Agent({ connections: 1, allowH2: false });
  onTestFinished(() => dispatcher.close());
  const client = createClient({ ...service, dispatcher });
  const abort = new AbortController();
  const [first, second] = [client.getMe(), errorOf(client.getMe({ signal: abort.signal }))];
  setTimeout(() => abort.abort(), 50);
  expect(await second).toMatchObject({ code: 'aborted', attempts: 1 });
  await first;
  await client.getMe();
  expect(mock.journal.total()).toBe(2);
});

test('a request whose connection is reset after the request arrives, or that gets no response, counts as sent', async () => {
  const resetting = await serve(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
  expect(await failureOf(resetting)).toMatchObject({ code: 'connection', sent: true });
  const hanging = await serve(createServer((socket) => socket.resume()));
  expect(await failureOf(hanging)).toMatchObject({ code: 'timeout', sent: true });
});
