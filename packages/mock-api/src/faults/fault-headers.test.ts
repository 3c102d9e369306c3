import { expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { newestPoints, send } from '../test-client.fixture.ts';
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
    for (const fault of ['429;retryAfter=3', ' 429 ; retryAfter = 3 '])
      expect(send({ 'x-mock-fault': fault })).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
  }
  for (const fault of ['html;status=503;retryAfter=7', 'truncate;retryAfter=7'])
    expect(mockWith(fault).send().headers['retry-after']).toBe('7');
});

const fiveSeconds = { kind: '429', retryAfter: 5 } as const;
test.each<[rateHeaders: string, rule: FaultInput, expected: Record<string, string>, limit?: 'off']>([
  ['retryAfter', { kind: '429' }, { 'retry-after': '60' }],
  ['retryAfter', fiveSeconds, { 'retry-after': '5' }, 'off'],
  ['retryAfterDate', fiveSeconds, { 'retry-after': '5' }],
  ['retryAfterDate', { kind: '429' }, { 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' }],
  ['x', fiveSeconds, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '5', 'retry-after': '5' }],
  ['draft', fiveSeconds, { ratelimit: '"default";r=0;t=5' }],
  ['x', { kind: '503' }, { 'x-ratelimit-remaining': '59' }],
  ['x', { kind: '429', headers: { 'x-ratelimit-remaining': '7' } }, { 'x-ratelimit-remaining': '7' }],
])('with `rateHeaders: %s`, the fault %j has the headers %j', (rateHeaders, rule, expected, limit) => {
  const { send } = mockWith(rule, { set: { rateHeaders, ...(limit && { limit }) } });
  expect(send().headers).toMatchObject(expected);
});

test('with an exceeded limit, a fault has its own Retry-After, or none unless it is a 429', () => {
  const stated = (rule: FaultInput) => {
    const { send } = mockWith({ ...rule, skip: 1 }, { limit: 1, set: { rateHeaders: 'retryAfter' } });
    send();
    const { status, headers } = send();
    return [status, headers['retry-after']];
  };
  expect(stated({ kind: '503', retryAfter: 7 })).toEqual([503, '7']);
  expect(stated({ kind: '500' })).toEqual([500, undefined]);
  expect(stated({ kind: 'html', status: 503 })).toEqual([503, undefined]);
  expect(stated({ kind: '429' })).toEqual([429, '60']);
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

test('if the limit is exceeded, the text of an injected 429 states the same wait as its Retry-After [S-80]', () => {
  const { mock, send } = mockWith({ kind: '429', skip: 2 }, { limit: 1, set: { rateHeaders: 'retryAfter' } });
  send();
  send();
  mock.clock.advance(20_000);
  const { headers, body } = send();
  expect([headers['retry-after'], body.error]).toEqual(['40', 'The rate limit is exceeded. Try again in 40 seconds.']);
});

const date = (ms: number) => new Date(ms).toUTCString();
test.each<[title: string, rule: FaultInput]>([
  ['in seconds', fiveSeconds],
  ['in seconds, given as a header', { kind: '429', headers: { 'retry-after': '5' } }],
  ['as a date', { kind: '429', headers: { 'retry-after': date(5_000) } }],
  [
    'as a date, relative to a Date header',
    { kind: '429', headers: { 'retry-after': date(65_000), date: date(60_000) } },
  ],
])('the wait after an injected 429 is its Retry-After %s [S-84]', (_, rule) => {
  for (const [wait, points] of [
    [4_999, ['S-84']],
    [5_000, []],
  ] as const) {
    const { mock, send } = mockWith(rule);
    expect(send().body.error).toContain('Try again in 5 seconds.');
    mock.clock.advance(wait);
    send();
    expect(newestPoints(mock)).toEqual(points);
  }
});

test('changing the object that was passed does not affect the added rule', () => {
  const mock = createInnerMock();
  const headers = { a: '1' };
  mock.faults.add({ kind: '503', headers });
  headers.a = '2';
  const listed = mock.faults.list();
  (listed[0]?.headers as Record<string, string>).a = '3';
  expect(mock.faults.list()[0]?.headers).toEqual({ a: '1' });
});
