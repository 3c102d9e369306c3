import { expect, test } from 'vitest';
import { hourMs, inVirtualTime, sleep } from './virtual-day.ts';

test('sleeps for a month, which is more than one timer can', async () => {
  const monthMs = 30 * 24 * hourMs;
  const sleptMs = await inVirtualTime(async () => {
    const from = Date.now();
    await sleep(monthMs);
    return Date.now() - from;
  });
  expect(sleptMs).toBe(monthMs);
});
