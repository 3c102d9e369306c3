import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { listen } from '@order-license/mock-api';
import { certificateFiles } from '@order-license/testing/certificate';
import { Agent } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../index.ts';
import { startProxy } from './proxy.fixture.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

/** A server that calls `onConnection` for each connection. */
const serve = async (onConnection: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const freePort = async (): Promise<number> => {
  const port = await serve(() => undefined);
  await closers.pop()?.();
  return port;
};

const failureOf = (baseUrl: string, options: Partial<ClientOptions> = {}, signal?: AbortSignal) =>
  createClient({ baseUrl, apiKey: 'key', retries: 0, timeoutMs: 300, ...options })
    .getMe({ signal })
    .catch((error: unknown) => error);

test('calls to an unreachable API do not count toward the limit', async () => {
  const port = await freePort();
  const apiKey = 'the-key';
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey,
    retries: 0,
    maxWaitMs: 5_000,
    rateLimit: { minGapMs: 0 },
  });
  for (let call = 0; call < 20; call++) {
    await expect(client.getMe()).rejects.toMatchObject({ code: 'connection', sent: false });
  }
  const mock = await listen({ port, keys: { business: apiKey } });
  closers.push(() => mock.close());
  await Promise.all(Array.from({ length: 60 }, () => client.getMe()));
  expect(mock.journal.total()).toBe(60);
});

test('a request whose connection is refused or whose TLS handshake fails counts as unsent', async () => {
  const mock = await listen(await certificateFiles());
  closers.push(() => mock.close());
  expect(await failureOf(mock.baseUrl)).toMatchObject({ code: 'connection', sent: false });
  expect(await failureOf(`http://127.0.0.1:${await freePort()}/api/v1`)).toMatchObject({ sent: false });
});

test('a request that times out or is aborted before the connection is established counts as unsent', async () => {
  const silent = `https://127.0.0.1:${await serve(() => undefined)}/api/v1`;
  expect(await failureOf(silent)).toMatchObject({ code: 'timeout', sent: false });
  const abort = new AbortController();
  const client = createClient({ baseUrl: silent, apiKey: 'the-key', rateLimit: { requests: 1 }, maxWaitMs: 0 });
  setTimeout(() => abort.abort(), 50);
  await expect(client.getMe({ signal: abort.signal })).rejects.toMatchObject({ code: 'aborted', attempts: 1 });
  await new Promise(setImmediate);
  await expect(client.getMe({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: 'aborted' });
});

test('never sends a request that was aborted while it waited for a connection', async () => {
  const mock = await listen();
  closers.push(() => mock.close());
  mock.faults.add({ kind: 'delay', ms: 100, times: 1 });
  const dispatcher = new Agent({ connections: 1, allowH2: false });
  closers.push(() => dispatcher.close());
  const client = createClient({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, dispatcher });
  const abort = new AbortController();
  const [first, second] = [client.getMe(), client.getMe({ signal: abort.signal }).catch((error: unknown) => error)];
  setTimeout(() => abort.abort(), 50);
  expect(await second).toMatchObject({ code: 'aborted', attempts: 1 });
  await first;
  await client.getMe();
  expect(mock.journal.total()).toBe(2);
});

test('a request whose connection is reset after the request arrives counts as sent', async () => {
  const port = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
  expect(await failureOf(`http://127.0.0.1:${port}/api/v1`)).toMatchObject({ code: 'connection', sent: true });
  const hanging = await serve((socket) => socket.resume());
  expect(await failureOf(`http://127.0.0.1:${hanging}/api/v1`)).toMatchObject({ code: 'timeout', sent: true });
});

test('names the proxy if the proxy cannot be reached', async () => {
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${await freePort()}`);
  vi.resetModules(); // the process keeps the connections to the previous test's proxy
  const { createClient } = await import('../index.ts');
  const client = createClient({ baseUrl: 'https://127.0.0.1:9/api/v1', apiKey: 'proxied', retries: 0 });
  await expect(client.getMe()).rejects.toMatchObject({
    code: 'connection',
    reason: 'proxy',
    sent: false,
    retryable: true,
    detail: 'The proxy in HTTPS_PROXY could not be reached (ECONNREFUSED)',
  });
});

test.each([
  [407, 'configuration', 'user name and password', 1],
  [403, 'configuration', 'does not allow connections to the API (403)', 1],
  [503, 'connection', 'could not reach the API (503)', 2],
])('if a proxy rejects the tunnel with %i, reports `%s`', async (status, code, words, attempts) => {
  const { url, tunnels, close } = await startProxy(status);
  closers.push(close);
  vi.stubEnv('HTTPS_PROXY', url);
  vi.resetModules(); // the process keeps the connections to the previous test's proxy
  const { createClient } = await import('../index.ts');
  const client = createClient({ baseUrl: 'https://127.0.0.1:9/api/v1', apiKey: `proxied-${status}`, retries: 1 });
  const error = await client.getMe().catch((error: unknown) => error);
  expect(error).toMatchObject({
    code,
    attempts,
    sent: false,
    reason: 'proxy',
    message: expect.stringContaining(words),
  });
  expect(tunnels).toEqual(Array.from({ length: attempts }, () => '127.0.0.1:9'));
});
