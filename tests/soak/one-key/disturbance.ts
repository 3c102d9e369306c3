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
 * Kills n8n every two hours, starting ten minutes after the start. n8n stays down for 20 s to two minutes each time.
 */
export const repeatedKills = (random: () => number, count: number): Disturbance[] =>
  Array.from({ length: count }, (_, n): Disturbance => {
    const when = random() < 0.3 ? 'atEmission' : 'now';
    return { atMs: (120 * n + 10) * minuteMs, kind: 'kill', when, downMs: 20_000 + Math.floor(random() * 100_000) };
  });

/**
 * Creates random failures.
 * @param random returns numbers of at least 0 and less than 1
 */
export const randomDisturbances = (random: () => number, overMs: number, count: number): Disturbance[] =>
  Array.from({ length: count }, (): Disturbance => {
    const atMs = Math.floor(random() * overMs);
    const dice = random();
    const how = (['refused', 'unavailable', 'silent'] as const)[Math.floor(random() * 3)] ?? 'refused';
    const longOrShort = random() < 0.3 ? 60 : 10;
    if (dice < 0.3) return { atMs, kind: 'outage', how, forMs: Math.ceil(random() * longOrShort) * minuteMs };
    if (dice < 0.5) return { atMs, kind: 'drops', share: 0.05 + random() * 0.3, forMs: 10 * minuteMs };
    if (dice < 0.8) return { atMs, kind: 'kill', when: random() < 0.6 ? 'atEmission' : 'now', downMs: 20_000 };
    return { atMs, kind: 'republish', trigger: Math.floor(random() * 5) };
  });
