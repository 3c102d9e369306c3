import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import { maxTimerMs } from '../base/host.ts';
import { createAlarm } from './alarm.ts';

const setUp = () => {
  const clock = createVirtualClock();
  const rings: number[] = [];
  const alarm = createAlarm(
    clock,
    () => rings.push(clock.now()),
    (error) => {
      throw error;
    },
  );
  return { clock, rings, alarm };
};

test('rings once, at the time that was set last', async () => {
  const { clock, rings, alarm } = setUp();
  for (const at of [5_000, 9_000, 2_000]) alarm.set(at);
  expect(clock.sleeping()).toBe(1);
  await clock.advance(10_000);
  expect(rings).toEqual([2_000]);
  alarm.set(12_000);
  await clock.advance(10_000);
  expect(rings).toEqual([2_000, 12_000]);
});

test('leaves no timer when it is turned off, and rings at once for a time in the past', async () => {
  const { clock, rings, alarm } = setUp();
  alarm.set(5_000);
  alarm.set(Number.POSITIVE_INFINITY);
  await clock.advance(10_000);
  expect([clock.sleeping(), rings]).toEqual([0, []]);
  alarm.set(3_000);
  await clock.advance(0);
  expect(rings).toEqual([10_000]);
});

test('rings early for a time that is further away than a timer can be', async () => {
  const { clock, rings, alarm } = setUp();
  alarm.set(2 * maxTimerMs);
  await clock.advance(maxTimerMs);
  expect(rings).toEqual([maxTimerMs]);
});
