import type { ChangesState } from '@order-license/core/portable';

/**
 * Minimum time between two updates of n8n's string if there are no events, ms. It is long, because serializing the
 * state of 25,000 orders takes 20 ms.
 */
const writeMs = 300_000;

/**
 * A state, and the strings that stand for it: the first and the last that n8n held, and the last that was written. If n8n
 * holds one of these strings, polling continues from this state.
 */
interface Known {
  state: ChangesState;
  texts: unknown[];
}

/**
 * Creates a trigger's state. n8n holds the state as a string in the node's static data, and saves this string when the
 * trigger emits events, when the workflow is published, and when n8n starts. After polls without events, the newer state
 * is kept here, and is lost when n8n exits.
 *
 * | last poll | n8n's database | n8n's memory | the next poll continues from |
 * | --- | --- | --- | --- |
 * | no events | an older string | the new string; the older one after the workflow was published again | `latest` |
 * | events, the workflow started | the new string | the new string | `latest` |
 * | events, n8n dropped them | an older string | the older string | `beforeEvents` |
 * | in another process, or before a restart | any other string | the same string | that string |
 */
export const createTriggerState = () => {
  let latest: Known | undefined;
  /**
   * The state before the last events, in case n8n drops these events. It can be newer than the state that n8n has
   * saved.
   */
  let beforeEvents: Known | undefined;
  let writtenAt = 0;
  const knownFrom = (held: unknown): Known | undefined =>
    [latest, beforeEvents].find((known) => known?.texts.includes(held));
  return {
    /** Returns the state to continue from, given the string that n8n holds. */
    recall: (held: unknown): ChangesState | undefined => knownFrom(held)?.state ?? readState(held),
    /**
     * Stores the state after a poll that began with `held`.
     * @returns the string that n8n should hold; undefined if n8n can keep its current string
     */
    keep(
      held: unknown,
      state: ChangesState,
      { hasEvents, nowMs }: { hasEvents: boolean; nowMs: number },
    ): string | undefined {
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
 * Parses a state that another process may have written; the ten minutes of incomplete polls start over. Returns an empty
 * object for an unreadable string: core then warns, and records a new baseline.
 */
export const readState = (held: unknown): ChangesState | undefined => {
  if (held === undefined) return undefined;
  try {
    return { ...(JSON.parse(String(held)) as ChangesState), silentSince: null };
  } catch {
    return {} as ChangesState;
  }
};
