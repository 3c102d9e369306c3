import http from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { isLoopback } from './hosts.ts';
import { listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';

/** Starts a mock. The returned `status` sends a request with the given headers and returns the response's status. */
const start = async (options: ListenOptions = {}) => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  const status = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(new URL(path, mock.baseUrl), { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject).end();
    });
  return { mock, status };
};

test('the control API accepts local and allowed host names, with any port', async () => {
  const { status } = await start({ allowHosts: ['mock', 'Lab.example', '192.0.2.7', '2001:db8::7'] });
  const names = ['localhost:1', '[::1]', 'mock:8080', 'MOCK', 'lab.example', '192.0.2.7:80', '[2001:db8::7]:80'];
  for (const host of names) expect(await status('/__mock/clock', { host }), host).toBe(200);
  for (const host of [
    'evil.example',
    'mock.evil.example',
    'amock',
    'localhost.evil.example:80',
    '192.0.2.70',
    '[::2]',
  ]) {
    expect(await status('/__mock/clock', { host }), host).toBe(403);
  }
});

test('says which flag allows a rejected host name', async () => {
  const { mock } = await start({ host: '0.0.0.0' });
  const { port } = new URL(mock.baseUrl);
  const answer = await new Promise<string>((resolve) => {
    http.get({ port, path: '/__mock/clock', headers: { host: `10.0.0.1:${port}` } }, (response) => {
      resolve(text(response));
    });
  });
  expect(JSON.parse(answer)).toEqual({
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
  const { mock } = await start();
  const origin = 'http://localhost:5173';
  const preflight = await fetch(`${mock.controlUrl}/settings`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type' },
  });
  const allowed = ['origin', 'methods', 'headers'].map((name) => preflight.headers.get(`access-control-allow-${name}`));
  expect([preflight.status, ...allowed]).toEqual([204, '*', '*', '*']);
  const rejected = await fetch(`${mock.controlUrl}/settings`, { method: 'PATCH', headers: { origin }, body: '{}' });
  expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([403, '*']);
  expect(await rejected.json()).toEqual({
    error:
      'The control API does not accept requests from web pages of other origins. Send them from a program, such as the test runner.',
  });
});

test('the health check responds under any host name, and without the control API', async () => {
  const { status, mock } = await start({ control: false });
  for (const path of ['/__mock/health', '/__mock/health?probe']) {
    expect(await status(path, { host: '10.0.0.1' })).toBe(200);
  }
  expect(await status('/__mock/reset', { host: 'localhost' }, 'POST')).toBe(404);
  expect(mock.journal.entries().length).toBe(1);
});

test('listens on IPv6', async () => {
  const { mock } = await start({ host: '::1' });
  expect(mock.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+\/api\/v1$/);
  expect((await fetch(`${mock.controlUrl}/clock`)).status).toBe(200);
});

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.2', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
])('whether only this machine reaches %s: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
