import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../index.ts';
import { type H2Handler, startH2Server } from './h2-server.fixture.ts';
import { startProxy } from './proxy.fixture.ts';

const me = { user_id: 4711, email: '', name: '', company: 'A', vat_id: '', api_version: '1.0' };
const body = JSON.stringify({ status: 200, data: me });
const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) close();
});

const start = async (handler: H2Handler) => {
  const server = await startH2Server(handler);
  closers.push(server.close);
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: server.baseUrl, apiKey: 'key', retries: 0, ...options });
  return { ...server, clientOf };
};

test('replaces a silent connection at the first retry, even if HTTP/2 is offered [U-57]', async () => {
  let served = 0;
  const { clientOf, connections } = await start((_, response, { number }) => {
    served += 1;
    if (served === 1 || number > 1) response.end(body);
  });
  await clientOf().getMe();
  await expect(clientOf({ retries: 1, timeoutMs: 900 }).getMe()).resolves.toEqual(me);
  expect(connections().map(({ protocol }) => protocol)).toEqual(['http/1.1', 'http/1.1']);
});

test('reports a truncated body as `connection`, even if HTTP/2 is offered [U-43]', async () => {
  const { clientOf } = await start((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(body.slice(0, 20), () => setImmediate(() => (response.stream ?? response).destroy()));
  });
  await expect(clientOf().getMe()).rejects.toMatchObject({ code: 'connection', attempts: 1 });
});

test('replaces a silent proxied connection', async () => {
  const { url, tunnels, close } = await startProxy();
  closers.push(close);
  vi.stubEnv('HTTPS_PROXY', url);
  let served = 0;
  const { clientOf, connections } = await start((_, response, { number }) => {
    served += 1;
    if (served === 1 || number > 1) response.end(body);
  });
  await clientOf().getMe();
  await expect(clientOf({ retries: 1, timeoutMs: 900 }).getMe()).resolves.toEqual(me);
  expect(tunnels).toHaveLength(2);
  expect(connections().map(({ protocol }) => protocol)).toEqual(['http/1.1', 'http/1.1']);
});
