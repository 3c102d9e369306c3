import type { ChangesState } from '@order-license/core/portable';

/**
 * The newest state of a trigger in this process. n8n saves a state only with events; the state after polls without events
 * is kept here, and lost when n8n exits.
 */
export interface StateMemory {
  /** The state to continue from, given the text that n8n holds. */
  recall(held: unknown): ChangesState | undefined;
  /**
   * Keeps the state after a poll that began with `held`.
   * @returns the text that n8n should hold; undefined if it need not change
   */
  keep(held: unknown, state: ChangesState, poll: { hasEvents: boolean; nowMs: number }): string | undefined;
}

/** How often n8n gets a new text without events: writing the state of 25,000 orders takes 20 ms. */
const writeMs = 300_000;

export const createStateMemory = (): StateMemory => {
  let latest: ChangesState | undefined;
  /** The state before the last events, and the texts that n8n held then. It may know more than what n8n has saved. */
  let beforeEvents: { state: ChangesState; texts: unknown[] } | undefined;
  /** The first and last text that n8n held since the last event, and the last one written. `latest` follows all of them. */
  let first: unknown;
  let last: unknown;
  let written: string | undefined;
  let writtenAt = 0;
  const isOurs = (held: unknown): boolean => [first, last, written].includes(held);
  const isBeforeEvents = (held: unknown): boolean => beforeEvents?.texts.includes(held) ?? false;
  return {
    recall(held) {
      if (latest && isOurs(held)) return latest;
      return beforeEvents && isBeforeEvents(held) ? beforeEvents.state : readState(held);
    },
    keep(held, state, { hasEvents, nowMs }) {
      if (hasEvents && !isBeforeEvents(held)) {
        beforeEvents = latest && isOurs(held) ? { state: latest, texts: [first, last, written] } : undefined;
      }
      const ageMs = nowMs - writtenAt;
      if (!hasEvents && written !== undefined && held === written && ageMs < writeMs) {
        latest = state;
        last = held;
        return undefined;
      }
      const text = JSON.stringify(state);
      if (hasEvents || !isOurs(held)) first = hasEvents ? text : held;
      last = hasEvents ? text : held;
      latest = state;
      written = text;
      writtenAt = nowMs;
      return text;
    },
  };
};

/** Core rejects what is no state of its own: an empty object stands for a text that cannot be read. */
export const readState = (held: unknown): ChangesState | undefined => {
  if (held === undefined) return undefined;
  try {
    return JSON.parse(String(held)) as ChangesState;
  } catch {
    return {} as ChangesState;
  }
};
