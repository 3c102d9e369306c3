import { inspect } from 'node:util';
import { createMock } from '@order-license/mock-api';
import { type AnyFault, faultOf } from '@order-license/testing/odd-responses';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { errorOf } from './client/virtual-client.fixture.ts';
import * as fetchEntry from './fetch.ts';
import * as nodeEntry from './index.ts';
import { createClient as createInBrowser } from './not-for-browsers.ts';
import { serve, startMock } from './serve.fixture.ts';

afterEach(() => vi.unstubAllGlobals());

const apiKey = 'olk_canary_key_1234567890';
const baseUrl = 'https://shop.example/api/v1';
const me = { user_id: 7 };

/** A client of the Node entry that sends through `fetch`. */
const clientWith = (fetch: unknown, options: Partial<nodeEntry.NodeClientOptions> = {}) =>
  nodeEntry.createClient({ baseUrl, apiKey, retries: 0, maxWaitMs: 0, fetch: fetch as nodeEntry.Fetch, ...options });

test.each([
  ['Node', nodeEntry.createClient],
  ['fetch', fetchEntry.createClient],
] as const)('the %s entry point sends each attempt through the option `fetch` [S-59 S-60]', async (_, createClient) => {
  const mock = createMock({ orders: 60 });
  const fetch = vi.fn(mock.fetch);
  const client = createClient({ baseUrl, apiKey: mock.keys.business, fetch });
  mock.faults.add({ kind: 'status', status: 503, times: 1 });
  expect(await Array.fromAsync(client.orders({ limit: 60 }))).toHaveLength(60);
  expect(fetch).toHaveBeenCalledTimes(3);
  expect(mock.journal.violations()).toEqual([]);
});

test.each<[AnyFault, string]>([
  ['resetBefore', 'connection'],
  ['truncate', 'connection'],
  ['hang', 'timeout'],
  ['html', 'server'],
])('reports the fault %s as %s', async (kind, code) => {
  const { mock, service } = await startMock();
  mock.faults.add({ ...faultOf(kind), times: 1 });
  const client = fetchEntry.createClient({ ...service, retries: 0, timeoutMs: kind === 'hang' ? 100 : 10_000 });
  await expect(client.getMe()).rejects.toMatchObject({ code, attempts: 1 });
});

test('does not read a response beyond 32 MiB', async () => {
  let sent = 0;
  const address = await serve((_, response) => {
    const send = (): void => {
      sent += 1;
      response.write(Buffer.alloc(1024 * 1024), () => response.destroyed || send());
    };
    send();
  });
  await expect(clientWith(fetch, { baseUrl: address }).getMe()).rejects.toMatchObject({ code: 'invalid_response' });
  expect(sent).toBeLessThan(100);
});

test('uses the status of an error even if its body is truncated [U-41]', async () => {
  const address = await serve((_, response) => {
    response.writeHead(429, { 'content-length': '1000', 'retry-after': '7' });
    response.write('{"status":429', () => response.destroy());
  });
  const limited = { code: 'rate_limited', status: 429, source: 'server' };
  await expect(clientWith(fetch, { baseUrl: address }).getMe()).rejects.toMatchObject(limited);
});

test.each([
  ['Node.js/24', 1],
  ['Cloudflare-Workers', 2],
])('on %s, two clients with the same key and a limit of one request send %i in total', async (userAgent, sent) => {
  vi.stubGlobal('navigator', { userAgent });
  const { mock, service } = await startMock();
  const newClient = () => fetchEntry.createClient({ ...service, rateLimit: { requests: 1 }, maxWaitMs: 0 });
  await Promise.allSettled([newClient().getMe(), newClient().getMe()]);
  expect(mock.journal.total()).toBe(sent);
});

test('rejects use in browsers, which would expose the API key', () => {
  expect(() => createInBrowser({ baseUrl, apiKey })).toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringContaining('API key') }),
  );
});

test('sends through the `fetch` of undici, and through a wrapper of it with a dispatcher', async () => {
  const { service } = await startMock();
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.close());
  const wrapped: nodeEntry.Fetch = (url, init) => undiciFetch(url, { ...init, dispatcher });
  for (const fetch of [undiciFetch, wrapped, globalThis.fetch]) {
    await expect(nodeEntry.createClient({ ...service, fetch }).getMe()).resolves.toHaveProperty('user_id');
  }
});

test('calls `fetch` without `this`', async () => {
  const seen: unknown[] = [];
  const client = clientWith(function (this: unknown) {
    seen.push(this);
    return Promise.resolve(Response.json({ data: me }));
  });
  await client.getMe();
  expect(seen).toEqual([undefined]);
});

test('rejects an invalid `fetch`, and `fetch` together with `dispatcher` unless one of them is null', () => {
  const message = expect.stringContaining('`fetch`');
  const failure = expect.objectContaining({ code: 'configuration', message });
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.close());
  expect(() => clientWith(globalThis.fetch, { dispatcher })).toThrow(failure);
  for (const fetch of ['node-fetch', {}, true]) {
    expect(() => clientWith(fetch)).toThrow(failure);
    expect(() => fetchEntry.createClient({ baseUrl, apiKey, fetch: fetch as never })).toThrow(failure);
  }
  expect(() => clientWith(null, { dispatcher })).not.toThrow();
  expect(() => clientWith(globalThis.fetch, { dispatcher: null })).not.toThrow();
});

/** A client whose `fetch` returns responses without a stream. */
const streamless = (body: ArrayBuffer) =>
  clientWith(async () => ({ status: 200, headers: new Headers(), arrayBuffer: async () => body }));

test('reads a response that has no stream', async () => {
  expect(await streamless(new TextEncoder().encode(JSON.stringify({ data: me })).buffer).getMe()).toEqual(me);
});

test('does not accept a response without a stream beyond 32 MiB', async () => {
  const tooLong = { code: 'invalid_response', detail: expect.stringContaining('33554432 bytes') };
  await expect(streamless(new ArrayBuffer(33 * 1024 * 1024)).getMe()).rejects.toMatchObject(tooLong);
});

test.each([undefined, null, 'text', {}, { ok: true, status: 200, json: async () => ({ data: me }) }])(
  'if `fetch` returns %j instead of a `Response`, the call throws `configuration`',
  async (returned) => {
    const error = { code: 'configuration', attempts: 1, detail: '`fetch` did not return a `Response`' };
    await expect(clientWith(async () => returned, { retries: 2 }).getMe()).rejects.toMatchObject(error);
  },
);

test('if `fetch` returns a response whose body was already read, the error says to return a new one', async () => {
  const client = clientWith(vi.fn().mockResolvedValue(Response.json({ data: me })));
  await client.getMe();
  await expect(client.getMe()).rejects.toMatchObject({
    code: 'configuration',
    advice: expect.stringContaining('a new `Response` for each request'),
  });
});

test('if `fetch` follows a redirect despite its options, the call throws `invalid_response`', async () => {
  const address = await serve((request, response) => {
    if (request.url !== '/api/v1/me') return response.end(JSON.stringify({ data: me }));
    return response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const redirect = { code: 'invalid_response', reason: 'redirect' };
  const following: nodeEntry.Fetch = (url, init) => fetch(url, { ...init, redirect: 'follow' });
  await expect(clientWith(following, { baseUrl: address }).getMe()).rejects.toMatchObject(redirect);
  await expect(clientWith(fetch, { baseUrl: address }).getMe()).rejects.toMatchObject({ ...redirect, status: 302 });
});

const cause = { code: 'ECONNREFUSED' };
const custom = { code: 'E_CUSTOM', message: apiKey };

test.each<[unknown, object]>([
  [new TypeError(`fetch failed for ${apiKey}`, { cause }), { code: 'connection', reason: 'ECONNREFUSED', sent: false }],
  [Object.assign(new Error(apiKey), { request: { headers: { authorization: apiKey } } }), { code: 'connection' }],
  [apiKey, { code: 'connection' }],
  [null, { code: 'connection', sent: true }],
  [undefined, { code: 'connection', sent: true }],
  [42, { code: 'connection' }],
  [custom, { code: 'connection', reason: 'E_CUSTOM' }],
])('reports whatever `fetch` throws without the API key [S-70]', async (thrown, expected) => {
  const fail = () => {
    throw thrown;
  };
  for (const fetch of [fail, async () => fail()]) {
    const error = await errorOf(clientWith(fetch).getMe());
    expect(error).toMatchObject(expected);
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
  }
});

test('a call ends in time even if `fetch` ignores its signal', async () => {
  const client = clientWith(() => new Promise(() => undefined), { rateLimit: { minGapMs: 0 } });
  const aborted = expect(client.getMe({ signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ code: 'aborted' });
  // One second after the time limit, the client stops waiting for the host.
  const late = expect(client.getMe({ timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' });
  await Promise.all([aborted, late]);
});

test('uses the `fetch` that a test installs as the global one', async () => {
  const client = fetchEntry.createClient({ baseUrl, apiKey });
  vi.stubGlobal('fetch', async () => Response.json({ data: me }));
  expect(await client.getMe()).toEqual(me);
});

test.each([
  [200, 'invalid_response'],
  [401, 'authentication'],
])('names the content coding of a body that `fetch` cannot decode (%i) [U-56]', async (status, code) => {
  for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
    const address = await serve((_, response) => {
      response.writeHead(status, { 'content-encoding': coding }).end(JSON.stringify({ status, error: 'no' }));
    });
    await expect(clientWith(fetch, { baseUrl: address }).getMe()).rejects.toMatchObject({
      code,
      status,
      received: expect.stringContaining(`content-encoding: ${coding}`),
    });
  }
});
