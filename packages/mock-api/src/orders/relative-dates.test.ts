import { expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';

const dayMs = 86_400_000;
const at = Date.UTC(2031, 0, 15, 12, 30, 0, 500);

const dates = (mock: Mock): number[] =>
  mock.state
    .orders('business')
    .page(0, 1000)
    .map(({ createdAt }) => createdAt);

test('relativeDates moves the newest order into the last 24 hours before the start and keeps the intervals', () => {
  const mock = createMock({ frozenAt: at, relativeDates: true });
  const before = dates(mock);
  const [newest = 0, ...older] = before;
  expect(newest).toBeLessThan(at);
  expect(newest).toBeGreaterThan(at - dayMs);
  const [usual = 0, ...usualOlder] = dates(createMock());
  const ages = (first: number, rest: number[]) => rest.slice(0, 60).map((date) => first - date);
  expect(ages(newest, older)).toEqual(ages(usual, usualOlder));
  expect(mock.samples.pending.bestellnummer).toMatch(/^B-2031-/);
  mock.clock.advance(30 * dayMs);
  expect(dates(mock)).toEqual(before);
  mock.reset();
  expect(dates(mock)).toEqual(before);
});
