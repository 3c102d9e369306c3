import { expect, onTestFinished, test } from 'vitest';
import { mcpHandler } from '../http/mcp-handler.ts';
import { readHttpOptions } from '../http/options.ts';
import { serveHttp } from '../http/serve.ts';
import { connect, serve } from '../testing/http-session.fixture.ts';
import { startMock } from '../testing/mcp-session.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { createMetrics } from './metrics.ts';
import { readMetricsAddress, serveMetrics } from './serve-metrics.ts';

test("serves the counts of an HTTP server's tool calls, without keys or orders", async () => {
  const { mock, env } = await startMock();
  const options = readHttpOptions(['--port', '0', '--open'], { ...env, ORDER_LICENSE_METRICS: '0' });
  const metrics = createMetrics();
  const url = await serveMetrics(options.metrics ?? expect.fail('no address'), metrics);
  const server = await serveHttp(options, mcpHandler(options, metrics));
  onTestFinished(() => server.close());
  const client = await connect(server.url);
  await client.callTool({ name: 'order_license_get_me', arguments: {} });
  await client.callTool({ name: 'order_license_get_order', arguments: { id: 987_654_321 } });
  await client.callTool({ name: 'get_none', arguments: {} }).catch(() => undefined);

  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  expect(text).toContain('order_license_mcp_calls_total{tool="order_license_get_me",outcome="ok"} 1\n');
  expect(text).toContain('order_license_mcp_calls_total{tool="order_license_get_order",outcome="not_found"} 1\n');
  expect(text).toContain('order_license_mcp_requests_total{operation="getMe",outcome="ok"} 1\n');
  expect(text).not.toMatch(/987654321|get_none/);
  expect(text).not.toContain(mock.keys.business);
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
});

test.each([
  ['GET', '/metrics?x=1'],
  ['GET', '/metrics/'],
  ['HEAD', '/metrics'],
])('serves metrics for %s %s', async (method, path) => {
  const url = await serveMetrics({ host: '127.0.0.1', port: 0 }, createMetrics());
  const response = await fetch(new URL(path, url), { method });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('0.0.4')]);
  expect((await response.text()).length > 0).toBe(method === 'GET');
});

test.each([
  [undefined, undefined],
  ['9464', { host: '127.0.0.1', port: 9464 }],
  ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
])('reads the address %s: off by default, and for this machine only unless a host is set', (text, address) => {
  expect(readMetricsAddress(text)).toEqual(address);
});

test.each(['on', 'localhost', '99999', 'http://127.0.0.1:9464', ':'])('rejects %s as an address', (text) => {
  expect(() => readMetricsAddress(text)).toThrow(expect.objectContaining({ code: 'configuration' }));
});

test('if the port is in use, the error names the variable', async () => {
  const metrics = createMetrics();
  const { port } = new URL(await serveMetrics({ host: '127.0.0.1', port: 0 }, metrics));
  await expect(serveMetrics({ host: '127.0.0.1', port: Number(port) }, metrics)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('ORDER_LICENSE_METRICS'),
  });
});

test("the access log contains the caller's traceparent, unless W3C forbids it", async () => {
  const { url } = await serve({ ORDER_LICENSE_ACCESS_LOG: 'stderr' });
  const lines = watchStderr();
  const client = await connect(url);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await client.callTool({ name: 'order_license_get_me', arguments: {}, _meta: { traceparent } });
  const invalid = [
    'canary',
    `ff${traceparent.slice(2)}`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
  ];
  for (const one of invalid) {
    await client.callTool({ name: 'order_license_get_me', arguments: {}, _meta: { traceparent: one } });
  }
  expect(lines.join('').match(/"traceparent":"[^"]*"/g)).toEqual([`"traceparent":"${traceparent}"`]);
});
