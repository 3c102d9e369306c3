import type { ChangesState } from '@order-license/core/portable';

/**
 * A trigger's state (core's `WatchState`). n8n holds it as a text in the node's static data, and saves that text only
 * with events. The newer state after polls without events is kept here, and is lost when n8n exits.
 */
export interface TriggerState {
  /** Returns the state to continue from, given the text that n8n holds. */
  recall(held: unknown): ChangesState | undefined;
  /**
   * Keeps the state after a poll that began with `held`.
   * @returns the text that n8n should hold; undefined if it need not change
   */
  keep(held: unknown, state: ChangesState, poll: { hasEvents: boolean; nowMs: number }): string | undefined;
}

/**
 * Minimum time between two texts for n8n if there are no events, ms: writing the state of 25,000 orders takes 20 ms.
 */
const writeMs = 300_000;

/**
 * A state, and the texts that stand for this state if n8n holds one of them: the first and the last text that n8n held,
 * and the last one written.
 */
interface Known {
  state: ChangesState;
  texts: unknown[];
}

export const createTriggerState = (): TriggerState => {
  let latest: Known | undefined;
  /** The state before the last events, in case n8n drops them. It can be newer than the text that n8n has saved. */
  let beforeEvents: Known | undefined;
  let writtenAt = 0;
  const knownFrom = (held: unknown): Known | undefined =>
    [latest, beforeEvents].find((known) => known?.texts.includes(held));
  return {
    recall: (held) => knownFrom(held)?.state ?? readState(held),
    keep(held, state, { hasEvents, nowMs }) {
      const before = knownFrom(held);
      const first = before ? before.texts[0] : held;
      if (hasEvents) beforeEvents = before;
      else if (held !== undefined && held === latest?.texts.at(-1) && nowMs - writtenAt < writeMs) {
        latest = { state, texts: [first, held] };
        return undefined;
      }
      const text = JSON.stringify(state);
      latest = { state, texts: hasEvents ? [text] : [first, held, text] };
      writtenAt = nowMs;
      return text;
    },
  };
};

/**
 * Parses a state. An unreadable text becomes an empty object, because core rejects anything that is not its own state.
 */
export const readState = (held: unknown): ChangesState | undefined => {
  if (held === undefined) return undefined;
  try {
    return JSON.parse(String(held)) as ChangesState;
  } catch {
    return {} as ChangesState;
  }
};
