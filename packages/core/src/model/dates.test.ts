import { afterEach, expect, test, vi } from 'vitest';
import { toDate } from './dates.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['UTC', 'Europe/Berlin', 'America/New_York'])(
  'reads `created_at` as the same UTC instant in %s [S-22]',
  (name) => {
    vi.stubEnv('TZ', name);
    expect(toDate('2026-03-29 02:30:00')?.toISOString()).toBe('2026-03-29T02:30:00.000Z');
    expect(toDate('2026-07-01 00:00:00')?.getTime()).toBe(Date.UTC(2026, 6, 1));
  },
);

test('honors a time zone if the API sends one [U-24]', () => {
  expect(toDate('2026-03-29T02:30:00Z')?.toISOString()).toBe('2026-03-29T02:30:00.000Z');
  expect(toDate('2026-03-29T02:30:00+02:00')?.toISOString()).toBe('2026-03-29T00:30:00.000Z');
  expect(toDate('2026-03-29T02:30:00.250Z')?.toISOString()).toBe('2026-03-29T02:30:00.000Z');
});

test.each([
  '0000-00-00 00:00:00',
  '2026-02-30 10:00:00',
  '2026-13-01 10:00:00',
  '29.03.2026',
  '2026-03-29',
  '2026-03-29T02:30:00+99:99',
  '2026-03-29T02:30:00+24:00',
  '',
  null,
  undefined,
  0,
])('does not read %j as a date [U-24]', (value) => {
  expect(toDate(value)).toBeNull();
});
