import type { JournalEntry } from './journal-entry.ts';
import { checkFilter, type JournalFilter, matches } from './journal-filter.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** The last requests, newest last, each from the moment when its answer is decided. Whoever reads an entry gets a copy. */
export interface Journal {
  /** @throws Error with a sentence about the field of the filter that is wrong */
  entries(filter?: JournalFilter): JournalEntry[];
  /** Only the entries that break a rule. @throws Error as `entries` does */
  violations(filter?: JournalFilter): JournalEntry[];
  /**
   * How many entries match.
   * @throws Error as `entries` does, and where entries that could match were dropped (`journalSize`)
   */
  count(filter?: JournalFilter): number;
  /**
   * Waits until as many matching requests are recorded; those that are recorded already count. Their answers may still
   * be under way.
   * @returns all matching entries
   * @throws Error that lists the requests there were, when the time is over; the reason of the signal when it aborts
   */
  waitFor(filter?: JournalFilter, options?: WaitOptions): Promise<JournalEntry[]>;
  /** How many requests there were in all, also those that were dropped since. */
  total(): number;
  /** Forgets all entries; numbers begin at 1 again. */
  clear(): void;
  /** Calls `listener` for each new entry; gives the function that ends it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
}

/** The journal as the mock itself sees it. */
export interface WritableJournal extends Journal {
  add(entry: Omit<JournalEntry, 'number'>): void;
}

/**
 * @param size how many entries are kept; older ones are dropped
 * @param keyNames the keys that a request can be sent with
 */
export const createJournal = (size: number, keyNames: () => string[] = () => []): WritableJournal => {
  /** A ring: the newest entry takes the place of the oldest. */
  const ring: JournalEntry[] = [];
  const listeners = new Set<(entry: JournalEntry) => void>();
  let total = 0;
  const kept = (): JournalEntry[] => {
    const oldest = total > size ? total % size : 0;
    return [...ring.slice(oldest), ...ring.slice(0, oldest)];
  };
  const check = (filter: JournalFilter): void => {
    const sent = ring.flatMap(({ key }) => key ?? []);
    checkFilter(filter, [...new Set([...keyNames(), ...(filter.key === undefined ? [] : sent)])]);
  };
  const firstOf = ({ after = 0 }: JournalFilter): number => (after > total ? 1 : after + 1);
  const select = (filter: JournalFilter): JournalEntry[] => {
    check(filter);
    const first = firstOf(filter);
    return kept().filter((entry) => entry.number >= first && matches(entry, filter));
  };
  const entries = (filter?: JournalFilter): JournalEntry[] => (filter ? select(filter) : kept()).map(copyOf);
  const subscribe = (listener: (entry: JournalEntry) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    add(entry) {
      const numbered = { number: ++total, ...entry };
      ring[(total - 1) % size] = numbered;
      for (const listener of [...listeners]) listener(copyOf(numbered));
    },
    entries,
    violations: (filter = {}) => entries({ ...filter, violations: true }),
    count(filter = {}) {
      const matching = select(filter).length;
      if (firstOf(filter) <= total - size) {
        throw new Error(
          `the journal keeps ${size} of its ${total} requests, so it cannot count them; start the mock with a larger journalSize, or count after a later entry`,
        );
      }
      return matching;
    },
    async waitFor(filter = {}, options = {}) {
      check(filter);
      return waitFor({ entries, subscribe }, filter, options);
    },
    total: () => total,
    clear() {
      ring.length = 0;
      total = 0;
    },
    subscribe,
  };
};

const copyOf = ({ headers, violations, answer, ...entry }: JournalEntry): JournalEntry => ({
  ...entry,
  headers: { ...headers },
  ...(answer ? { answer: { ...answer } } : {}),
  violations: violations.map((violation) => ({ ...violation })),
});
