import http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../fetch.ts';
import { createInnerMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { headersFor, send, started } from '../test-client.fixture.ts';

const early = ({ journal }: Pick<Mock, 'journal'>): number => journal.violations().length;

/**
 * Sends a request, and one more after each of these waits (ms), on one connection. Returns the mock and the status and
 * violations of each request.
 */
const sent = (options: MockOptions, waits: number[]) => {
  const mock = createInnerMock({ frozenAt: 0, limit: 1, ...options });
  for (const wait of [0, ...waits]) {
    mock.clock.advance(wait);
    send(mock, '/me');
  }
  return { mock, seen: mock.journal.entries().map(({ status, violations }) => [status, violations[0]?.point]) };
};

const windows = settingDefinitions.window.values;
test.each(windows)(
  'under the window model %s without Retry-After, the wait is 60 s, or the length of a shorter window [S-84 U-37]',
  (window) => {
    for (const windowMs of [1000, 60_000, 3_600_000]) {
      const wait = Math.min(60_000, windowMs);
      const last = (ms: number) => sent({ window, windowMs }, [10, ms]).seen.at(-1);
      expect([last(wait - 1)?.[1], last(wait)?.[1]]).toEqual(['S-84', undefined]);
    }
  },
);

test.each(windows)(
  'under the window model %s, a request after the stated wait is accepted and not too early [S-84 U-37 U-38 U-40]',
  (window) => {
    for (const windowMs of [1000, 2500, 60_000]) {
      for (const rateHeaders of ['retryAfter', 'retryAfterDate', 'x', 'draft'] as const) {
        const { mock } = sent({ window, windowMs, set: { rateHeaders } }, []);
        mock.clock.advance(10);
        const after = send(mock, '/me').headers['retry-after'];
        const [{ resetMs = 0 } = {}] = mock.limits();
        const wait = after === undefined ? resetMs : Number(after) * 1000 || Date.parse(after) - 10;
        const last = (ms: number) => sent({ window, windowMs, set: { rateHeaders } }, [10, ms]).seen.at(-1);
        expect(last(wait)).toEqual([200, undefined]);
        // Retry-After is in whole seconds.
        expect(last(Math.max(1, wait - 1000))).toEqual([429, 'S-84']);
      }
    }
  },
);

test.each<[wait: number, limit: number | 'off', points: number]>([
  [1999, 60, 1],
  [2000, 60, 0],
  [1999, 'off', 1],
  [2000, 'off', 0],
])(
  'a 429 from a fault without Retry-After requires a wait of one window: after %i ms with `limit: %s` [S-84]',
  (wait, limit, count) => {
    const { mock } = sent({ limit, windowMs: 2000, set: { rateHeaders: 'x' } }, []);
    mock.faults.add('429');
    send(mock, '/me');
    mock.clock.advance(wait);
    send(mock, '/me');
    expect(early(mock)).toBe(count);
  },
);

test('a violation says how much of the wait is left, in whole seconds [S-84]', () => {
  const { mock } = sent({}, [0, 58_001]);
  expect(mock.journal.violations()).toMatchObject([
    { violations: [{ point: 'S-84', text: 'the request was sent 2 s before the wait after a 429 was over' }] },
  ]);
});

test('no request is too early after the clock is set back [S-84]', () => {
  const { mock } = sent({ frozenAt: 90_000 }, [0]);
  mock.clock.freeze(0);
  expect([send(mock, '/me').status, early(mock)]).toEqual([200, 0]);
});

/** Returns a mock that accepts one request per minute, and a function that sends a request on a connection. */
const onConnections = () => {
  const mock = createInnerMock({ limit: 1, frozenAt: 0 });
  const rawHeaders = Object.entries(headersFor(mock)).flat();
  const request = { method: 'GET', target: '/api/v1/me', rawHeaders, secure: false };
  return { mock, sendOn: (connection?: object) => mock.answer(request, connection).response.status };
};

const atOnce = (count: number, send: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, send));

test.each<[title: string, connection: () => object | undefined]>([
  ['on another connection', () => ({})],
  ['without connections', () => undefined],
])('%s, a request is too early from a second after a 429 until the wait is over [S-84]', (_, connection) => {
  const { mock, sendOn } = onConnections();
  sendOn(connection());
  sendOn(connection());
  for (const [wait, count] of [
    [999, 0],
    [1, 1],
    [58_999, 2],
    [1, 2],
  ] as const) {
    mock.clock.advance(wait);
    sendOn(connection());
    expect(early(mock)).toBe(count);
  }
});

test.each([
  [59_999, 429, 1],
  [60_000, 200, 0],
])('the wait lasts 60 s from the first of several concurrent 429s: after %i ms [S-82 S-84]', (ms, status, count) => {
  const { mock, sendOn } = onConnections();
  const [first, second, third] = [{}, {}, {}];
  expect([sendOn(first), sendOn(second)]).toEqual([200, 429]);
  mock.clock.advance(500);
  expect(sendOn(third)).toBe(429);
  mock.clock.advance(ms - 500);
  expect([sendOn(second), early(mock)]).toEqual([status, count]);
});

test.each([true, false])(
  'with node:http and `keepAlive: %s`, a request is too early only on the connection of an earlier 429 [S-84]',
  async (keepAlive) => {
    const mock = await started();
    mock.clock.freeze();
    const agent = new http.Agent({ keepAlive });
    onTestFinished(() => agent.destroy());
    const send = () =>
      new Promise<void>((resolve, reject) => {
        http
          .get(`${mock.baseUrl}/me`, { headers: headersFor(mock), agent }, (answer) =>
            answer.resume().on('end', resolve),
          )
          .on('error', reject);
      });
    for (let n = 0; n < 63; n++) await send();
    expect([mock.journal.total(), early(mock)]).toEqual([63, keepAlive ? 2 : 0]);
  },
);

test('Mock.fetch distinguishes concurrent from sequential requests [S-84]', async () => {
  const mock = createMock();
  const send = () => mock.fetch('/api/v1/me', { headers: headersFor(mock) });
  await atOnce(65, send);
  expect(early(mock)).toBe(0);
  await send();
  expect(early(mock)).toBe(1);
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
