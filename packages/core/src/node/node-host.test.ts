import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listen, type MockServer } from '@order-license/mock-api';
import { certificateFiles } from '@order-license/testing/certificate';
import { listenOnLoopback } from '@order-license/testing/loopback';
import { faultOf } from '@order-license/testing/odd-responses';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../index.ts';

const start = async (options: Parameters<typeof listen>[0] = {}): Promise<MockServer> => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  return mock;
};

const clientOf = (mock: MockServer, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, retries: 0, ...options });

const serve = async (server: net.Server): Promise<string> =>
  `http://127.0.0.1:${(await listenOnLoopback(server)).port}/api/v1`;

test('returns names, codes and URLs byte for byte [S-05 S-29]', async () => {
  const mock = await start();
  const client = clientOf(mock, { rateLimit: { minGapMs: 0 }, concurrency: 8 });
  const headers = { accept: 'application/json', authorization: `Bearer ${mock.keys.businessSecond}` };
  for (const { id } of (await client.listOrders({ perPage: 50 })).orders) {
    const response = await fetch(`${mock.baseUrl}/orders/${id}`, { headers });
    expect(await client.getOrder(id)).toEqual(((await response.json()) as { data: unknown }).data);
  }
});

test('retries on a new connection after the API closed a kept-alive one [U-57]', async () => {
  const mock = await start();
  const client = clientOf(mock, { retries: 1 });
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
  const mock = await start();
  const connect = vi.spyOn(net, 'connect');
  onTestFinished(() => connect.mockRestore());
  await clientOf(mock).getMe();
  expect(connect.mock.calls[0]?.[0]).toMatchObject({
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_500,
  });
});

test('stops reading a body beyond the size limit', async () => {
  const mock = await start();
  mock.faults.add({ ...faultOf('hugeBody'), times: 1 });
  const message = expect.stringContaining('33554432 bytes');
  await expect(clientOf(mock).getMe()).rejects.toMatchObject({ code: 'invalid_response', message });
});

test('does not follow a redirect, and sends no key to its target [S-04]', async () => {
  let seen = 0;
  const target = await serve(
    createServer((_, response) => {
      seen += 1;
      response.end('{"status":200,"data":{}}');
    }),
  );
  const mock = await start();
  for (const status of [301, 302, 307, 308]) {
    mock.faults.add({ response: { status, headers: { location: `${target}/me` }, body: '' }, times: 1 });
    await expect(clientOf(mock).getMe()).rejects.toMatchObject({ code: 'invalid_response', status });
  }
  expect(seen).toBe(0);
});

test.each<[string, (file: string) => Record<string, string>]>([
  ['in NODE_EXTRA_CA_CERTS', (file) => ({ NODE_EXTRA_CA_CERTS: file })],
  ['of this machine, with NODE_USE_SYSTEM_CA', (file) => ({ SSL_CERT_FILE: file, NODE_USE_SYSTEM_CA: '1' })],
])('accepts a certificate of a CA %s [U-61]', async (_, envOf) => {
  const files = await certificateFiles();
  const mock = await start(files);
  expect(mock.baseUrl).toMatch(/^https:/);
  // A process reads these variables when it starts.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('get-me.fixture.ts', import.meta.url))],
    {
      env: {
        PATH: process.env.PATH,
        BASE_URL: mock.baseUrl,
        API_KEY: mock.keys.business,
        ...envOf(files.tlsCert),
      },
    },
  );
  expect(stdout).toBe('4711\n');
});
