import { installEnglishOnly } from '@order-license/testing/english-only';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTimeZone, localText, readInstant } from './range.ts';

const read = (text: string, zone?: string): string | undefined => {
  const ms = readInstant(text, zone);
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 19);
};

test.each([
  ['2026-11-01', 'UTC', '2026-11-01T00:00:00'],
  ['2026-11-01T09:30:15.000Z', 'UTC', '2026-11-01T09:30:15'],
  ['2026-11-01T09:30:15.250Z', 'UTC', '2026-11-01T09:30:16'],
  ['2026-11-01', 'Europe/Berlin', '2026-10-31T23:00:00'],
  ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00'],
  ['2026-07-01 09:30', 'America/New_York', '2026-07-01T13:30:00'],
  ['2026-07-01T09:30Z', 'America/New_York', '2026-07-01T09:30:00'],
  ['2026-07-01T09:30:15+02:00', 'America/New_York', '2026-07-01T07:30:15'],
  ['2026-11-01T00:30:00-0530', 'America/New_York', '2026-11-01T06:00:00'],
  ['2026-07-01 09:30:15 +02:00', 'America/New_York', '2026-07-01T07:30:15'],
  ['2026-07-01 09:30:15 UTC', 'America/New_York', '2026-07-01T09:30:15'],
  ['2026-07-01 09:30:15 utc', 'America/New_York', '2026-07-01T09:30:15'],
  ['2026-07-01Z', 'America/New_York', '2026-07-01T00:00:00'],
  ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00'], // this time does not exist: the clocks go from 2 to 3
  ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T00:30:00'], // this time occurs twice, and the first occurrence counts
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00'], // this day begins at 1:00
  ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00'],
])('reads %s in %s as %s UTC [S-22]', (text, zone, utc) => {
  expect(read(text, zone)).toBe(utc);
});

test('a local time that was written is read as the same local time', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland');
  const seconds = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2040, 0) / 1000 });
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const again = readInstant(localText(second * 1000, zone), zone) ?? Number.NaN;
      expect(localText(again, zone)).toBe(localText(second * 1000, zone));
    }),
  );
});

test('accepts IANA time zones, and no others', () => {
  const names = ['UTC', 'Europe/Berlin', 'Berlin', '', 'Europe/Bärlin'];
  expect(names.filter(isTimeZone)).toEqual(['UTC', 'Europe/Berlin']);
});

test('reads local times in a Node that has only English locale data, such as the package of Alpine', () => {
  const restore = installEnglishOnly();
  try {
    expect(localText(Date.UTC(2026, 6, 1, 22, 5, 9), 'Europe/Berlin')).toBe('2026-07-02 00:05:09');
    expect(readInstant('2026-07-02', 'Europe/Berlin')).toBe(Date.UTC(2026, 6, 1, 22));
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Europe/Nowhere')).toBe(false);
  } finally {
    restore();
  }
});
