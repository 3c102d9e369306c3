import type { OperationName } from '../api/operation.ts';
import type { AnswerSummary } from './answer-summary.ts';
import type { Violation } from './contract-check.ts';
import { checkFilter, type JournalFilter, matches } from './journal-filter.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** One request as the journal keeps it: no API key, no answer body. */
export interface JournalEntry {
  /** Running number, from 1. */
  number: number;
  /** When it came, ms since 1970 on the mock's clock. */
  at: number;
  /** `-`, like the path, where the bytes were no HTTP request. */
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** Which operation the path names, whatever the method; absent for a path that the API does not have. */
  operation?: OperationName;
  /** Lower-case names; values that may be secret are `***`. */
  headers: Record<string, string>;
  /** HTTP status of the answer; 0 where the wire broke before one. */
  status: number;
  /** What the answer said; absent where it was no JSON of the API, or where a fault cut it off. */
  answer?: AnswerSummary;
  /** Name of the key that was sent, where the service knows it, whatever its state. */
  key?: string;
  /** The fault that was put in the way. */
  fault?: string;
  /** Rules of the text that the request broke. */
  violations: Violation[];
}

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
