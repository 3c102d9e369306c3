import type { Violation } from './judge.ts';

/** One request as the journal keeps it: no API key, no answer body. */
export interface JournalEntry {
  /** Running number, from 1. */
  number: number;
  /** When it came, ms since 1970 on the mock's clock. */
  at: number;
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** Lower-case names; values that may be secret are `***`. */
  headers: Record<string, string>;
  /** HTTP status of the answer; 0 where the wire broke before one. */
  status: number;
  /** Name of the key, where it is an active one of the service. */
  key?: string;
  /** The fault that was put in the way. */
  fault?: string;
  /** Rules of the text that the request broke. */
  violations: Violation[];
}

/** The last requests, newest last. */
export interface Journal {
  add(entry: Omit<JournalEntry, 'number'>): void;
  entries(): JournalEntry[];
  /** Only the entries that break a rule. */
  violations(): JournalEntry[];
  /** How many requests there were in all, also those that were dropped since. */
  total(): number;
  clear(): void;
  /** Calls `listener` for each new entry; gives the function that ends it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
}

/** @param size how many entries are kept; older ones are dropped */
export function createJournal(size: number): Journal {
  const kept: JournalEntry[] = [];
  const listeners = new Set<(entry: JournalEntry) => void>();
  let total = 0;
  return {
    add(entry) {
      const numbered = { number: ++total, ...entry };
      kept.push(numbered);
      if (kept.length > size) kept.shift();
      for (const listener of listeners) listener(numbered);
    },
    entries: () => [...kept],
    violations: () => kept.filter((entry) => entry.violations.length > 0),
    total: () => total,
    clear() {
      kept.length = 0;
      total = 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
