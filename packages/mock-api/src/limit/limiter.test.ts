import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInnerMock, type InnerMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { createSettings, type SettingInput } from '../settings/profiles.ts';
import { type Settings, settingDefinitions } from '../settings/settings.ts';
import { send } from '../test-client.fixture.ts';
import { createLimiter } from './limiter.ts';

const start = Date.UTC(2026, 6, 1);
const frozen = (options: MockOptions = {}): InnerMock => createInnerMock({ frozenAt: start, ...options });

const status = (mock: InnerMock, path = '/me', key = mock.keys.business): number => send(mock, path, { key }).status;

const many = (count: number, mock: InnerMock, path?: string, key?: string): number[] =>
  Array.from({ length: count }, () => status(mock, path, key));

test('60 requests are accepted, and the 61st returns 429 with the envelope [S-78 S-79 S-76]', () => {
  const mock = frozen();
  expect(new Set(many(60, mock))).toEqual(new Set([200]));
  const { status, body } = send(mock, '/me');
  expect([status, body]).toEqual([429, { status: 429, error: expect.stringMatching(/./) }]);
});

test('the limit applies to each key separately, even within an account [S-80]', () => {
  const mock = frozen();
  expect(many(61, mock).at(-1)).toBe(429);
  expect(status(mock, '/me', mock.keys.businessSecond)).toBe(200);
  expect(status(mock, '/me', mock.keys.otherAccount)).toBe(200);
});

test('accepts 60 requests again 60 s after the limit was exceeded, or 60 s after the first request [S-82 U-38]', () => {
  const mock = frozen();
  many(60, mock);
  mock.clock.advance(60_000);
  expect(new Set(many(30, mock))).toEqual(new Set([200])); // a window without an exceeded limit has ended
  mock.clock.advance(20_000);
  many(31, mock); // the last request exceeds the limit
  mock.clock.advance(59_999);
  expect(status(mock)).toBe(429);
  mock.clock.advance(1);
  expect(new Set(many(60, mock))).toEqual(new Set([200]));
  expect(status(mock)).toBe(429);
});

test('with a valid key, errors other than 429 count toward the limit; a 401 does not count [U-35 U-36]', () => {
  const mock = frozen();
  many(100, mock, '/me', mock.keys.revoked);
  expect(many(20, mock, '/orders?page=0').every((code) => code === 400)).toBe(true);
  expect(many(20, mock, '/orders/1').every((code) => code === 404)).toBe(true);
  expect(many(20, mock, '/nowhere').every((code) => code === 404)).toBe(true);
  expect(many(50, mock).every((code) => code === 429)).toBe(true);
  mock.clock.advance(60_000);
  expect(status(mock)).toBe(200);
});

test('a private account gets 403, never 429 [U-35]', () => {
  const mock = frozen();
  expect(new Set(many(70, mock, '/me', mock.keys.private))).toEqual(new Set([403]));
});

// 8 requests on each side of a window boundary that is aligned with the clock
const edge = [900, 1100, 1899, 1901, 2101];
test.each<[window: Settings['window'], passed: number[]]>([
  ['lockout', [8, 2, 0, 0, 8]],
  ['extend', [8, 2, 0, 0, 0]],
  ['fixed', [8, 2, 0, 8, 2]],
  ['minute', [8, 8, 2, 0, 8]],
  ['sliding', [8, 2, 0, 8, 2]],
  ['slidingStrict', [8, 2, 0, 0, 0]],
  ['bucket', [8, 4, 7, 1, 2]],
])('the window model %s accepts %j of eight requests each [U-37]', (window, passed) => {
  const mock = frozen({ window, limit: 10, windowMs: 1000 });
  const accepted = edge.map((at, n) => {
    mock.clock.advance(at - (edge[n - 1] ?? 0));
    return many(8, mock).filter((code) => code === 200).length;
  });
  expect(accepted).toEqual(passed);
});

test('the limit can be a number or off [U-39]', () => {
  expect(many(60, frozen({ limit: 59 })).indexOf(429)).toBe(59);
  expect(many(200, frozen({ limit: 'off' })).includes(429)).toBe(false);
});

test.each<[set: SettingInput, count: number, headers: Record<string, string>]>([
  [{}, 61, {}],
  [{ rateHeaders: 'retryAfter' }, 61, { 'retry-after': '60' }],
  [{ rateHeaders: 'retryAfter' }, 2, {}],
  [{ rateHeaders: 'retryAfterDate' }, 61, { 'retry-after': 'Wed, 01 Jul 2026 00:01:10 GMT' }],
  [
    { rateHeaders: 'x' },
    2,
    { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '58', 'x-ratelimit-reset': String(start / 1000 + 60) },
  ],
  [{ rateHeaders: 'draft' }, 2, { 'ratelimit-policy': '"default";q=60;w=60', ratelimit: '"default";r=58;t=50' }],
])('under the settings %j, request number %i gets the headers %j [U-40]', (set, count, headers) => {
  const mock = frozen({ set });
  many(count - 1, mock);
  mock.clock.advance(10_000);
  expect(send(mock, '/me').headers).toEqual({ 'content-type': 'application/json; charset=utf-8', ...headers });
});

test('setting the clock back resets every window model [U-37]', () => {
  for (const window of settingDefinitions.window.values) {
    const mock = frozen({ window, limit: 2 });
    expect(many(3, mock), window).toEqual([200, 200, 429]);
    mock.clock.freeze(Date.UTC(2020, 0, 1));
    expect(many(3, mock), window).toEqual([200, 200, 429]);
    mock.clock.advance(60_000);
    expect(status(mock), window).toBe(200);
  }
});

test.each(['lockout', 'extend'] as const)('a shorter window shortens a %s that has begun [U-38]', (window) => {
  const mock = createInnerMock({ limit: 1, window, frozenAt: 0 });
  expect(many(2, mock)).toEqual([200, 429]);
  mock.set({ windowMs: 1000 });
  mock.clock.advance(999);
  if (window === 'lockout') expect(status(mock)).toBe(429);
  mock.clock.advance(1);
  expect(status(mock)).toBe(200);
});

const windowMs = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(1_000));
const steps = fc.array(fc.record({ ms: fc.oneof(fc.nat(10), fc.nat(700)), asks: fc.nat(4) }), { maxLength: 20 });
test.each(settingDefinitions.window.values)(
  'under the window model %s, limits() says how many requests are accepted and when the next one is, and counts none',
  (window) => {
    fc.assert(
      fc.property(windowMs, fc.integer({ min: 1, max: 5 }), steps, (windowMs, limit, steps) => {
        const rules = createSettings('strict', { window, limit, windowMs });
        const [watched, other] = [createLimiter(), createLimiter()];
        let now = start;
        expect(watched.look('key', now, rules)).toEqual({ remaining: limit, resetMs: 0 });
        for (const { ms, asks } of steps) {
          now += ms;
          for (let n = 0; n < asks; n++) {
            const { remaining } = watched.look('key', now, rules);
            const verdict = watched.take('key', now, rules);
            expect(verdict).toEqual(other.take('key', now, rules));
            expect(verdict.allowed).toBe(remaining > 0);
          }
        }
        const { remaining, resetMs } = watched.look('key', now, rules);
        if (remaining > 0) return;
        expect(watched.look('key', now + resetMs - 1, rules)).toEqual({ remaining: 0, resetMs: 1 });
        expect(watched.take('key', now + resetMs, rules).allowed).toBe(true);
      }),
    );
  },
);

test('limits() lists the active keys, with `remaining: null` if the limit is off', () => {
  const mock = frozen({ limit: 'off' });
  expect(mock.limits().map(({ key }) => key)).toEqual([
    ...['business', 'businessSecond', 'otherAccount', 'private', 'companyOnly'],
  ]);
  expect(JSON.stringify(mock.limits()[0])).toBe('{"key":"business","remaining":null,"resetMs":0}');
});

test('after the limit is lowered, a sliding window says when it accepts the next request', () => {
  const mock = frozen({ window: 'sliding' });
  for (let n = 0; n < 60; n++) {
    expect(status(mock)).toBe(200);
    mock.clock.advance(990);
  }
  mock.set({ limit: 10 });
  expect(status(mock)).toBe(429);
  mock.clock.advance(mock.limits()[0]?.resetMs ?? 0);
  expect(status(mock)).toBe(200);
});

test.each([
  ['sliding', 10],
  ['slidingStrict', 9],
] as const)('a %s window forgets no request while the limit is lower', (window, expected) => {
  const mock = frozen({ window });
  many(50, mock);
  mock.set({ limit: 2 });
  expect(status(mock)).toBe(429);
  mock.set({ limit: 60 });
  expect(many(20, mock).filter((one) => one === 200).length).toBe(expected);
});

test('after the limit is lowered, a bucket accepts a request as soon as one token is refilled [U-37]', () => {
  const mock = frozen({ window: 'bucket' });
  many(60, mock);
  mock.set({ limit: 2 });
  mock.clock.advance(30_000);
  expect(many(2, mock)).toEqual([200, 429]);
});
