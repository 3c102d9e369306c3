import { expect, test } from 'vitest';
import { rateHeaders } from '../api/responses.ts';
import { createLimiter } from '../limit/limiter.ts';
import { createInnerMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { createSettings, type SettingInput } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { send } from '../test-client.fixture.ts';
import { waitMs } from './wait-after-429.ts';

/** Returns the verdict on a second request, 10 ms after the only allowed one. */
const rejection = (set: SettingInput) => {
  const settings = createSettings('strict', { limit: 1, ...set });
  const limiter = createLimiter();
  limiter.take('k', 0, settings);
  const verdict = limiter.take('k', 10, settings);
  const headers = rateHeaders(verdict, 429, settings, 10);
  return { settings, limiter, wait: waitMs({ headers, verdict, delayMs: 0, settings }, 10) };
};

test('without Retry-After, the wait is 60 s, or the length of a shorter window [S-84]', () => {
  for (const window of settingDefinitions.window.values) {
    const wait = (windowMs: number) => rejection({ window, windowMs }).wait;
    expect([window, wait(60_000), wait(1000), wait(3_600_000)]).toEqual([window, 60_000, 1000, 60_000]);
  }
});

test.each(settingDefinitions.window.values)(
  'under the window model %s, a request after the stated wait is not too early [S-84 U-37 U-40]',
  (window) => {
    for (const windowMs of [1000, 2500, 60_000]) {
      for (const rateHeaders of ['retryAfter', 'retryAfterDate', 'x', 'draft'] as const) {
        const { settings, limiter, wait } = rejection({ window, windowMs, rateHeaders });
        expect(limiter.take('k', 10 + wait, settings).allowed).toBe(true);
        // Retry-After is in whole seconds.
        const early = rejection({ window, windowMs, rateHeaders });
        expect(early.limiter.take('k', Math.max(11, 10 + wait - 1_000), settings).allowed).toBe(false);
      }
    }
  },
);

test('a 429 from a fault without Retry-After requires a wait of one window [S-84]', () => {
  const wait = (set: SettingInput) => {
    const settings = createSettings('strict', set);
    const verdict = createLimiter().take('k', 0, settings);
    return [verdict, undefined].map((verdict) => waitMs({ headers: {}, verdict, delayMs: 0, settings }, 0));
  };
  expect(wait({ rateHeaders: 'x', windowMs: 2000 })).toEqual([2000, 2000]);
  expect(wait({})).toEqual([60_000, 60_000]);
});

/**
 * Sends a request at once and one more after each of these waits (ms), and returns the status and violations of each.
 */
const marked = (options: MockOptions, waits: number[]) => {
  const own = createInnerMock({ frozenAt: 0, limit: 1, ...options });
  for (const wait of [0, ...waits]) {
    own.clock.advance(wait);
    send(own, '/me');
  }
  return own.journal.entries().map(({ status, violations }) => `${status} ${violations.map(({ point }) => point)}`);
};

const bucket: SettingInput = { window: 'bucket', rateHeaders: 'retryAfter' };
test.each<[title: string, options: MockOptions, waits: number[], last: string]>([
  ['obeys Retry-After', { limit: 60, set: bucket }, [...Array(60).fill(0), 1000], '200 '],
  ['retries just before the time in Retry-After', { limit: 60, set: bucket }, [...Array(60).fill(0), 999], '429 S-84'],
  ['waits for the whole window', { set: { windowMs: 1000 } }, [0, 1000], '200 '],
  ['retries just before the window ends', { set: { windowMs: 1000 } }, [0, 999], '429 S-84'],
])(
  'the journal has a violation only for the last request if a client retries too early: %s [S-84 U-38 U-40]',
  (_, options, waits, last) => {
    const all = marked(options, waits);
    expect(all.slice(-2)).toEqual(['429 ', last]);
    expect(new Set(all.slice(0, -2))).toEqual(new Set(['200 ']));
  },
);

test('a violation says how much of the wait is left, in whole seconds [S-84]', () => {
  const own = createInnerMock({ frozenAt: 0, limit: 1 });
  for (const wait of [0, 0, 58_001]) {
    own.clock.advance(wait);
    send(own, '/me');
  }
  expect(own.journal.violations()).toMatchObject([
    { violations: [{ point: 'S-84', text: 'the request was sent 2 s before the wait after a 429 was over' }] },
  ]);
});

test('no request is too early after the clock is set back [S-84]', () => {
  const own = createInnerMock({ frozenAt: 90_000, limit: 1 });
  expect([send(own, '/me').status, send(own, '/me').status]).toEqual([200, 429]);
  own.clock.freeze(0);
  expect([send(own, '/me').status, own.journal.violations()]).toEqual([200, []]);
});
