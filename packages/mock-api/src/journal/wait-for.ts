import { type Given, optional, readFields, whole } from '../settings/check.ts';
import { entryText, type JournalEntry } from './journal-entry.ts';
import { filterText, type JournalFilter, matches } from './journal-filter.ts';

// Captured at load, so that a test's fake timers don't stop the wait.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** The parts of the journal that a wait uses. */
interface Source {
  /** Returns copies of the recorded entries that match the filter. */
  held(filter: JournalFilter): JournalEntry[];
  subscribe(listener: (entry: JournalEntry) => void): () => void;
}

const defaultTimeoutMs = 3000;
const shownEntries = 5;

const readers = {
  /** Number of requests. Default: 1. */
  count: optional(whole(1, 1e9)),
  /** Aborts the wait: the promise rejects with the signal's reason. */
  signal: optional((_, signal) => signal as AbortSignal),
  /** ms of real time. Default: 3000, less than the 5 s that Vitest and Jest give a test. */
  timeoutMs: optional(whole(1, 2 ** 31 - 1)),
};
export type WaitOptions = Given<typeof readers>;

/** See `Journal.waitFor`. */
export const waitFor = async (
  { held, subscribe }: Source,
  filter: JournalFilter,
  options: WaitOptions,
): Promise<JournalEntry[]> => {
  const { count = 1, signal, timeoutMs = defaultTimeoutMs } = readFields<WaitOptions>('waitFor', options, readers);
  const found = held(filter);
  if (found.length >= count) return found;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<JournalEntry[]>();
  const abort = (): void => reject(signal?.reason);
  const timer = startTimer(() => {
    const recorded = held(filter.after === undefined ? {} : { after: filter.after });
    const missing = missingText(filter, count, found.length);
    reject(new Error(`${missing} within ${timeoutMs} ms. ${recordedText(filter, recorded)}`));
  }, timeoutMs);
  const stop = subscribe((entry) => {
    // The journal was cleared.
    if (entry.number === 1) found.length = 0;
    // New entries always come after `filter.after`. `found` collects them, since the journal may drop them.
    if (matches(entry, filter)) found.push(entry);
    if (found.length >= count) resolve([...found]);
  });
  signal?.addEventListener('abort', abort);
  try {
    return await promise;
  } finally {
    stopTimer(timer);
    stop();
    signal?.removeEventListener('abort', abort);
  }
};

const missingText = (filter: JournalFilter, count: number, found: number): string => {
  const which = `request${count === 1 ? '' : 's'}${filterText(filter)}`;
  return count === 1 ? `No ${which} was recorded` : `${found} of ${count} ${which} were recorded`;
};

const recordedText = ({ after }: JournalFilter, entries: JournalEntry[]): string => {
  const since = after === undefined ? '' : ` after number ${after}`;
  if (entries.length === 0) return `The journal has no request${since}: does the client use the mock's baseUrl?`;
  const lines = entries.slice(-shownEntries).map((entry) => `\n  ${entryText(entry)}`);
  const these =
    entries.length > shownEntries ? `the last ${shownEntries} of ${entries.length} requests` : 'these requests';
  return `The journal has ${these}${since}:${lines.join('')}`;
};
