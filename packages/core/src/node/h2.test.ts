import { createSecureServer } from 'node:http2';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../index.ts';
import { certificate, startH2Server } from './h2-server.fixture.ts';
import { startProxy } from './proxy.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

const me = { user_id: 4711 };

test.each([
  ['connection', false],
  ['proxied connection', true],
])('replaces a silent %s at the first retry, even if HTTP/2 is offered [U-57]', async (_, isProxied) => {
  const { url, tunnels } = await startProxy();
  if (isProxied) vi.stubEnv('HTTPS_PROXY', url);
  let served = 0;
  const { baseUrl, connections } = await startH2Server((_, response, { number }) => {
    served += 1;
    if (served === 1 || number > 1) response.end(JSON.stringify({ status: 200, data: me }));
  });
  await createClient({ baseUrl, apiKey: 'key', retries: 0 }).getMe();
  const client = createClient({ baseUrl, apiKey: 'key', retries: 1, timeoutMs: 300 });
  await expect(client.getMe()).resolves.toEqual(me);
  expect(connections().map(({ protocol }) => protocol)).toEqual(['http/1.1', 'http/1.1']);
  expect(tunnels).toHaveLength(isProxied ? 2 : 0);
});

test('opens a tunnel through an HTTPS proxy that offers HTTP/2', async () => {
  const { baseUrl } = await startH2Server((_, response) => response.end(JSON.stringify({ status: 200, data: me })));
  const { url, tunnels } = await startProxy(undefined, createSecureServer({ ...certificate, allowHTTP1: true }));
  vi.stubEnv('HTTPS_PROXY', url.replace('http:', 'https:'));
  expect(await createClient({ baseUrl, apiKey: 'key', retries: 0, timeoutMs: 5_000 }).getMe()).toEqual(me);
  expect(tunnels).toEqual([new URL(baseUrl).host]);
});
