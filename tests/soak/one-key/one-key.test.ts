import { test } from 'vitest';
import { checkHistories } from './histories.ts';

test('triggers, an export and an editor share one key: nothing is lost, nothing comes twice without a crash', async () => {
  await checkHistories({ hours: 1, orders: { min: 60, max: 300 }, maxDisturbances: 3 }, 4);
}, 120_000);
