import { test } from 'vitest';
import { checkHistories } from './histories.ts';

test('triggers, an export and an editor share one key without a lost event, or a repeated one unless n8n crashes', async () => {
  await checkHistories({ hours: 1, orders: { min: 60, max: 300 }, maxDisturbances: 3 }, 4);
}, 120_000);
