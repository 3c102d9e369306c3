import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../index.ts';
import { type H2Handler, startH2Server } from './h2-server.fixture.ts';
import { startProxy } from './proxy.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

const me = { user_id: 4711, email: '', name: '', company: 'A', vat_id: '', api_version: '1.0' };
const body = JSON.stringify({ status: 200, data: me });

const start = async (handler: H2Handler) => {
  const { baseUrl, connections } = await startH2Server(handler);
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, apiKey: 'key', retries: 0, ...options });
  return { connections, clientOf };
};

test.each([
  ['connection', false],
  ['proxied connection', true],
])('replaces a silent %s at the first retry, even if HTTP/2 is offered [U-57]', async (_, isProxied) => {
  const { url, tunnels } = await startProxy();
  if (isProxied) vi.stubEnv('HTTPS_PROXY', url);
  let served = 0;
  const { clientOf, connections } = await start((_, response, { number }) => {
    served += 1;
    if (served === 1 || number > 1) response.end(body);
  });
  await clientOf().getMe();
  await expect(clientOf({ retries: 1, timeoutMs: 300 }).getMe()).resolves.toEqual(me);
  expect(connections().map(({ protocol }) => protocol)).toEqual(['http/1.1', 'http/1.1']);
  expect(tunnels).toHaveLength(isProxied ? 2 : 0);
});

test('reports a truncated body as `connection`, even if HTTP/2 is offered [U-43]', async () => {
  const { clientOf } = await start((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(body.slice(0, 20), () => setImmediate(() => (response.stream ?? response).destroy()));
  });
  await expect(clientOf().getMe()).rejects.toMatchObject({ code: 'connection', attempts: 1 });
});
