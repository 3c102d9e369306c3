import { expect, test } from 'vitest';
import { growth } from './growth.ts';

const add = (steps: number): number => {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += Math.sqrt(step);
  return sum;
};

test('is about 2 for linear work, and about 4 for quadratic work', async () => {
  const linear = await growth(500_000, (size) => () => add(size));
  const quadratic = await growth(700, (size) => async () => add(size ** 2));
  expect(linear).toBeGreaterThan(1.6);
  expect(linear).toBeLessThan(2.5);
  expect(quadratic).toBeGreaterThan(3);
});
