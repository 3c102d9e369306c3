import { expect, test } from 'vitest';
import { runArea } from './area.ts';
import { areas, casesOf, keptSeeds } from './areas.ts';

const cases = 4_000;

test.each(keptSeeds.flatMap((seed) => areas.map((area) => [area.name, seed, area] as const)))(
  'fuzzing %s from seed %d causes only documented errors: no crash, no changed prototype, no exposed key [U-43 U-45]',
  async (_name, seed, area) => {
    const report = await runArea(area, casesOf(area, cases), seed);
    expect(report.finding).toBeUndefined();
    expect(report.cases).toBe(casesOf(area, cases));
  },
);
