import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { certificateFiles } from '../../../testing/src/certificate.ts';
import { listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';

const start = async (options: ListenOptions = {}) => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  const headers = { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' };
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(mock.baseUrl + path, { headers: { ...headers, ...more } });
  return { mock, get };
};

test('responds to an internal error with 500 and logs it', async () => {
  const log = silenced('error');
  const { mock, get } = await start();
  const end = mock.journal.subscribe(() => {
    throw new Error('no room for notes');
  });
  const failed = await get('/me');
  expect([failed.status, await failed.json()]).toEqual([
    500,
    { status: 500, error: 'The mock failed: no room for notes' },
  ]);
  expect(log.mock.calls).toEqual([['order-license-mock failed to respond:', new Error('no room for notes')]]);
  end();
  expect((await get('/me')).status).toBe(200);
});

test('a graceful stop finishes requests in flight and accepts no new ones', async () => {
  const { mock, get } = await start({ latency: 200 });
  const slow = get('/me');
  await new Promise((resolve) => mock.journal.subscribe(resolve));
  const closed = mock.close(5_000);
  expect((await slow).status).toBe(200);
  await closed;
  await expect(get('/me')).rejects.toThrow();
});

test('a stop cuts off requests in flight, at once or after the grace period', async () => {
  for (const graceMs of [undefined, 50]) {
    const { mock, get } = await start();
    const hanging = get('/me', { 'x-mock-fault': 'hang' }).catch((error: unknown) => error);
    await sleep(50);
    await mock.close(graceMs);
    expect(await hanging).toBeInstanceOf(TypeError);
  }
});

test('with TLS, rejects settings for plain HTTP, at startup and later [U-31]', async () => {
  const files = await certificateFiles();
  await expect(listen({ ...files, set: { httpsOnly: 'reject' } })).rejects.toThrow('httpsOnly cannot be set with TLS');
  const { mock } = await start(files);
  expect(() => mock.set({ httpsOnly: 'redirect' })).toThrow('httpsOnly cannot be set with TLS');
  expect(() => mock.setProfile('strict', { httpsOnly: 'reject' })).toThrow('httpsOnly cannot be set with TLS');
  expect(mock.settings().httpsOnly).toBe('off');
});

test.each([
  [{ ports: 1 }, 'listen has no "ports"; use one of port, host, allowHosts, control, tlsCert, tlsKey, ordersFile'],
  [{ port: '8x' }, 'port must be a whole number from 0 to 65535, not "8x"'],
  [{ control: 'off' }, 'control must be true or false, not "off"'],
  [{ limit: 5, set: { limit: 7 } }, 'limit is given twice'],
])('rejects the invalid options %j', async (options, words) => {
  await expect(listen(options as ListenOptions)).rejects.toThrow(words);
});

test('accepts an absolute URL as the request target (RFC 9112)', async () => {
  const { mock } = await start();
  const { port, origin } = new URL(mock.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(
    `GET ${origin}/api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mock.keys.business}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
  );
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(mock.journal.violations()).toEqual([]);
});

test('does not use a coding that the client rejects with q=0 [U-56]', async () => {
  const { get } = await start({ set: { compress: 'gzip' } });
  expect((await get('/me', { 'accept-encoding': 'br, GZIP;q=0.5' })).headers.get('content-encoding')).toBe('gzip');
  expect((await get('/me', { 'accept-encoding': 'gzip;q=0, identity' })).headers.get('content-encoding')).toBeNull();
});

test('await using closes the mock at the end of its block', async () => {
  let address = '';
  {
    await using mock = await listen();
    address = mock.baseUrl;
    expect((await fetch(`${address}/me`)).status).toBe(401);
  }
  await expect(fetch(`${address}/me`)).rejects.toThrow();
});

test('waitFor rejects when the mock is closed', async () => {
  const mock = await listen();
  const waiting = mock.journal.waitFor({ operation: 'me' }, { timeoutMs: 900 });
  const rejected = expect(waiting).rejects.toThrow('the mock was closed');
  await mock.close();
  await rejected;
  await expect(mock.journal.waitFor({}, { timeoutMs: 900 })).rejects.toThrow('the mock was closed');
});

test('on a listening mock, waitFor rejects with the abort reason', async () => {
  const { mock } = await start();
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(mock.journal.waitFor({}, { signal })).rejects.toThrow('enough');
});

test('closing a mock twice works', async () => {
  await using mock = await listen();
  await mock.close();
});
