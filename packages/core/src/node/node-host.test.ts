import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { listen, type MockServer } from '@order-license/mock-api';
import { certificateFiles } from '@order-license/testing/certificate';
import { faultOf } from '@order-license/testing/odd-responses';
import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../index.ts';
import { startProxy } from './proxy.fixture.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const start = async (options: Parameters<typeof listen>[0] = {}): Promise<MockServer> => {
  const mock = await listen(options);
  closers.push(() => mock.close());
  return mock;
};

const clientOf = (mock: MockServer, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, retries: 0, ...options });

const serve = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

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
  const server = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const service = { baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: 'key', retries: 0 };
  for (const options of [{}, { fetch }]) {
    const error = await createClient({ ...service, ...options })
      .getMe()
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'connection', reason: 'HTTPParserError' });
  }
});

test('gives an address of a host time to connect before it tries the next one', async () => {
  const mock = await start();
  const connect = vi.spyOn(net, 'connect');
  closers.push(() => connect.mockRestore());
  await clientOf(mock).getMe();
  expect(connect.mock.calls[0]?.[0]).toMatchObject({
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_500,
  });
});

test('stops reading a body beyond the size limit', async () => {
  const mock = await start();
  mock.faults.add({ ...faultOf('hugeBody'), times: 1 });
  const error = await clientOf(mock)
    .getMe()
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'invalid_response', message: expect.stringContaining('33554432 bytes') });
});

test('the caller’s abort ends the request', async () => {
  const mock = await start();
  mock.faults.add({ kind: 'hang', times: 1 });
  const abort = new AbortController();
  const call = clientOf(mock)
    .getMe({ signal: abort.signal })
    .catch((error: unknown) => error);
  setTimeout(() => abort.abort('enough'), 50);
  expect(await call).toMatchObject({ code: 'aborted', cause: 'enough', attempts: 1 });
});

test('does not follow a redirect, and sends no key to its target [S-04]', async () => {
  const seen: unknown[] = [];
  const port = await serve(
    createServer((request, response) => {
      seen.push(request.headers);
      response.end('{"status":200,"data":{}}');
    }),
  );
  const mock = await start();
  for (const status of [301, 302, 307, 308]) {
    const location = `http://127.0.0.1:${port}/api/v1/me`;
    mock.faults.add({ response: { status, headers: { location }, body: '' }, times: 1 });
    await expect(clientOf(mock).getMe()).rejects.toMatchObject({ code: 'invalid_response', status });
  }
  expect(seen).toEqual([]);
});

test('reports the error code without the key if nothing listens at the address', async () => {
  const port = await serve(createServer());
  await closers.pop()?.();
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: 'olk_CANARY', retries: 0 });
  const error = await client.getMe().catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'connection', message: expect.stringContaining('ECONNREFUSED') });
  expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('CANARY');
});

/** Runs a client in a separate process, because a process reads the proxy settings only at its first call. */
const runElsewhere = async (mock: MockServer, env: Record<string, string>) => {
  const file = fileURLToPath(new URL('get-me.fixture.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { PATH: process.env.PATH, BASE_URL: mock.baseUrl, API_KEY: mock.keys.business, ...env },
  });
  return stdout.trim();
};

test('rejects an untrusted certificate, and accepts it with NODE_EXTRA_CA_CERTS [S-04 U-61]', async () => {
  const files = await certificateFiles();
  const mock = await start(files);
  expect(mock.baseUrl).toMatch(/^https:/);
  expect(await runElsewhere(mock, {})).toMatch(/^connection .*SELF_SIGNED/);
  expect(await runElsewhere(mock, { NODE_EXTRA_CA_CERTS: files.tlsCert })).toBe('4711');
});

test.skipIf(process.platform !== 'linux')(
  'accepts a certificate of this machine’s CAs with NODE_USE_SYSTEM_CA',
  async () => {
    const files = await certificateFiles();
    const mock = await start(files);
    const env = { SSL_CERT_FILE: files.tlsCert };
    expect(await runElsewhere(mock, env)).toMatch(/^connection .*SELF_SIGNED.* NODE_USE_SYSTEM_CA=1/);
    expect(await runElsewhere(mock, { ...env, NODE_USE_SYSTEM_CA: '1' })).toBe('4711');
  },
);

test('uses the proxy in HTTPS_PROXY, except for hosts in NO_PROXY', async () => {
  const files = await certificateFiles();
  const mock = await start(files);
  const { url, tunnels, close } = await startProxy();
  closers.push(close);
  const env = { NODE_EXTRA_CA_CERTS: files.tlsCert, HTTPS_PROXY: url };
  expect(await runElsewhere(mock, env)).toBe('4711');
  expect(tunnels).toEqual([new URL(mock.baseUrl).host]);
  expect(await runElsewhere(mock, { ...env, NO_PROXY: '127.0.0.1' })).toBe('4711');
  expect(tunnels).toHaveLength(1);
  expect(await runElsewhere(mock, { ...env, HTTPS_PROXY: 'proxy.example:3128' })).toContain(
    'HTTPS_PROXY is not the URL of a supported proxy',
  );
});

test('names the certificate of the API, not the proxy, if TLS fails behind an open tunnel', async () => {
  const mock = await start(await certificateFiles());
  const { url, tunnels, close } = await startProxy();
  closers.push(close);
  expect(await runElsewhere(mock, { HTTPS_PROXY: url })).toMatch(/^connection The API's certificate .*SELF_SIGNED/);
  expect(tunnels).toHaveLength(1);
});

test('sends no plain HTTP through a proxy, which could read the API key [S-70]', async () => {
  const mock = await start();
  let asked = 0;
  const proxy = createServer((_, response) => {
    asked += 1;
    response.end();
  });
  const proxied = `http://127.0.0.1:${await serve(proxy)}`;
  expect(await runElsewhere(mock, { HTTP_PROXY: proxied, HTTPS_PROXY: proxied })).toBe('4711');
  expect(asked).toBe(0);
});

test('uses the status of an error even if its body is truncated [U-41]', async () => {
  const server = createServer((_, response) => {
    response.writeHead(429, { 'content-length': '1000', 'retry-after': '7' });
    response.write('{"status":429', () => response.destroy());
  });
  const client = createClient({
    baseUrl: `http://127.0.0.1:${await serve(server)}/api/v1`,
    apiKey: 'k2',
    maxWaitMs: 0,
  });
  const error = await client.getMe().catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'rate_limited', source: 'server', status: 429 });
});
