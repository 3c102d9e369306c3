import { expect, test } from 'vitest';
import { figuresOf } from './figures.ts';
import { brokenPromises, missedTimes } from './goals.ts';
import { checkHistories } from './histories.ts';
import { besideAssistant, triggersOf } from './scenarios.ts';
import { simulate } from './simulation.ts';
import { hourMs, minuteMs } from './virtual-day.ts';

test('triggers, an export, an editor and an assistant share one key without losing events, and without repeats unless n8n crashes', async () => {
  await checkHistories({ hours: 1, orders: { min: 60, max: 300 }, maxDisturbances: 3 }, 2);
}, 120_000);

test('two triggers, exports, an editor and an assistant divide the limit of one key without a 429, long waits or wrong results', async () => {
  const report = await simulate({
    seed: 21,
    forMs: 2 * hourMs,
    restMs: hourMs,
    triggers: triggersOf([['newOrder', 'statusChanged'], ['licenseCodeAvailable']]),
    shop: { orders: 800, pending: 60, calmMs: 2 * minuteMs },
    shares: besideAssistant,
    editor: true,
    exportEveryMs: 40 * minuteMs,
    exportSize: 100,
  });
  const figures = figuresOf(report, 1);
  expect(brokenPromises(figures, { isCalm: true })).toEqual([]);
  expect(missedTimes({ ...figures, exportSeconds: undefined }, Number.NaN)).toEqual([]);
  expect(figures.assistant?.questions).toBeGreaterThan(20);
  expect(report.users.exports.length).toBeGreaterThan(1);
  expect(report.events).toBeGreaterThan(50);
}, 120_000);
