import { expect, test } from 'vitest';
import { sendRaw, started } from '../test-client.fixture.ts';
import { isLoopback } from './hosts.ts';
import type { ListenOptions } from './listen-options.ts';

/** Starts a mock. The returned `status` sends a request with the given headers and returns the response's status. */
const start = async (options: ListenOptions = {}) => {
  const mock = await started(options);
  const status = async (path: string, headers: Record<string, string>, method = 'GET') =>
    (await sendRaw(mock, path, { method, headers })).status;
  return { mock, status };
};

test('the control API accepts local and allowed host names, with any port', async () => {
  const { status } = await start({ allowHosts: ['mock', 'Lab.example', '192.0.2.7', '2001:db8::7'] });
  const names = ['localhost:1', '[::1]', 'mock:8080', 'MOCK', 'lab.example', '192.0.2.7:80', '[2001:db8::7]:80'];
  for (const host of names) expect(await status('/__mock/clock', { host }), host).toBe(200);
  const others = ['evil.example', 'mock.evil.example', 'amock', 'localhost.evil.example:80', '192.0.2.70', '[::2]'];
  for (const host of others) expect(await status('/__mock/clock', { host }), host).toBe(403);
});

test('says which flag allows a rejected host name', async () => {
  const { text } = await sendRaw(await started({ host: '0.0.0.0' }), '/__mock/clock', {
    headers: { host: '10.0.0.1:1' },
  });
  expect(JSON.parse(text)).toEqual({
    error:
      'The control API does not accept the host name "10.0.0.1". Start the mock with --allow-host 10.0.0.1 or the option allowHosts.',
  });
});

test('the control API accepts web pages only from its own origin', async () => {
  const { mock, status } = await start({ allowHosts: ['mock'] });
  const { host } = new URL(mock.baseUrl);
  const reset = (headers: Record<string, string>) => status('/__mock/reset', headers, 'POST');
  expect(await reset({ host, origin: `http://${host}` })).toBe(200);
  expect(await reset({ host: 'mock', origin: 'http://mock' })).toBe(200);
  for (const origin of [`https://${host}`, 'http://127.0.0.1', 'http://mock', 'null']) {
    expect(await reset({ host, origin }), origin).toBe(403);
  }
});

test('a web page of another origin can read why the control API rejects it', async () => {
  const { controlUrl } = await started();
  const origin = 'http://localhost:5173';
  const preflight = await fetch(`${controlUrl}/settings`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type' },
  });
  const allowed = ['origin', 'methods', 'headers'].map((name) => preflight.headers.get(`access-control-allow-${name}`));
  expect([preflight.status, ...allowed]).toEqual([204, '*', '*', '*']);
  const rejected = await fetch(`${controlUrl}/settings`, { method: 'PATCH', headers: { origin }, body: '{}' });
  expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([403, '*']);
  expect(await rejected.json()).toEqual({
    error:
      'The control API does not accept requests from web pages of other origins. Send them from a program, such as the test runner.',
  });
});

test('the health check responds under any host name, and without the control API', async () => {
  const { status, mock } = await start({ control: false });
  for (const path of ['/__mock/health', '/__mock/health?probe'])
    expect(await status(path, { host: '10.0.0.1' })).toBe(200);
  for (const path of ['/__mock/reset', '/__mock', '/__mock/'])
    expect(await status(path, { host: 'localhost' }, 'POST')).toBe(404);
  expect(mock.journal.entries().length).toBe(3);
});

test('listens on IPv6', async () => {
  const { baseUrl, controlUrl } = await started({ host: '::1' });
  expect(baseUrl).toMatch(/^http:\/\/\[::1\]:\d+\/api\/v1$/);
  expect((await fetch(`${controlUrl}/clock`)).status).toBe(200);
});

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.2', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
])('isLoopback(%s) is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
