import type { JournalEntry } from './journal-entry.ts';
import { checkFilter, type JournalFilter, matches } from './journal-filter.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/**
 * The newest requests, newest last. A request is recorded before its response is sent. All returned entries are copies.
 */
export interface Journal {
  /** @throws Error that names the invalid filter field */
  entries(filter?: JournalFilter): JournalEntry[];
  /**
   * Returns the entries with violations: the first 1000, which the journal never drops, and those among the newest
   * requests. `counts` says whether more were dropped.
   * @throws Error like `entries`
   */
  violations(filter?: JournalFilter): JournalEntry[];
  /**
   * Returns the number of matching entries.
   * @throws Error like `entries`, and if dropped entries could match (`journalSize`)
   */
  count(filter?: JournalFilter): number;
  /**
   * Waits for enough matching requests, including earlier ones. Their responses may still be in flight.
   * @returns all matching entries
   * @throws Error that lists the last recorded requests on timeout; Error if the mock is closed; the signal's reason if
   *   it aborts
   */
  waitFor(filter?: JournalFilter, options?: WaitOptions): Promise<JournalEntry[]>;
  /** Returns the number of requests since the start or the last `clear` or reset, including dropped ones. */
  total(): number;
  /** Returns how many entries the journal holds and has dropped. */
  counts(): JournalCounts;
  /** Deletes all entries. The next entry has the number 1. */
  clear(): void;
  /** Calls `listener` for each new entry. @returns a function that removes the listener */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
}

/** Counts of the requests that the journal has recorded. */
export interface JournalCounts {
  total: number;
  held: number;
  dropped: number;
  /** Number of dropped requests that had violations. */
  droppedViolations: number;
}

/** Number of requests with violations that are never dropped, so that no early violation is lost. */
const keptViolations = 1000;

/** The internal view of the journal. */
export interface WritableJournal extends Journal {
  add(entry: Omit<JournalEntry, 'number'>): void;
}

/**
 * @param size maximum number of entries; older ones are dropped
 * @param keyNames returns the names of the keys
 */
export const createJournal = (size: number, keyNames: () => string[]): WritableJournal => {
  const newest: JournalEntry[] = [];
  /** The first entries with violations that are no longer among the newest. */
  const kept: JournalEntry[] = [];
  const listeners = new Set<(entry: JournalEntry) => void>();
  let total = 0;
  let droppedViolations = 0;
  const check = (filter: JournalFilter): void => {
    const sent = newest.flatMap(({ key }) => key ?? []);
    checkFilter(filter, [...new Set([...keyNames(), ...(filter?.key === undefined ? [] : sent)])]);
  };
  const firstOf = ({ after = 0 }: JournalFilter): number => (after > total ? 1 : after + 1);
  const select = (filter: JournalFilter): JournalEntry[] => {
    check(filter);
    const first = firstOf(filter);
    return [...(filter.violations ? kept : []), ...newest].filter(
      (entry) => entry.number >= first && matches(entry, filter),
    );
  };
  const entries = (filter: JournalFilter = {}): JournalEntry[] => structuredClone(select(filter));
  const subscribe = (listener: (entry: JournalEntry) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    add(entry) {
      const numbered = { number: ++total, ...entry };
      newest.push(numbered);
      const oldest = newest.length > size ? newest.shift() : undefined;
      if (oldest && oldest.violations.length > 0) {
        if (kept.length < keptViolations) kept.push(oldest);
        else droppedViolations++;
      }
      for (const listener of [...listeners]) listener(structuredClone(numbered));
    },
    entries,
    violations: (filter = {}) => entries({ ...filter, violations: true }),
    count(filter = {}) {
      const matching = select(filter).length;
      const isWhole = filter.violations ? droppedViolations === 0 : firstOf(filter) > total - size;
      if (!isWhole) {
        throw new Error(
          `the journal has only the last ${size} of ${total} requests, so the count could be too low; start the mock with a larger journalSize, or pass a higher number as "after"`,
        );
      }
      return matching;
    },
    waitFor: (filter = {}, options = {}) => waitFor({ held: entries, subscribe }, filter, options),
    total: () => total,
    counts() {
      const held = kept.length + newest.length;
      return { total, held, dropped: total - held, droppedViolations };
    },
    clear() {
      newest.length = 0;
      kept.length = 0;
      total = 0;
      droppedViolations = 0;
    },
    subscribe,
  };
};
