import type { Violation } from './contract-check.ts';

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

/** The last requests, newest last. Whoever reads an entry gets a copy. */
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
export const createJournal = (size: number): Journal => {
  /** A ring: the newest entry takes the place of the oldest. */
  const ring: JournalEntry[] = [];
  const listeners = new Set<(entry: JournalEntry) => void>();
  let total = 0;
  const entries = (): JournalEntry[] => {
    const oldest = total > size ? total % size : 0;
    return [...ring.slice(oldest), ...ring.slice(0, oldest)].map(copyOf);
  };
  return {
    add(entry) {
      const numbered = { number: ++total, ...entry };
      ring[(total - 1) % size] = numbered;
      for (const listener of listeners) listener(copyOf(numbered));
    },
    entries,
    violations: () => entries().filter((entry) => entry.violations.length > 0),
    total: () => total,
    clear() {
      ring.length = 0;
      total = 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

const copyOf = ({ headers, violations, ...entry }: JournalEntry): JournalEntry => ({
  ...entry,
  headers: { ...headers },
  violations: violations.map((violation) => ({ ...violation })),
});
