import { readState, writeState } from './saved-state';
import type { TriggerState } from './trigger-state';

/**
 * What this process knows of a trigger beyond what n8n holds. n8n saves a state with the events that go with it; what
 * polls without events learned is kept here, ready to use, and is lost when n8n ends.
 */
export interface StateMemory {
  /** The state to go on with, given the one that n8n holds; undefined if that is none of this version. */
  recall(held: unknown): TriggerState | undefined;
  /**
   * Keeps the state after a poll that began with `held`.
   * @returns the text for n8n to hold from now on; undefined if it need not change
   */
  keep(held: unknown, state: TriggerState, poll: { hasEvents: boolean; now: number }): string | undefined;
}

/** How often n8n gets a new text where there are no events: writing the state of 25,000 orders takes 20 ms, s. */
const writeSeconds = 300;

export const createStateMemory = (): StateMemory => {
  let latest: TriggerState | undefined;
  /** What n8n has held since the last event: at first, last, and what was written last. `latest` follows from each. */
  let first: unknown;
  let last: unknown;
  let written: string | undefined;
  let writtenAt = 0;
  const isOurs = (held: unknown): boolean => [first, last, written].includes(held);
  return {
    recall: (held) => (latest && isOurs(held) ? latest : readState(held)),
    keep(held, state, { hasEvents, now }) {
      const age = now - writtenAt;
      if (!hasEvents && written !== undefined && held === written && age >= 0 && age < writeSeconds) {
        latest = state;
        last = held;
        return undefined;
      }
      const text = writeState(state);
      if (text === undefined) return undefined;
      // n8n may fail to save events: then the state before them holds, not this one.
      if (hasEvents || !isOurs(held)) first = hasEvents ? text : held;
      last = hasEvents ? text : held;
      latest = state;
      written = text;
      writtenAt = now;
      return text;
    },
  };
};
