import fc from 'fast-check';
import { anyDisturbance } from './disturbance.ts';
import { figuresOf } from './figures.ts';
import { brokenPromises } from './goals.ts';
import type { Schedule } from './poller.ts';
import { besideAssistant, triggersOf } from './scenarios.ts';
import { type SimulationOptions, simulate } from './simulation.ts';
import { hourMs, minuteMs } from './virtual-day.ts';

export interface HistorySize {
  hours: number;
  orders: { min: number; max: number };
  maxDisturbances: number;
}

const eventNames = ['newOrder', 'paid', 'completed', 'statusChanged', 'licenseCodeAvailable'];

const schedules: [Schedule, number][] = [
  ['cron', 300_000],
  ['cron', 30_000],
  ['durable', 36_000],
  ['cursors', 36_000],
];

/**
 * Generates random histories: two to five triggers, exports, an editor and sometimes an assistant share one key, and
 * many failures occur.
 */
export const histories = ({ hours, orders, maxDisturbances }: HistorySize): fc.Arbitrary<SimulationOptions> =>
  fc
    .record({
      seed: fc.nat(),
      schedule: fc.constantFrom(...schedules),
      events: fc.array(fc.subarray(eventNames, { minLength: 1 }), { minLength: 2, maxLength: 5 }),
      orders: fc.integer(orders),
      perHour: fc.constantFrom(6, 12, 30),
      awaitingCodes: fc.constantFrom(20, 100),
      deliveryMs: fc.constantFrom(minuteMs, 15 * minuteMs),
      shares: fc.constantFrom(undefined, besideAssistant),
      disturbances: fc.array(anyDisturbance(hours * hourMs), { maxLength: maxDisturbances }),
    })
    .map(({ seed, schedule, events, shares, disturbances, ...shop }) => ({
      seed,
      forMs: hours * hourMs,
      restMs: 1.5 * hourMs,
      triggers: triggersOf(events, ...schedule),
      shop: { ...shop, calmMs: 2 * minuteMs },
      shares,
      disturbances,
      editor: true,
      exportEveryMs: hourMs,
    }));

/**
 * Simulates random histories.
 * @throws an error with the shortest history found in which an event is lost, repeated or invented
 */
export const checkHistories = (size: HistorySize, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(histories(size), async (options) => {
      const report = await simulate(options);
      const problems = brokenPromises(figuresOf(report, 1), { isCalm: !options.disturbances?.length });
      if (problems.length === 0) return;
      const details = report.triggers.map(({ settings, delivery }) => {
        const { lost, repeated, renamed, unexpected } = delivery;
        return { events: settings.parameters.events, lost, repeated, renamed, unexpected };
      });
      throw new Error(`${problems.join('; ')}\n${JSON.stringify(details, undefined, 1)}`);
    }),
    { numRuns, endOnFailure: true },
  );
