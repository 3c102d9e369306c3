import { whole } from '../settings/check.ts';

import { entryText, type JournalEntry } from './journal-entry.ts';
import { filterText, type JournalFilter, matches } from './journal-filter.ts';

// Captured at load, so that a test's fake timers don't stop the wait.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

export interface WaitOptions {
  /** Number of requests. Default: 1. */
  count?: number;
  /** Aborts the wait: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** ms of real time. Default: 3000, below the timeouts of test runners. */
  timeoutMs?: number;
}

/** The parts of the journal that a wait uses. */
interface Source {
  /** In order, without dropped ones. */
  entries(): JournalEntry[];
  subscribe(listener: (entry: JournalEntry) => void): () => void;
}

const defaultTimeoutMs = 3000;
const shownEntries = 5;

/** See `Journal.waitFor`. */
export const waitFor = (
  { entries, subscribe }: Source,
  filter: JournalFilter,
  { count = 1, signal, timeoutMs = defaultTimeoutMs }: WaitOptions,
): Promise<JournalEntry[]> => {
  whole(1, 1e9)('count', count);
  whole(1, 2 ** 31 - 1)('timeoutMs', timeoutMs);
  const recorded = entries();
  let last = recorded.at(-1)?.number ?? 0;
  let after = (filter.after ?? 0) > last ? 0 : (filter.after ?? 0);
  const seen: JournalEntry[] = [];
  const found: JournalEntry[] = [];
  const see = (entry: JournalEntry): void => {
    if (entry.number <= after) return;
    seen.push(entry);
    if (matches(entry, filter)) found.push(entry);
  };
  for (const entry of recorded) see(entry);
  if (found.length >= count) return Promise.resolve(found);
  if (signal?.aborted) return Promise.reject(signal.reason);

  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      stopTimer(timer);
      stop();
      signal?.removeEventListener('abort', abort);
      done();
    };
    const abort = (): void => settle(() => reject(signal?.reason));
    const timer = startTimer(() => {
      const error = new Error(lateText(filter, { count, timeoutMs, found: found.length, seen }));
      settle(() => reject(error));
    }, timeoutMs);
    const stop = subscribe((entry) => {
      // The journal was cleared, so numbering restarted.
      if (entry.number <= last) after = 0;
      last = entry.number;
      see(entry);
      if (found.length >= count) settle(() => resolve(found));
    });
    signal?.addEventListener('abort', abort);
  });
};

const lateText = (
  filter: JournalFilter,
  { count, timeoutMs, found, seen }: { count: number; timeoutMs: number; found: number; seen: JournalEntry[] },
): string => {
  const which = `request${count === 1 ? '' : 's'}${filterText(filter)}`;
  const wanted = count === 1 ? `No ${which} was recorded` : `${found} of ${count} ${which} were recorded`;
  const since = filter.after === undefined ? '' : ' since';
  const late = `${wanted} within ${timeoutMs} ms.`;
  if (seen.length === 0) return `${late} The journal has no request${since}: does the client use the mock's baseUrl?`;
  const lines = seen.slice(-shownEntries).map((entry) => `\n  ${entryText(entry)}`);
  const these = seen.length > shownEntries ? `the last ${shownEntries} of ${seen.length} requests` : 'these requests';
  return `${late} The journal has ${these}${since}:${lines.join('')}`;
};
