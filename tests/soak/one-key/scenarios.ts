import fc from 'fast-check';
import { anyDisturbance, type Disturbance, kills } from './disturbance.ts';
import type { Schedule, TriggerSettings } from './poller.ts';
import type { SimulationOptions } from './simulation.ts';
import { hourMs, minuteMs } from './virtual-day.ts';

/** Creates one trigger for each list of events, each in its own workflow. */
export const triggersOf = (events: string[][], schedule: Schedule = 'cron', budgetMs = 300_000): TriggerSettings[] =>
  events.map((names, n) => ({ id: `workflow-${n}`, parameters: { events: names }, schedule, budgetMs }));

/** The events that each trigger watches: in the pack's templates, and in a shop with more workflows. */
const usualTriggers = [
  ['newOrder', 'statusChanged'],
  ['licenseCodeAvailable'],
  ['paid'],
  ['newOrder'],
  ['newOrder', 'paid', 'completed', 'statusChanged', 'licenseCodeAvailable'],
];

/** Two processes that count separately must divide the limit, as docs/sharing-a-key.md says. */
export const besideAssistant = { n8n: 40, assistant: 20 };

const day = (seed: number, more: Partial<SimulationOptions>): SimulationOptions => ({
  seed,
  forMs: 24 * hourMs,
  restMs: 3 * hourMs,
  triggers: triggersOf(usualTriggers.slice(0, 3)),
  editor: true,
  exportEveryMs: 90 * minuteMs,
  exportSize: 300,
  ...more,
});

/** Returns twelve disturbances of a day. */
const twelve = (disturbances: (overMs: number) => fc.Arbitrary<Disturbance>, seed: number): Disturbance[] =>
  fc.sample(disturbances(23 * hourMs), { seed, numRuns: 12 });

/** Simulated days on one key, by their name in the figures. */
export const scenarios: Record<string, () => SimulationOptions> = {
  '2 triggers, 1,500 orders': () =>
    day(1, { triggers: triggersOf(usualTriggers.slice(0, 2)), shop: { orders: 1_500 } }),
  '3 triggers, 3,000 orders': () => day(2, {}),
  '3 triggers, 3,000 orders, polls limited to 36 s': () =>
    day(3, { triggers: triggersOf(usualTriggers.slice(0, 3), 'cursors', 36_000) }),
  '3 triggers, 3,000 orders, polls limited to 30 s': () =>
    day(4, { triggers: triggersOf(usualTriggers.slice(0, 3), 'durable', 30_000) }),
  '5 triggers, 3,000 orders': () => day(5, { triggers: triggersOf(usualTriggers) }),
  '5 triggers, 25,000 orders': () =>
    day(6, { triggers: triggersOf(usualTriggers), shop: { orders: 25_000, days: 400, calmMs: 90 * minuteMs } }),
  '2 triggers, 3,000 orders, an assistant has 20 of 60 requests': () =>
    day(12, { triggers: triggersOf(usualTriggers.slice(0, 2)), shares: besideAssistant }),
  '3 triggers, 25,000 orders, an assistant has 20 of 60 requests': () =>
    day(13, { shop: { orders: 25_000, days: 400, calmMs: 90 * minuteMs }, shares: besideAssistant }),
  '2 triggers, 3,000 orders, an assistant has 20 of 60 requests, 12 crashes, outages and broken connections': () =>
    day(14, {
      triggers: triggersOf(usualTriggers.slice(0, 2)),
      exportSize: undefined,
      shares: besideAssistant,
      disturbances: twelve(anyDisturbance, 14),
    }),
  '3 triggers, 3,000 orders, 12 crashes, outages and broken connections': () =>
    day(7, { exportSize: undefined, disturbances: twelve(anyDisturbance, 7) }),
  '3 triggers, 3,000 orders, 300 waiting for codes, n8n killed 12 times': () =>
    day(11, {
      shop: { awaitingCodes: 300, calmMs: 2 * minuteMs },
      disturbances: twelve(kills, 11),
    }),
};

/** A day with only a *New Order* trigger, on which no orders arrive. */
export const idleDay = (): SimulationOptions => ({
  seed: 8,
  forMs: 24 * hourMs,
  restMs: 0,
  triggers: triggersOf([['newOrder']]),
  shop: { perHour: 0, awaitingCodes: 0 },
});

/** Days with 25,000 paid orders and two new orders an hour. */
export const paidOrders = (days: number): SimulationOptions => ({
  seed: 9,
  forMs: days * 24 * hourMs,
  // Reading the whole list takes four hours.
  restMs: 6 * hourMs,
  triggers: triggersOf([['statusChanged', 'licenseCodeAvailable']]),
  shop: { orders: 25_000, rest: 'bezahlt', days: 400, perHour: 2, calmMs: 3 * hourMs },
});

/** Exports of 300 orders with details, while nothing else uses n8n's part of the limit. */
export const exportsAlone = (shares: SimulationOptions['shares']): SimulationOptions => ({
  seed: 10,
  forMs: 3 * hourMs,
  restMs: 30 * minuteMs,
  triggers: [],
  exportEveryMs: 20 * minuteMs,
  exportSize: 300,
  shares,
});
