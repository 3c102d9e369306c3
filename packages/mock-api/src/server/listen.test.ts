import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { certificateFiles } from '../../../testing/src/certificate.ts';
import { ask, headersFor, sendRaw, silenced, started } from '../test-client.fixture.ts';
import { listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';

test('responds to an internal error with 500 and logs it', async () => {
  const log = silenced('error');
  const mock = await started();
  const end = mock.journal.subscribe(() => {
    throw new Error('no room for notes');
  });
  const { status, body } = await ask(mock, '/me');
  expect([status, body]).toEqual([500, { status: 500, error: 'The mock failed: no room for notes' }]);
  expect(log.mock.calls).toEqual([['order-license-mock failed to respond:', new Error('no room for notes')]]);
  end();
  expect((await ask(mock, '/me')).status).toBe(200);
});

test('closing the mock cuts off requests in flight', async () => {
  const mock = await started();
  const hanging = ask(mock, '/me', { headers: { 'x-mock-fault': 'hang' } }).catch((error: unknown) => error);
  await mock.journal.waitFor();
  await sleep(5);
  await mock.close();
  expect(await hanging).toBeInstanceOf(TypeError);
});

test('with TLS, rejects settings for plain HTTP, at startup and later [U-31]', async () => {
  const files = await certificateFiles();
  const sentence = 'httpsOnly cannot be set with TLS';
  await expect(listen({ ...files, set: { httpsOnly: 'reject' } })).rejects.toThrow(sentence);
  const mock = await started(files);
  expect(() => mock.set({ httpsOnly: 'redirect' })).toThrow(sentence);
  expect(() => mock.setProfile('strict', { httpsOnly: 'reject' })).toThrow(sentence);
  expect(mock.settings().httpsOnly).toBe('off');
});

test.each([
  [{ ports: 1 }, 'listen has no "ports"; use one of port, host, allowHosts, control, tlsCert, tlsKey, ordersFile'],
  [{ port: '8x' }, 'port must be a whole number from 0 to 65535, not "8x"'],
  [{ control: 'off' }, 'control must be true or false, not "off"'],
  [{ limit: 5, set: { limit: 7 } }, 'limit is given twice'],
  [{ orders: 5, ordersFile: 'x.json' }, "orders and ordersFile can't be combined; pass one"],
])('rejects the invalid options %j', async (options, words) => {
  await expect(listen(options as ListenOptions)).rejects.toThrow(words);
});

test('accepts an absolute URL as the request target (RFC 9112)', async () => {
  const mock = await started();
  await sendRaw(mock, `${mock.baseUrl}/me`, { headers: headersFor(mock) });
  expect(mock.journal.entries()).toMatchObject([{ path: '/api/v1/me', status: 200, violations: [] }]);
});

test('does not use a coding that the client rejects with q=0 [U-56]', async () => {
  const mock = await started({ set: { compress: 'gzip' } });
  const coding = async (accepted: string) =>
    (await ask(mock, '/me', { headers: { 'accept-encoding': accepted } })).headers.get('content-encoding');
  expect([await coding('br, GZIP;q=0.5'), await coding('gzip;q=0, identity')]).toEqual(['gzip', null]);
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

test('closing a mock twice works', async () => {
  await using mock = await listen();
  await mock.close();
});
