import { expect, test } from 'vitest';
import { hourMs, inVirtualTime, sleep } from './virtual-day.ts';

test('sleeps for a month, which exceeds the maximum delay of a single timer', async () => {
  const monthMs = 30 * 24 * hourMs;
  const sleptMs = await inVirtualTime(async () => {
    const from = Date.now();
    await sleep(monthMs);
    return Date.now() - from;
  });
  expect(sleptMs).toBe(monthMs);
});
