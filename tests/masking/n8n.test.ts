import { describe, expect, test } from 'vitest';
import { runNode, runTrigger } from './n8n-runs.ts';
import { plantedShapes, showsCanary } from './planted-shapes.ts';

describe.each([
  ['node', runNode],
  ['trigger', runTrigger],
] as const)('the output of the %s', (_, run) => {
  // What is left out is what would be masked; fuzz.test.ts leaves out, too.
  test.each(plantedShapes)('masks %s [S-29]', async (_, planted) => {
    const shown = await run(planted, 'masked');
    expect(showsCanary(shown), shown).toBe(false);
  });

  test('shows a full key on request', async () => {
    const [, planted] = plantedShapes[0] as (typeof plantedShapes)[number];
    expect(showsCanary(await run(planted, 'full'))).toBe(true);
  });
});
