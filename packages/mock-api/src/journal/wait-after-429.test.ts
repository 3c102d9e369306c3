import http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../fetch.ts';
import { createInnerMock } from '../mock.ts';
import { mockNetwork } from '../msw.ts';
import type { MockServer } from '../server/listen.ts';
import type { ListenOptions } from '../server/listen-options.ts';
import { headersFor, started } from '../test-client.fixture.ts';

const early = (mock: Pick<MockServer, 'journal'>): number => mock.journal.violations().length;
const times = async (count: number, send: () => Promise<unknown>) => {
  for (let n = 0; n < count; n++) await send();
};
const atOnce = (count: number, send: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, send));

/** Returns a mock, and a client of node:http. */
const start = async (keepAlive: boolean, options: ListenOptions = {}) => {
  const mock = await started(options);
  const agent = new http.Agent({ keepAlive });
  onTestFinished(() => agent.destroy());
  const send = () =>
    new Promise<void>((resolve, reject) => {
      http
        .get(`${mock.baseUrl}/me`, { headers: headersFor(mock), agent }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject);
    });
  return { mock, send };
};

test.each([true, false])('with `keepAlive: %s`, 65 concurrent requests violate no rule [S-84]', async (keepAlive) => {
  const { mock, send } = await start(keepAlive);
  await atOnce(65, send);
  expect([mock.journal.total(), early(mock)]).toEqual([65, 0]);
});

test('a request is too early on the connection of an earlier 429 [S-84]', async () => {
  const { mock, send } = await start(true);
  mock.clock.freeze();
  await times(63, send);
  expect(early(mock)).toBe(2);
});

test('on other connections, a request is too early from a second after a 429 until the wait is over [S-84]', async () => {
  const { mock, send } = await start(false, { limit: 1 });
  mock.clock.freeze(0);
  await times(2, send);
  for (const [wait, count] of [
    [999, 0],
    [1, 1],
    [58_999, 2],
    [1, 2],
  ] as const) {
    mock.clock.advance(wait);
    await send();
    expect(early(mock)).toBe(count);
  }
});

test.each([1, 2, 3])(
  "with `limit: %s`, the second retry of Node's fetch, which uses two connections in turn, is too early [S-84]",
  async (limit) => {
    for (const isRead of [true, false]) {
      const mock = await started({ limit });
      mock.clock.freeze();
      await times(limit + 3, async () => {
        const response = await fetch(`${mock.baseUrl}/me`, { headers: headersFor(mock) });
        if (isRead) await response.text();
      });
      expect(early(mock)).toBeGreaterThan(0);
    }
  },
);

test('65 concurrent requests of fetch violate no rule [S-84]', async () => {
  const mock = await started();
  const send = async () => (await fetch(`${mock.baseUrl}/me`, { headers: headersFor(mock) })).text();
  await times(3, () => atOnce(3, send));
  await atOnce(56, send);
  expect([mock.journal.total(), early(mock)]).toEqual([65, 0]);
});

test('a 429 that is sent late does not make requests before it too early [S-84]', async () => {
  const mock = await started({ limit: 1 });
  const send = () => fetch(`${mock.baseUrl}/me`, { headers: headersFor(mock) });
  mock.clock.freeze(0);
  await (await send()).text();
  mock.faults.add('delay;ms=5000');
  const late = send();
  await mock.journal.waitFor({}, { count: 2 });
  mock.clock.advance(4_999);
  await (await send()).text();
  expect(early(mock)).toBe(0);
  mock.clock.advance(1);
  expect((await late).status).toBe(429);
});

test('a 429 whose client gives up before it is sent requires no wait [S-84]', async () => {
  const mock = createMock({ limit: 1, frozenAt: 0 });
  mock.clock.resume();
  const send = (init?: RequestInit) => mock.fetch('/api/v1/me', { headers: headersFor(mock), ...init });
  await send();
  mock.faults.add('delay;ms=5000');
  const gone = new AbortController();
  const late = send({ signal: gone.signal });
  gone.abort();
  await expect(late).rejects.toThrow();
  mock.clock.advance(20_000);
  await send();
  expect(early(mock)).toBe(0);
});

test('the wait lasts 60 s from the first of several concurrent 429s [S-82 S-84]', () => {
  for (const [ms, status, count] of [
    [59_999, 429, 1],
    [60_000, 200, 0],
  ] as const) {
    const mock = createInnerMock({ limit: 1, frozenAt: 0 });
    const connections = [{}, {}, {}];
    const rawHeaders = Object.entries(headersFor(mock)).flat();
    const send = (n: number) =>
      mock.answer({ method: 'GET', target: '/api/v1/me', rawHeaders, secure: false }, connections[n]).response.status;
    expect([send(0), send(1)]).toEqual([200, 429]);
    mock.clock.advance(500);
    expect(send(2)).toBe(429);
    mock.clock.advance(ms - 500);
    expect(send(1)).toBe(status);
    expect(early(mock)).toBe(count);
  }
});

test('Mock.fetch distinguishes concurrent from sequential requests [S-84]', async () => {
  const mock = createMock();
  const send = () => mock.fetch('/api/v1/me', { headers: headersFor(mock) });
  await atOnce(65, send);
  expect(early(mock)).toBe(0);
  await send();
  expect(early(mock)).toBe(1);
});

test('65 concurrent requests through msw violate no rule [S-84]', async () => {
  const mock = createMock();
  const network = mockNetwork(mock, 'https://shop.example.test/api/v1');
  await network.enable();
  onTestFinished(() => network.disable());
  await atOnce(65, () => fetch('https://shop.example.test/api/v1/me', { headers: headersFor(mock) }));
  expect([mock.journal.total(), early(mock)]).toEqual([65, 0]);
});

test.each<[path: string, count: number, init?: RequestInit]>([
  ['/', 0],
  ['/?x', 0],
  ['/favicon.ico', 0],
  ['/', 0, { method: 'HEAD' }],
  ['/', 1, { headers: { authorization: 'Bearer k', accept: 'application/json' } }],
  ['/', 4, { method: 'POST' }],
  ['/other', 3],
])(
  'a request for %s violates %i rules, and for / or the favicon none unless it has a key: %j',
  async (path, count, init) => {
    const mock = createMock();
    await mock.fetch(path, init);
    expect(mock.journal.entries()[0]?.violations).toHaveLength(count);
  },
);

test.each([
  [10_000, 'The rate limit is exceeded. Try again in 10 seconds.'],
  [1, 'The rate limit is exceeded. Try again in 1 second.'],
])('the error text of a 429 states a wait of %s ms in seconds [S-80]', async (windowMs, sentence) => {
  const mock = createMock({ limit: 1, windowMs, frozenAt: 0 });
  const send = async () => (await mock.fetch('/api/v1/me', { headers: headersFor(mock) })).json();
  await send();
  expect(await send()).toEqual({ status: 429, error: sentence });
});
