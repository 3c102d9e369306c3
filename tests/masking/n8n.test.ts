import { describe, expect, test } from 'vitest';
import { runNode, runTrigger } from './n8n-runs.ts';
import { plantedShapes, showsCanary } from './planted-shapes.ts';

describe.each([
  ['node', runNode],
  ['trigger', runTrigger],
] as const)('the output of the %s', (_, run) => {
  test.each(plantedShapes)('masks or omits %s [S-29]', async (_, planted) => {
    for (const licenseKeys of ['masked', 'leftOut']) {
      const shown = await run(planted, licenseKeys);
      expect(showsCanary(shown), shown).toBe(false);
    }
  });

  test('shows a full key on request', async () => {
    const [, planted] = plantedShapes[0] as (typeof plantedShapes)[number];
    expect(showsCanary(await run(planted, 'full'))).toBe(true);
  });
});
