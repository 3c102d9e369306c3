import type { ClientEvent } from '@order-license/core/portable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isBusy, recordWait } from './busy-keys';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

let keys = 0;
const newKey = () => ({ baseUrl: 'https://shop.example/api/v1', apiKey: `key ${++keys}` });
const wait = (priority: 'bulk' | 'background', waitMs: number): ClientEvent => {
  return { type: 'wait', operation: 'getOrder', priority, place: 1, waitMs };
};

test('a key is busy while an export waits for permits, and shortly after', () => {
  const key = newKey();
  recordWait(key, wait('bulk', 50_000));
  expect(isBusy(key)).toBe(true);
  vi.advanceTimersByTime(79_000);
  expect(isBusy(key)).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(isBusy(key)).toBe(false);
});

test('polls, short waits and other keys do not make a key busy', () => {
  const key = newKey();
  recordWait(key, wait('background', 50_000));
  recordWait(key, wait('bulk', 500));
  recordWait(newKey(), wait('bulk', 50_000));
  expect(isBusy(key)).toBe(false);
});
