import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../index.ts';
import { startH2Server } from './h2-server.fixture.ts';
import { startSocksProxy } from './socks-proxy.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

const me = { user_id: 4711 };

/** Starts a TLS server, and a SOCKS proxy that the environment names as `variable`. */
const start = async (options: Parameters<typeof startSocksProxy>[0], variable: string, credentials = '') => {
  const server = await startH2Server((_, response) => response.end(JSON.stringify({ data: me })));
  onTestFinished(server.close);
  const proxy = await startSocksProxy(options);
  onTestFinished(proxy.close);
  vi.stubEnv(variable, `socks5h://${credentials}${proxy.address}`);
  const baseUrl = server.baseUrl.replace('127.0.0.1', 'localhost');
  return { proxy, baseUrl, client: createClient({ baseUrl, apiKey: `key-${proxy.address}`, retries: 0 }) };
};

test.each(['HTTPS_PROXY', 'ALL_PROXY'])('sends requests through the SOCKS5 proxy in %s', async (variable) => {
  const { proxy, baseUrl, client } = await start({}, variable);
  expect(await client.getMe()).toEqual(me);
  expect(proxy.tunnels).toEqual([new URL(baseUrl).host]);
});

test('logs in to a SOCKS5 proxy with the user name and password in its address', async () => {
  const login = 'us er:p@ss';
  const { client } = await start({ login }, 'HTTPS_PROXY', 'us%20er:p%40ss@');
  expect(await client.getMe()).toEqual(me);
});

test.each([
  [{ login: 'user:right' }, 'configuration', 'requires a valid user name and password'],
  [{ reply: 2 }, 'configuration', 'does not allow connections to the API'],
  [{ reply: 5 }, 'connection', 'could not reach the API'],
])('if a SOCKS5 proxy rejects the tunnel (%j), reports `%s`', async (options, code, words) => {
  const { client } = await start(options, 'HTTPS_PROXY', 'user:wrong@');
  await expect(client.getMe()).rejects.toMatchObject({
    code,
    reason: 'proxy',
    sent: false,
    detail: expect.stringContaining(`The proxy in HTTPS_PROXY ${words}`),
  });
});

test('names the SOCKS5 proxy if it cannot be reached', async () => {
  const { proxy, client } = await start({}, 'ALL_PROXY');
  proxy.close();
  await expect(client.getMe()).rejects.toMatchObject({
    code: 'connection',
    detail: 'The proxy in ALL_PROXY could not be reached (ECONNREFUSED)',
  });
});
