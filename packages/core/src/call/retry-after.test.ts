import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

test.each([
  [undefined, undefined],
  ['5', 5_000],
  ['60', 60_000],
  [' 61 ', 61_000],
  ['90.5', 90_500],
  ['7.0001', 7_001],
  ['0.5', undefined],
  ['1.2.3', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  ['86400', 300_000],
  ['99999999999999', undefined],
])('reads the Retry-After header %j as %s ms [U-40]', (header, ms) => {
  expect(retryAfterMs({ 'retry-after': header })).toBe(ms);
});

test('compares a Retry-After date with the server’s clock [U-40 U-62]', () => {
  const headers = { date: 'Sat, 21 Nov 2026 03:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 03:00:42 GMT' };
  expect(retryAfterMs(headers)).toBe(42_000);
  expect(retryAfterMs({ ...headers, 'retry-after': 'Sat, 21 Nov 2026 02:00:00 GMT' })).toBeUndefined();
  expect(retryAfterMs({ ...headers, 'retry-after': 'Sun, 22 Nov 2026 03:00:00 GMT' })).toBe(300_000);
});
