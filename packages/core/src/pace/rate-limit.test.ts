import { expect, test } from 'vitest';
import { createMemoryStore } from './permits.ts';
import { readRateLimit } from './rate-limit.ts';
import { createSqliteStore } from './sqlite-store.ts';

const defaults = { requests: 60, windowMs: 60_000, guardMs: 1_000, holdMs: 61_000, minGapMs: 20, reserve: 0 };

test('uses the default for an undefined number', () => {
  const nothing = { requests: undefined, windowMs: undefined, guardMs: undefined, minGapMs: undefined };
  expect(readRateLimit({ rateLimit: nothing })).toEqual(defaults);
  expect(readRateLimit({})).toEqual(defaults);
  expect(readRateLimit({ rateLimit: { requests: 5 } })).toEqual({ ...defaults, requests: 5 });
});

test('rounds a fractional limit down, such as 60 requests divided by 8 programs', () => {
  expect(readRateLimit({ rateLimit: { requests: 60 / 8 } }).requests).toBe(7);
});

test('rejects a number out of range, and names it', () => {
  expect(() => readRateLimit({ rateLimit: { requests: 0 } })).toThrow('`rateLimit.requests` must be a number from 1');
  expect(() => readRateLimit({ rateLimit: { minGapMs: -1 } })).toThrow('`rateLimit.minGapMs`');
});

test('with a store, only the gap and the reserve can be set, since the store decides the rest', () => {
  const store = createMemoryStore(defaults, () => 0);
  for (const name of ['requests', 'windowMs', 'guardMs'] as const) {
    expect(() => readRateLimit({ store, rateLimit: { [name]: 50 } })).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining(`\`rateLimit.${name}\``) }),
    );
  }
  expect(readRateLimit({ store, rateLimit: { minGapMs: 5, requests: undefined } }).minGapMs).toBe(5);
  expect(readRateLimit({ store, rateLimit: { reserve: 59 } }).reserve).toBe(59);
});

test('takes the window and the guard from a store that reports them', () => {
  const store = createSqliteStore({
    baseUrl: 'https://shop.example/api/v1',
    apiKey: 'k',
    windowMs: 9_000,
    guardMs: 50,
  });
  expect(readRateLimit({ store })).toMatchObject({ windowMs: 9_000, guardMs: 50 });
});

test('rejects a reserve that leaves no permits for background and bulk calls, with or without a store', () => {
  const store = { ...createMemoryStore(defaults, () => 0), requests: 8 };
  const rejection = expect.objectContaining({
    code: 'configuration',
    message: expect.stringContaining('from 0 to 7: less than the 8 requests'),
  });
  expect(() => readRateLimit({ rateLimit: { requests: 8, reserve: 8 } })).toThrow(rejection);
  expect(() => readRateLimit({ store, rateLimit: { reserve: 8 } })).toThrow(rejection);
  expect(() => readRateLimit({ rateLimit: { reserve: 1.5 } })).toThrow('`rateLimit.reserve`');
  expect(() => readRateLimit({ rateLimit: { reserve: -1 } })).toThrow('`rateLimit.reserve`');
  expect(readRateLimit({ rateLimit: { requests: 8, reserve: 7 } }).reserve).toBe(7);
});

test('null means the default limit, as for other options', () => {
  expect(readRateLimit({ rateLimit: null as never })).toMatchObject(defaults);
});
