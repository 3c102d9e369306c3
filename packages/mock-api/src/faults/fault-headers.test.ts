import { expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { send } from '../test-client.fixture.ts';
import type { FaultInput } from './rule.ts';

/** Returns a mock that has a frozen clock and this pending fault. */
const mockWith = (rule: FaultInput | string, options: MockOptions = {}) => {
  const mock = createInnerMock({ frozenAt: 0, ...options });
  mock.faults.add(rule);
  return { mock, send: (headers = {}) => send(mock, '/me', { headers }) };
};

test('an injected error can have Retry-After and other headers', () => {
  const headers = { 'X-Request-Id': '42', 'Content-Type': 'application/problem+json' };
  for (const kind of ['429', '503'] as const) {
    const { send } = mockWith({ kind, retryAfter: 5, headers });
    expect(send()).toMatchObject({
      status: Number(kind),
      headers: { 'retry-after': '5', 'x-request-id': '42', 'content-type': 'application/problem+json' },
    });
    expect(Object.keys(send().headers)).not.toContain('retry-after');
  }
  expect(mockWith('html;status=503;retryAfter=7').send().headers['retry-after']).toBe('7');
  expect(mockWith('truncate;retryAfter=7').send().headers['retry-after']).toBe('7');
});

test('a request can set the Retry-After of its fault', () => {
  const { mock, send } = mockWith('500');
  mock.faults.clear();
  for (const fault of ['429;retryAfter=3', ' 429 ; retryAfter = 3 '])
    expect(send({ 'x-mock-fault': fault })).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
});

test('the rate-limit headers match an injected 429', () => {
  const headersOf = (rateHeaders: string, rule: FaultInput, limit: number | 'off' = 60) =>
    mockWith(rule, { limit, set: { rateHeaders } }).send().headers;
  expect(headersOf('retryAfter', { kind: '429' })['retry-after']).toBe('60');
  expect(headersOf('retryAfter', { kind: '429', retryAfter: 5 }, 'off')['retry-after']).toBe('5');
  expect(headersOf('retryAfterDate', { kind: '429', retryAfter: 5 })['retry-after']).toBe(
    'Thu, 01 Jan 1970 00:00:05 GMT',
  );
  expect(headersOf('x', { kind: '429', retryAfter: 5 })).toMatchObject({
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '5',
    'retry-after': '5',
  });
  expect(headersOf('draft', { kind: '429', retryAfter: 5 }).ratelimit).toBe('"default";r=0;t=5');
  expect(headersOf('x', { kind: '503' })['x-ratelimit-remaining']).toBe('59');
  expect(headersOf('x', { kind: '429', headers: { 'x-ratelimit-remaining': '7' } })['x-ratelimit-remaining']).toBe('7');
});

test.each(['retryAfter', 'retryAfterDate', 'x', 'draft'] as const)(
  'with `rateHeaders: %s`, a 429 has the Retry-After of its fault even if the limit is exceeded',
  (rateHeaders) => {
    const stated = (limit: number) => {
      const { mock, send } = mockWith({ kind: '429', retryAfter: 5, skip: 1 }, { limit, set: { rateHeaders } });
      send();
      const { headers, body } = send();
      mock.clock.advance(4_999);
      send();
      const { violations } = mock.journal.entries().at(-1) ?? {};
      return [headers['retry-after'], headers['x-ratelimit-reset'], headers.ratelimit?.slice(-4), body, violations];
    };
    expect(stated(1)).toEqual(stated(60));
  },
);

test('the wait after an injected 429 lasts as long as its Retry-After says [S-84]', () => {
  for (const rule of [
    { kind: '429', retryAfter: 5 },
    { kind: '429', headers: { 'retry-after': '5' } },
  ] as const) {
    for (const [wait, points] of [
      [4_999, ['S-84']],
      [5_000, []],
    ] as const) {
      const { mock, send } = mockWith(rule);
      expect(send().body.error).toContain('Try again in 5 seconds.');
      mock.clock.advance(wait);
      send();
      expect(mock.journal.violations().flatMap(({ violations }) => violations.map(({ point }) => point))).toEqual(
        points,
      );
    }
  }
});

test.each([0, 60_000])(
  'the wait after an injected 429 lasts until the date in its Retry-After, with a Date header %i ms ahead [S-84]',
  (ahead) => {
    const date = (ms: number) => new Date(ms).toUTCString();
    const headers = { 'retry-after': date(ahead + 5_000), ...(ahead > 0 && { date: date(ahead) }) };
    for (const [wait, count] of [
      [4_999, 1],
      [5_000, 0],
    ] as const) {
      const { mock, send } = mockWith({ kind: '429', headers });
      expect(send().body.error).toContain('Try again in 5 seconds.');
      mock.clock.advance(wait);
      send();
      expect(mock.journal.violations()).toHaveLength(count);
    }
  },
);

test('changing the object that was passed does not affect the added rule', () => {
  const mock = createInnerMock();
  const headers = { a: '1' };
  mock.faults.add({ kind: '503', headers });
  headers.a = '2';
  const listed = mock.faults.list();
  (listed[0]?.headers as Record<string, string>).a = '3';
  expect(mock.faults.list()[0]?.headers).toEqual({ a: '1' });
});
