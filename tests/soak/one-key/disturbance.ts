import fc from 'fast-check';
import type { Outage } from './network.ts';
import { minuteMs } from './virtual-day.ts';

/** A failure, and when it begins, ms after the start. */
export type Disturbance = { atMs: number } & (
  | { kind: 'outage'; how: Outage; forMs: number }
  /** Some connections break; `share` is the fraction, from 0 to 1. */
  | { kind: 'drops'; share: number; forMs: number }
  /**
   * n8n crashes and restarts later. `when` is either now, or between the next emission of a trigger and the saving of
   * the trigger's state.
   */
  | { kind: 'kill'; when: 'now' | 'atEmission'; downMs: number }
  /** A trigger is published again. This happens during a poll if a poll starts within two minutes. */
  | { kind: 'republish'; trigger: number }
);

/**
 * The start of a disturbance, after n8n has saved the first state. Otherwise, the durable scheduler without cursors
 * would never save a state.
 */
const atMs = (overMs: number) => fc.integer({ min: 2 * minuteMs, max: overMs });

/** Generates crashes of n8n, which stays down for at most two minutes. */
export const kills = (overMs: number): fc.Arbitrary<Disturbance> =>
  fc.record({
    atMs: atMs(overMs),
    kind: fc.constant('kill'),
    when: fc.constantFrom('now', 'atEmission'),
    downMs: fc.integer({ min: 5_000, max: 120_000 }),
  });

/** Generates failures of any kind. */
export const anyDisturbance = (overMs: number): fc.Arbitrary<Disturbance> => {
  const forMs = fc.integer({ min: 1, max: 30 }).map((minutes) => minutes * minuteMs);
  const how = fc.constantFrom<Outage[]>('refused', 'unavailable', 'silent');
  const share = fc.constantFrom(0.05, 0.2, 0.5);
  return fc.oneof(
    fc.record({ atMs: atMs(overMs), kind: fc.constant('outage'), how, forMs }),
    fc.record({ atMs: atMs(overMs), kind: fc.constant('drops'), share, forMs }),
    kills(overMs),
    fc.record({ atMs: atMs(overMs), kind: fc.constant('republish'), trigger: fc.nat({ max: 4 }) }),
  );
};
