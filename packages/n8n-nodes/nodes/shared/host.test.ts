import { isOrderLicenseError } from '@order-license/core/portable';
import { listen } from '@order-license/mock-api';
import { afterEach, expect, test, vi } from 'vitest';
import { prepare, thrownBy } from '../OrderLicense/run-node.fixture';
import { createHost, type NodeContext } from './host';
import { serveEach, service } from './service.fixture';

serveEach({ limit: 'off' });
afterEach(() => {
  vi.useRealTimers();
});

const request = (path = '/me') => ({
  url: `${service.baseUrl}${path}`,
  apiKey: 'not used',
  headers: { accept: 'application/json' },
  signal: undefined,
  timeoutMs: 5_000,
  maxBytes: 1_000_000,
});

const hostThatMeets = (helper: (...request: never[]) => Promise<unknown>) =>
  createHost({ helpers: { httpRequestWithAuthentication: helper } } as unknown as NodeContext);

test('a redirect to a different origin sends neither a request nor the key there [S-04]', async () => {
  const elsewhere = await listen();
  service.faults.add({ response: { status: 301, headers: { location: `${elsewhere.baseUrl}/me` }, body: '' } });
  const response = await createHost(prepare(service, 'getMe').context).send(request());
  expect(response.status).toBe(301);
  expect(elsewhere.journal.total()).toBe(0);
  await elsewhere.close();
});

test('asks n8n to follow no redirect and to keep the credential on its origin [S-04]', async () => {
  let asked: unknown;
  const host = hostThatMeets(async (...[, options]) => {
    asked = options;
    return { statusCode: 200, headers: {}, body: [] };
  });
  await host.send(request());
  expect(asked).toMatchObject({
    method: 'GET',
    disableFollowRedirect: true,
    sendCredentialsOnCrossOriginRedirect: false,
    ignoreHttpStatusErrors: true,
    returnFullResponse: true,
    encoding: 'stream',
  });
  expect(asked).not.toHaveProperty('body');
});

test.each([
  ['ECONNREFUSED', false],
  ['ENOTFOUND', false],
  ['EAI_AGAIN', false],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
])('a failure with %s has `sent: %s`, because only sent requests count toward the rate limit', async (code, sent) => {
  const error = Object.assign(new Error('x'), { code });
  expect(await thrownBy(hostThatMeets(() => Promise.reject(error)).send(request()))).toMatchObject({ sent });
});

test('keeps only the code of an error that n8n throws', async () => {
  const config = { headers: { Authorization: 'Bearer key-4711' } };
  const thrown = [
    Object.assign(new Error('connect to key-4711'), { code: 'ECONNREFUSED', config }),
    Object.assign(new Error('x'), { cause: Object.assign(new Error('key-4711'), { code: 'ECONNREFUSED' }), config }),
    Object.assign(new Error('x'), { httpCode: 'ECONNREFUSED', config }),
  ];
  for (const error of thrown) {
    const mapped = await thrownBy(hostThatMeets(() => Promise.reject(error)).send(request()));
    expect(mapped).toMatchObject({ code: 'connection', message: expect.stringContaining('(ECONNREFUSED)') });
    expect(isOrderLicenseError(mapped)).toBe(true);
    expect(JSON.stringify([mapped, mapped.message, mapped.stack, mapped.cause])).not.toContain('key-4711');
  }
  const nameless = await thrownBy(hostThatMeets(() => Promise.reject('Key-4711')).send(request()));
  expect(nameless).toMatchObject({ code: 'connection', message: expect.not.stringContaining('4711') });
});

test.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
  'says that n8n blocked the address (%s)',
  async (name) => {
    const cause = Object.assign(new Error('The target 10.0.0.7 is not allowed.'), { name });
    const host = hostThatMeets(() => Promise.reject(new Error('The request was blocked', { cause })));
    expect(await thrownBy(host.send(request()))).toMatchObject({
      code: 'configuration',
      advice: expect.stringContaining('N8N_SSRF_ALLOWED_HOSTNAMES'),
      sent: false,
    });
  },
);

test.each([
  ['a response takes too long, even while bytes arrive', false],
  ["n8n replaces a request's signal by the signal of the run", true],
])('fails with a timeout if %s', async (_, isReplaced) => {
  const host = hostThatMeets((...[, options]: [string, { abortSignal: AbortSignal }]) => {
    if (isReplaced) options.abortSignal = new AbortController().signal;
    return new Promise((_, reject) => {
      options.abortSignal.addEventListener('abort', () => reject(new Error('cancelled')));
    });
  });
  const error = await thrownBy(host.send({ ...request(), timeoutMs: 20.5 }));
  expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 21 ms') });
});

test('a response whose body stops arriving fails with a timeout', async () => {
  let destroy: () => void = () => undefined;
  const body = {
    destroy: () => destroy(),
    async *[Symbol.asyncIterator]() {
      yield await new Promise<Uint8Array>((_, reject) => {
        destroy = () => reject(new Error('destroyed'));
      });
    },
  };
  const host = hostThatMeets(async () => ({ statusCode: 200, headers: {}, body }));
  expect(await thrownBy(host.send({ ...request(), timeoutMs: 20 }))).toMatchObject({ code: 'timeout' });
});

test('returns the status of an error whose body cannot be read', async () => {
  const body = {
    async *[Symbol.asyncIterator]() {
      yield await Promise.reject(new Error('incorrect header check'));
    },
  };
  const host = hostThatMeets(async () => ({ statusCode: 429, headers: { 'retry-after': '7' }, body }));
  expect(await host.send(request())).toEqual({ status: 429, headers: { 'retry-after': '7' }, body: new Uint8Array() });
});

test('stops reading an endless body at the maximum length', async () => {
  let chunks = 0;
  let isClosed = false;
  const body = {
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          chunks += 1;
          yield new Uint8Array(100_000);
        }
      } finally {
        isClosed = true;
      }
    },
  };
  const host = hostThatMeets(async () => ({ statusCode: 200, headers: {}, body }));
  expect(await thrownBy(host.send(request()))).toMatchObject({ code: 'invalid_response' });
  expect({ chunks, isClosed }).toEqual({ chunks: 11, isClosed: true });
});

test('sleeps for the requested time', async () => {
  vi.useFakeTimers();
  const { sleep, now } = createHost(prepare(service, 'getMe').context);
  const start = now();
  let woke = 0;
  void sleep(61_000.5).then(() => {
    woke = now() - start;
  });
  await vi.advanceTimersByTimeAsync(61_000);
  expect(woke).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(woke).toBeGreaterThanOrEqual(61_000.5);
});

test('a cancelled sleep ends at once [S-84]', async () => {
  vi.useFakeTimers();
  const { sleep } = createHost(prepare(service, 'getMe').context);
  const cancelled = new AbortController();
  const asleep = sleep(60_000, cancelled.signal);
  await vi.advanceTimersByTimeAsync(10_000);
  cancelled.abort(new Error('cancelled by the user'));
  await expect(asleep).rejects.toThrow('cancelled by the user');
  await expect(sleep(60_000, cancelled.signal)).rejects.toThrow('cancelled by the user');
});
