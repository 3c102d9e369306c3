import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { connect, envelope, getMe, modernHeaders, post, rpc, serve, token } from '../testing/http-session.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';
import { readHttpOptions } from './options.ts';
import { serveHttp } from './serve.ts';

test("if the API rejects the server's own key, refers callers to the operator, but not callers who sent a key", async () => {
  const { url } = await serve({ ORDER_LICENSE_API_KEY: 'a-revoked-key' });
  const { text } = await callTool(await connect(url), 'order_license_get_me');
  expect(text).toMatch(/^authentication: .* Ask the server's operator to check its API key\./);
  const own = await connect(url, { 'x-order-license-key': 'another-revoked-key' });
  expect((await callTool(own, 'order_license_get_me')).text).toMatch(/create a new one in the customer account\./);
});

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('in mode %s, progress arrives before the result [U-60]', async (mode, revision) => {
  const { url, mock } = await serve();
  const client = await connect(url, {}, mode);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  const messages: unknown[] = [];
  const { isError } = await client.callTool(
    { name: 'order_license_get_order', arguments: { order_number: 'B-0000-000000' } },
    { onprogress: ({ progress, message }) => messages.push(`${progress} ${message}`) },
  );
  expect(isError).toBe(true);
  expect(messages).toEqual([50, 100, 120].map((count, n) => `${n + 1} Searched ${count} of 120 orders.`));
  expect(mock.journal.violations()).toEqual([]);
});

test('/healthz needs no token; other paths return 404', async () => {
  const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token });
  const health = await fetch(new URL('/healthz', url));
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  expect((await fetch(new URL('/elsewhere', url))).status).toBe(404);
});

test.each(['GET', 'DELETE', 'PUT', 'TRACE', 'HEAD'])('returns 405 for %s', async (method) => {
  const { url } = await serve();
  const [response] = await once(httpRequest(url, { method }).end(), 'response');
  response.resume();
  expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST']);
});

test.each([
  ['{', 'send it uncompressed'],
  ...[`[${getMe},${getMe}]`, ` \n[${getMe}]`, `\ufeff[${getMe}]`, '[]'].map((batch) => [batch, 'Batches are not']),
])('rejects the body %j without executing any of it', async (body = '', why) => {
  const { url, mock } = await serve();
  expect(await post(url, {}, body)).toMatchObject({ status: 400, text: expect.stringContaining(`${why}`) });
  expect(mock.journal.total()).toBe(0);
});

test('does not offer subscriptions [S-71]', async () => {
  const { url } = await serve();
  const body = rpc('subscriptions/listen', { _meta: envelope, notifications: { toolsListChanged: true } });
  const { text } = await post(url, modernHeaders('subscriptions/listen'), body);
  expect(JSON.parse(text)).toMatchObject({ error: { message: 'Subscription limit reached' } });
});

test('if the caller disconnects, the request to the API is aborted', async () => {
  const service = await slowService();
  const { url } = await serve({ ORDER_LICENSE_BASE_URL: service.baseUrl });
  const client = await connect(url);
  const cancel = new AbortController();
  const call = client.callTool({ name: 'order_license_get_me', arguments: {} }, { signal: cancel.signal });
  await service.came;
  cancel.abort();
  await expect(call).rejects.toThrow();
  await service.gone;
});

test('names a port that is already in use', async () => {
  const { url, mock } = await serve();
  const options = readHttpOptions(['--open', '--port', new URL(url).port], { ORDER_LICENSE_BASE_URL: mock.baseUrl });
  await expect(serveHttp(options)).rejects.toThrow(/^Port \d+ on 127\.0\.0\.1 cannot be used \(EADDRINUSE\)/);
});
