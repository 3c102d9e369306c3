import { expect, test } from 'vitest';
import { createRecord, keptUntil, type PermitRecord, takePermit, undoClockJump, waitsAt } from './permits.ts';

const holdMs = 61_000;
const at = 1_000_000;

const recordOf = (returnsInMs: number[], pausedMs = 0): PermitRecord => ({
  ...createRecord(),
  pausedUntil: at + pausedMs,
  permits: Object.fromEntries(returnsInMs.map((ms, index) => [`permit-${index}`, at + ms])),
});

/** Returns the waits of callers with 0, 1, 2 … others in front. */
const waits = (record: PermitRecord, requests: number, callers: number): number[] =>
  Array.from({ length: callers }, (_, ahead) => waitsAt(record, at, { requests, holdMs })(ahead));

test('queued requests wait for permits to return, then for the next windows [U-60]', () => {
  expect(waits(recordOf([2_000, 1_000]), 2, 5)).toEqual([1_000, 2_000, 62_000, 63_000, 123_000]);
});

test('no request waits while permits are free [U-60]', () => {
  expect(waits(recordOf([1_000]), 3, 5)).toEqual([0, 0, 1_000, 61_000, 61_000]);
});

test('a pause delays all requests, and later windows start after it [S-84]', () => {
  expect(waits(recordOf([1_000], 30_000), 1, 3)).toEqual([30_000, 91_000, 152_000]);
});

test('if more permits have been granted than the limit allows, waits until enough of them return', () => {
  expect(waits(recordOf([1_000, 2_000, 3_000], -5_000), 1, 1)).toEqual([3_000]);
});

test('a request in flight returns its permit one window plus the guard from now at the earliest', () => {
  const record = createRecord();
  takePermit(record, 'in-flight', at - 5_000, { requests: 1, holdMs });
  expect(waits(record, 1, 1)).toEqual([holdMs]);
});

test('after the clock is set back an hour, requests wait for one window plus the guard, or for the longest pause', () => {
  const record = recordOf([3_600_000 + holdMs], 3_600_000);
  undoClockJump(record, at, { requests: 1, holdMs });
  expect(waits(record, 1, 1)).toEqual([300_000]);
  expect(waits({ ...record, pausedUntil: 0 }, 1, 1)).toEqual([holdMs]);
});

test('does not mistake the longest possible pause or request for a clock that was set back', () => {
  const record = recordOf([120_000 + holdMs], 300_000);
  const before = structuredClone(record);
  undoClockJump(record, at, { requests: 1, holdMs });
  expect(record).toEqual(before);
});

test('counts more permits than a function can have arguments', () => {
  const limit = { requests: 200_000, holdMs };
  const record = recordOf(Array.from({ length: 200_000 }, () => 1_000));
  expect(takePermit(record, 'another', at, limit)).toBe(false);
  expect(waitsAt(record, at, limit)(0)).toBe(1_000);
  expect(keptUntil(record, limit)).toBe(at + 1_000);
});
