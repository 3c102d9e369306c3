import net from 'node:net';
import { faultOf } from '@order-license/testing/odd-responses';
import { expect, test, vi } from 'vitest';
import { createClient } from '../index.ts';
import { serve, startMock } from '../serve.fixture.ts';

/** A mock, and a client that does not retry. */
const setUp = async () => {
  const { mock, service } = await startMock();
  return { mock, service, client: createClient({ ...service, retries: 0 }) };
};

test('retries on a new connection after the API closed a kept-alive one [U-57]', async () => {
  const { mock, service } = await setUp();
  const client = createClient({ ...service, retries: 1 });
  mock.faults.add({ kind: 'idleReset', times: 1 });
  await client.getMe();
  await expect(client.getMe()).resolves.toHaveProperty('user_id');
});

test('names the error of a response that is not HTTP', async () => {
  const baseUrl = await serve(net.createServer((socket) => socket.end('220 mail.example ESMTP\r\n')));
  for (const options of [{}, { fetch }]) {
    const call = createClient({ baseUrl, apiKey: 'key', retries: 0, ...options }).getMe();
    await expect(call).rejects.toMatchObject({ code: 'connection', reason: 'HTTPParserError' });
  }
});

test('gives an address of a host time to connect before it tries the next one', async () => {
  const { client } = await setUp();
  using connect = vi.spyOn(net, 'connect');
  await client.getMe();
  expect(connect.mock.calls[0]?.[0]).toMatchObject({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_500 });
});

test('stops reading a body beyond the size limit', async () => {
  const { mock, client } = await setUp();
  mock.faults.add({ ...faultOf('hugeBody'), times: 1 });
  const message = expect.stringContaining('33554432 bytes');
  await expect(client.getMe()).rejects.toMatchObject({ code: 'invalid_response', message });
});

test('does not follow a redirect, and sends no key to its target [S-04]', async () => {
  let seen = 0;
  const target = await serve((_, response) => {
    seen += 1;
    response.end('{"status":200,"data":{}}');
  });
  const { mock, client } = await setUp();
  for (const status of [301, 302, 307, 308]) {
    mock.faults.add({ response: { status, headers: { location: `${target}/me` }, body: '' }, times: 1 });
    await expect(client.getMe()).rejects.toMatchObject({ code: 'invalid_response', status });
  }
  expect(seen).toBe(0);
});
