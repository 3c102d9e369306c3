import { createSecureServer } from 'node:http2';
import net from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { certificateFiles, makeCertificate } from '@order-license/testing/certificate';
import { listenOnLoopback } from '@order-license/testing/loopback';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../index.ts';
import { startMock } from '../serve.fixture.ts';
import { startProxy } from './proxy.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

const me = { user_id: 4711 };

/** The only certificate of the process: among several CAs with the same name, OpenSSL may pick the wrong one. */
const certificate = await makeCertificate();
const trusted = getCACertificates('default');

/**
 * Starts an API that offers HTTP/2 and HTTP/1.1, as most servers on the internet do, until the test ends. From then on,
 * this process trusts its certificate. Each API has a new address, because the process keeps its connections, with their
 * proxies, by address.
 * @param isSilent whether a request on the connection with this number, from 1, gets no response
 */
const startApi = async (isSilent = (_connection: number) => false) => {
  setDefaultCACertificates([...trusted, certificate.cert]);
  const sockets: TLSSocket[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: true });
  server.on('secureConnection', (socket) => sockets.push(socket));
  server.on('request', (request, response) => {
    const connection = sockets.findIndex(({ remotePort }) => remotePort === request.socket.remotePort) + 1;
    if (!isSilent(connection)) response.end(JSON.stringify({ data: me }));
  });
  const host = `localhost:${(await listenOnLoopback(server)).port}`;
  const clientOf = (options = {}) =>
    createClient({ baseUrl: `https://${host}/api/v1`, apiKey: 'key', retries: 0, ...options });
  return { client: clientOf(), clientOf, host, protocols: () => sockets.map(({ alpnProtocol }) => alpnProtocol) };
};

test.each(['HTTPS_PROXY', 'ALL_PROXY'])('uses the proxy in %s, except for hosts in NO_PROXY', async (variable) => {
  const { url, tunnels } = await startProxy();
  vi.stubEnv(variable, url);
  const { client, host } = await startApi();
  expect(await client.getMe()).toEqual(me);
  expect(tunnels).toEqual([host]);
  vi.stubEnv('NO_PROXY', 'localhost');
  expect(await (await startApi()).client.getMe()).toEqual(me);
  expect(tunnels).toHaveLength(1);
});

test('waits for each proxy address to connect before it tries the next one', async () => {
  vi.stubEnv('HTTPS_PROXY', (await startProxy()).url);
  const { client } = await startApi();
  using connect = vi.spyOn(net, 'connect');
  await client.getMe();
  expect(connect.mock.calls[0]?.[0]).toMatchObject({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_500 });
});

/** Returns the address of a proxy that is no longer there. */
const closed = async (starting: Promise<{ url: string; close: () => void }>) => {
  const { url, close } = await starting;
  close();
  return { url };
};

test.each<[string, () => Promise<{ url: string }>, string, string]>([
  ['the proxy returns 407', () => startProxy(407), 'configuration', 'requires a valid user name and password (407)'],
  ['the proxy returns 403', () => startProxy(403), 'configuration', 'does not allow connections to the API (403)'],
  ['the proxy returns 503', () => startProxy(503), 'connection', 'could not reach the API (503)'],
  ['no proxy listens', () => closed(startProxy()), 'connection', 'could not be reached (ECONNREFUSED)'],
])('if %s, the error names the variable that sets the proxy', async (_, start, code, words) => {
  vi.stubEnv('ALL_PROXY', (await start()).url);
  const { client } = await startApi();
  await expect(client.getMe()).rejects.toMatchObject({
    code,
    reason: 'proxy',
    sent: false,
    retryable: code === 'connection',
    detail: expect.stringContaining(`The proxy in ALL_PROXY ${words}`),
  });
});

test('names the certificate of the API, not the proxy, if TLS fails behind an open tunnel', async () => {
  const { url, tunnels } = await startProxy();
  vi.stubEnv('HTTPS_PROXY', url);
  const { service } = await startMock(await certificateFiles());
  const client = createClient({ ...service, retries: 0 });
  await expect(client.getMe()).rejects.toMatchObject({
    code: 'connection',
    message: expect.stringMatching(/^The API's certificate .*SELF_SIGNED/),
  });
  expect(tunnels).toHaveLength(1);
});

test.each([
  ['connection', false],
  ['proxied connection', true],
])('replaces a silent %s at the first retry, even if HTTP/2 is offered [U-57]', async (_, isProxied) => {
  const { url, tunnels } = await startProxy();
  if (isProxied) vi.stubEnv('HTTPS_PROXY', url);
  let served = 0;
  const { client, clientOf, protocols } = await startApi((connection) => served++ > 0 && connection === 1);
  await client.getMe();
  await expect(clientOf({ retries: 1, timeoutMs: 1_000 }).getMe()).resolves.toEqual(me);
  expect(protocols()).toEqual(['http/1.1', 'http/1.1']);
  expect(tunnels).toHaveLength(isProxied ? 2 : 0);
});

test('opens a tunnel through an HTTPS proxy that offers HTTP/2', async () => {
  const { clientOf, host } = await startApi();
  const { url, tunnels } = await startProxy(undefined, createSecureServer({ ...certificate, allowHTTP1: true }));
  vi.stubEnv('HTTPS_PROXY', url.replace('http:', 'https:'));
  expect(await clientOf({ timeoutMs: 5_000 }).getMe()).toEqual(me);
  expect(tunnels).toEqual([host]);
});
