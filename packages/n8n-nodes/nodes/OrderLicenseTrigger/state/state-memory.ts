/**
 * What this process knows of a trigger beyond what n8n has saved. n8n saves a state with the events that go with it;
 * what a poll without events learned is kept here, and is lost when n8n ends.
 */
export interface StateMemory {
  /** The state to go on with, given the one that n8n holds. */
  recall(held: unknown): unknown;
  /** @param next the state after a poll without events that began with `held` */
  keep(held: unknown, next: string): void;
  /** To be called with the events of a poll: from now on n8n decides which state holds. */
  forget(): void;
}

export const createStateMemory = (): StateMemory => {
  /** States that n8n has held since the last event, the first and the last of them; undefined where it has saved none. */
  let first: unknown;
  let last: unknown;
  let latest: string | undefined;
  const isOurs = (held: unknown): boolean => latest !== undefined && [first, last, latest].includes(held);
  return {
    recall: (held) => (isOurs(held) ? latest : held),
    keep(held, next) {
      if (!isOurs(held)) first = held;
      last = held;
      latest = next;
    },
    forget() {
      first = undefined;
      last = undefined;
      latest = undefined;
    },
  };
};
