import { expect, test } from 'vitest';
import { addPermit, createRecord, keptUntil, type PermitRecord, undoClockJump, waitFor } from './permits.ts';

const holdMs = 61_000;
const at = 1_000_000;

const recordOf = (returnsInMs: number[], pausedMs = 0): PermitRecord => ({
  ...createRecord(),
  pausedUntil: at + pausedMs,
  permits: Object.fromEntries(returnsInMs.map((ms, index) => [`permit-${index}`, at + ms])),
});

test.each([
  ['no time while a permit is free', recordOf([1_000]), 2, 0, 0],
  ['until the first permit returns', recordOf([2_000, 1_000]), 2, 0, 1_000],
  [
    'until enough permits return, if more were granted than the limit allows',
    recordOf([1_000, 3_000, 2_000]),
    1,
    0,
    3_000,
  ],
  ['until it can leave the reserve to others', recordOf([1_000, 2_000, 3_000]), 3, 1, 2_000],
  ['no time if only the reserve is left, for a call that may use it', recordOf([1_000, 2_000]), 3, 0, 0],
  ['until a pause ends, even while permits are free [S-84]', recordOf([1_000], 30_000), 2, 0, 30_000],
  ['until the permit returns, if that is later than the end of the pause', recordOf([40_000], 30_000), 1, 0, 40_000],
])('a request waits %s', (_, record, requests, reserve, waitMs) => {
  expect(waitFor(record, at, { requests, holdMs }, reserve)).toBe(waitMs);
});

test('a request in flight returns its permit one window plus the guard from now at the earliest', () => {
  const record = createRecord();
  addPermit(record, 'in-flight', at - 5_000, { requests: 1, holdMs });
  expect(waitFor(record, at, { requests: 1, holdMs })).toBe(holdMs);
});

test('after the clock is set back an hour, requests wait for one window plus the guard, or for the longest pause', () => {
  const record = recordOf([3_600_000 + holdMs], 3_600_000);
  undoClockJump(record, at, { requests: 1, holdMs });
  expect(waitFor(record, at, { requests: 1, holdMs })).toBe(300_000);
  expect(waitFor({ ...record, pausedUntil: 0 }, at, { requests: 1, holdMs })).toBe(holdMs);
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
  expect(waitFor(record, at, limit)).toBe(1_000);
  expect(keptUntil(record, limit)).toBe(at + 1_000);
});
