import { readState, writeState } from './saved-state';
import type { TriggerState } from './trigger-state';

/**
 * The newest state of a trigger in this process. n8n saves a state only with events; the state after polls without events
 * is kept here, and lost when n8n exits.
 */
export interface StateMemory {
  /** The state to continue from, given the one that n8n holds; undefined if this version did not write that one. */
  recall(held: unknown): TriggerState | undefined;
  /**
   * Keeps the state after a poll that began with `held`.
   * @returns the text that n8n should hold; undefined if it need not change
   */
  keep(held: unknown, state: TriggerState, poll: { hasEvents: boolean; now: number }): string | undefined;
}

/** How often n8n gets a new text without events, s: writing the state of 25,000 orders takes 20 ms. */
const writeSeconds = 300;

export const createStateMemory = (): StateMemory => {
  let latest: TriggerState | undefined;
  /** The first and last text that n8n held since the last event, and the last one written. `latest` follows all of them. */
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
      // If n8n fails to save events, it continues from the state before them.
      if (hasEvents || !isOurs(held)) first = hasEvents ? text : held;
      last = hasEvents ? text : held;
      latest = state;
      written = text;
      writtenAt = now;
      return text;
    },
  };
};
