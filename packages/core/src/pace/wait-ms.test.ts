import { expect, test } from 'vitest';
import { waitMs } from './wait-ms.ts';

const holdMs = 61_000;

test('queued requests wait for permits to return, then for whole rounds [U-60]', () => {
  const state = { returnsInMs: [1_000, 2_000], pausedMs: 0 };
  const waits = [0, 1, 2, 3, 4].map((ahead) => waitMs(state, ahead, 2, holdMs));
  expect(waits).toEqual([1_000, 2_000, 62_000, 63_000, 123_000]);
});

test('uses free permits before anyone waits [U-60]', () => {
  const state = { returnsInMs: [1_000], pausedMs: 0 };
  const waits = [0, 1, 2, 3, 4].map((ahead) => waitMs(state, ahead, 3, holdMs));
  expect(waits).toEqual([0, 0, 1_000, 61_000, 61_000]);
});

test('a pause delays all requests, and the rounds follow it [S-84]', () => {
  const state = { returnsInMs: [1_000], pausedMs: 30_000 };
  const waits = [0, 1, 2].map((ahead) => waitMs(state, ahead, 1, holdMs));
  expect(waits).toEqual([30_000, 91_000, 152_000]);
});

test('if more permits are out than the limit, waits until enough return', () => {
  const state = { returnsInMs: [1_000, 2_000, 3_000], pausedMs: -5_000 };
  expect(waitMs(state, 0, 1, holdMs)).toBe(3_000);
});
