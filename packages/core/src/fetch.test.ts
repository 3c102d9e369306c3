import type { RequestListener } from 'node:http';
import { type AnyFault, faultOf } from '@order-license/testing/odd-responses';
import { afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from './fetch.ts';
import { createClient as createInBrowser } from './not-for-browsers.ts';
import { serve, startMock } from './serve.fixture.ts';

afterEach(() => vi.unstubAllGlobals());

const start = async (options: Partial<ClientOptions> = {}) => {
  const { mock, service } = await startMock({ limit: 'off' });
  return { mock, service, client: createClient({ ...service, retries: 0, ...options }) };
};

test.each<[AnyFault, string]>([
  ['resetBefore', 'connection'],
  ['truncate', 'connection'],
  ['hang', 'timeout'],
  ['html', 'server'],
  ['redirect', 'invalid_response'],
])('reports the fault %s as %s', async (kind, code) => {
  const { mock, client } = await start({ timeoutMs: kind === 'hang' ? 100 : 10_000 });
  mock.faults.add({ ...faultOf(kind), times: 1 });
  await expect(client.getMe()).rejects.toMatchObject({ code, attempts: 1 });
});

const clientFor = async (listener: RequestListener) =>
  createClient({ baseUrl: await serve(listener), apiKey: 'key', retries: 0, maxWaitMs: 0 });

test('does not read a response beyond 32 MiB', async () => {
  let sent = 0;
  const client = await clientFor((_, response) => {
    const send = (): void => {
      sent += 1;
      response.write(Buffer.alloc(1024 * 1024), () => response.destroyed || send());
    };
    send();
  });
  await expect(client.getMe()).rejects.toMatchObject({ code: 'invalid_response' });
  expect(sent).toBeLessThan(100);
});

test('uses the status of an error even if its body is truncated [U-41]', async () => {
  const client = await clientFor((_, response) => {
    response.writeHead(429, { 'content-length': '1000', 'retry-after': '7' });
    response.write('{"status":429', () => response.destroy());
  });
  await expect(client.getMe()).rejects.toMatchObject({ code: 'rate_limited', status: 429, source: 'server' });
});

test.each([
  ['Node.js/24', 1],
  ['Cloudflare-Workers', 2],
])('on %s, two clients with the same key and a limit of one request send %i in total', async (userAgent, sent) => {
  vi.stubGlobal('navigator', { userAgent });
  const options = { rateLimit: { requests: 1 }, maxWaitMs: 0 };
  const { mock, service, client } = await start(options);
  const other = createClient({ ...service, ...options });
  await Promise.allSettled([client.getMe(), other.getMe()]);
  expect(mock.journal.total()).toBe(sent);
});

test('rejects use in browsers, which would expose the API key', () => {
  expect(() => createInBrowser({ baseUrl: 'https://shop.example/api/v1', apiKey: 'key' })).toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringContaining('API key') }),
  );
});
