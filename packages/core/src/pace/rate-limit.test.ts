import { expect, test } from 'vitest';
import { createMemoryStore } from './permits.ts';
import { type RateLimitOptions, readRateLimit } from './rate-limit.ts';
import { createSqliteStore } from './sqlite-store.ts';

const defaults = { requests: 60, windowMs: 60_000, guardMs: 1_000, holdMs: 61_000, minGapMs: 20, reserve: 0 };

const eight = { requests: 8, reserve: 7 };
const nothing = { requests: undefined, windowMs: undefined, guardMs: undefined, minGapMs: undefined };

test.each<[RateLimitOptions | null | undefined, RateLimitOptions]>([
  [undefined, {}],
  [null, {}],
  [nothing, {}],
  [{ requests: 5 }, { requests: 5 }],
  [{ requests: 60 / 8 }, { requests: 7 }], // 60 requests divided by 8 programs
  [eight, eight],
])('reads the rate limit %j, with a default for each missing number', (rateLimit, read) => {
  expect(readRateLimit({ rateLimit: rateLimit as RateLimitOptions })).toEqual({ ...defaults, ...read });
});

test.each<[RateLimitOptions, string]>([
  [{ requests: 0 }, '`rateLimit.requests` must be a number from 1'],
  [{ minGapMs: -1 }, '`rateLimit.minGapMs`'],
  [{ reserve: 1.5 }, '`rateLimit.reserve`'],
  [{ reserve: -1 }, '`rateLimit.reserve`'],
  // It would leave no permits for background and bulk calls.
  [{ requests: 8, reserve: 8 }, 'from 0 to 7: less than the 8 requests'],
])('rejects the rate limit %j, and names the number', (rateLimit, message) => {
  const rejection = expect.objectContaining({ code: 'configuration', message: expect.stringContaining(message) });
  expect(() => readRateLimit({ rateLimit })).toThrow(rejection);
});

test('with a store, only the gap and the reserve can be set, since the store decides the rest', () => {
  const store = createMemoryStore(defaults, () => 0);
  for (const name of ['requests', 'windowMs', 'guardMs'] as const) {
    expect(() => readRateLimit({ store, rateLimit: { [name]: 50 } })).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining(`\`rateLimit.${name}\``) }),
    );
  }
  expect(readRateLimit({ store, rateLimit: { minGapMs: 5, requests: undefined } }).minGapMs).toBe(5);
  // The store omits its limit.
  expect(readRateLimit({ store, rateLimit: { reserve: 59 } }).reserve).toBe(59);
});

test('takes the limit from a store that reports it', () => {
  const limit = { requests: 8, windowMs: 9_000, guardMs: 50 };
  const store = createSqliteStore({ baseUrl: 'https://shop.example/api/v1', apiKey: 'k', ...limit });
  expect(readRateLimit({ store, rateLimit: { reserve: 7 } })).toMatchObject({ ...limit, reserve: 7 });
  expect(() => readRateLimit({ store, rateLimit: { reserve: 8 } })).toThrow('from 0 to 7: less than the 8 requests');
});
