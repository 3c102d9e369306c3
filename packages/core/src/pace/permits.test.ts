import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import { addPermit, createMemoryStore, createRecord, type PermitRecord, waitFor } from './permits.ts';

const holdMs = 61_000;
const at = 1_000_000;

const recordOf = (returnsInMs: number[], pausedMs = 0): PermitRecord => ({
  ...createRecord(),
  pausedUntil: at + pausedMs,
  permits: Object.fromEntries(returnsInMs.map((ms, index) => [`permit-${index}`, at + ms])),
});

test.each([
  ['0 ms while a permit is free', recordOf([1_000]), 2, 0, 0],
  ['until the first permit returns', recordOf([2_000, 1_000]), 2, 0, 1_000],
  ['until enough permits return, if the limit was lowered', recordOf([1_000, 3_000, 2_000]), 1, 0, 3_000],
  ['until it can leave the reserve to others', recordOf([1_000, 2_000, 3_000]), 3, 1, 2_000],
  ['until a permit returns, even if the reserve is as large as the limit', recordOf([1_000]), 1, 1, 1_000],
  ['0 ms if only the reserve is left, for a call that may use it', recordOf([1_000, 2_000]), 3, 0, 0],
  ['until a pause ends, even while permits are free [S-84]', recordOf([1_000], 30_000), 2, 0, 30_000],
  ['one window plus the guard, even if a request in flight takes longer', recordOf([181_000]), 1, 0, holdMs],
  ['until the permit returns, if that is later than the end of the pause', recordOf([40_000], 30_000), 1, 0, 40_000],
])('a request waits %s', (_, record, requests, reserve, waitMs) => {
  expect(waitFor(record, at, { requests, holdMs }, reserve)).toBe(waitMs);
});

test('adding a permit removes those that have returned', () => {
  const record = recordOf([-1_000, 0, 1_000]);
  addPermit(record, 'new', at, { requests: 4, holdMs });
  expect(Object.keys(record.permits)).toEqual(['permit-2', 'new']);
});

test('a permit that is never settled expires after the longest request plus one window and the guard', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ requests: 1, holdMs: 61_000 }, clock.now);
  expect(await store.take()).toHaveProperty('permit');
  await clock.advance(120_000 + 61_000 - 1);
  expect(await store.take()).toHaveProperty('retryAt');
  await clock.advance(1);
  expect(await store.take()).toHaveProperty('permit');
});
