import { randomBytes } from 'node:crypto';
import { configurationError } from '../base/errors.ts';
import { createEmit, type OnEvent } from '../base/events.ts';
import {
  addPermit,
  createRecord,
  freePermits,
  keptUntil,
  type PermitRecord,
  pausePermits,
  settlePermit,
  waitFor,
} from './permits.ts';
import { readLimit, type StoreLimit } from './rate-limit.ts';
import { now as realNow } from './real-time.ts';
import {
  contentLost,
  isOnOtherClock,
  losses,
  otherClock,
  type RecordToOpen,
  recordKey,
  type SharedRecord,
} from './shared-record.ts';
import type { Denial, Permit, RateLimitStore } from './store.ts';
import { warn } from './warn.ts';

/**
 * A rate-limit store that several processes share. While the file or Redis is unavailable, this process counts in
 * memory. Once the store has been closed, `take` rejects with `configuration`.
 */
export interface SharedStore extends RateLimitStore, AsyncDisposable {
  readonly requests: number;
  /**
   * Finishes pending writes, then closes the file or the connection for good. Call it after the last call: otherwise
   * waiting calls fail, and permits of requests in flight return only when they expire. Same as `Symbol.asyncDispose`.
   */
  close(): Promise<void>;
}

export interface SharedStoreOptions extends StoreLimit {
  /** Address of the API, as passed to the client. */
  baseUrl: string;
  /** API key, as passed to the client. The file or Redis gets only a SHA-256 hash of the key and the address. */
  apiKey: string;
  /** Milliseconds on a monotonic clock: the `now` of the client's host. @default performance.now */
  now?: (() => number) | undefined;
  /**
   * Called when the file or Redis becomes unavailable, and when it is available again. By default, the `onEvent` of the
   * latest client that uses the store is called; if no client has one, the first failure is a process warning.
   */
  onEvent?: OnEvent | undefined;
}

/**
 * Minimum time between two attempts to reach an unavailable record, ms. There is no attempt unless a caller needs the
 * record.
 */
const retryEveryMs = 5_000;

const newId = (): string => randomBytes(9).toString('base64url');

/**
 * Creates a store that several processes share, with a fallback to memory.
 *
 * A process without the shared record does not know how many permits the other processes take. It therefore keeps to a
 * quarter of the limit: four processes that lose the record together stay within the limit. All permits that the
 * process last saw in the record count towards its quarter, whoever took them. The process keeps to its quarter until
 * five seconds and one window plus the guard after it last failed to reach the record, because a new record lacks the
 * permits of the lost one.
 * @throws `configuration` for invalid options
 */
export const createSharedStore = (options: SharedStoreOptions, { kind, open, explain }: RecordToOpen): SharedStore => {
  const limit = readLimit(options);
  const quarter = { ...limit, requests: Math.max(1, Math.floor(limit.requests / 4)) };
  const key = recordKey(options);
  const { now = realNow } = options;
  let emit = createEmit(options.onEvent, { warn });
  let opened: SharedRecord | undefined;
  /** The ID and the time of the record last seen, and the time on the host's clock at which the record may expire. */
  let known: (Pick<PermitRecord, 'generation' | 'latest'> & { until: number }) | undefined;
  /** What this process last saw in the record and, while the limit is reduced, its own permits; on the host's clock. */
  const own = createRecord();
  let isLost = false;
  /** Whether the file is used on several clocks, so that nobody can count what others send. */
  let hasTwoClocks = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs steps one after another, so that this process never competes with itself. */
  const inTurn = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const result = last.then(step);
    last = result.catch(() => undefined);
    return result;
  };

  const isReduced = (): boolean => isLost || hasTwoClocks || now() < lostAt + retryEveryMs + limit.holdMs;

  type Change = (record: PermitRecord, at: number) => void;

  const disconnect = (): void => {
    opened?.close();
    opened = undefined;
  };

  const update = async (change: Change): Promise<void> => {
    // The record is still there, unless its ID says otherwise.
    if (opened?.isClosed?.()) disconnect();
    opened ??= await open(key);
    const askedAt = now();
    let seen = known;
    let { permits } = own;
    await opened.update((text, at) => {
      const written: PermitRecord | null = JSON.parse(text);
      // A clock goes back when a machine restarts or is set, and then every record is obsolete.
      const found = written && written.latest <= at ? written : undefined;
      if (known && !hasTwoClocks) {
        // Redis's clock can be set; that of this machine does not go back while this process runs.
        hasTwoClocks = kind === 'sqlite' && written !== null && isOnOtherClock(written, known, at);
        if (hasTwoClocks) throw otherClock;
        if (found?.generation !== known.generation && now() < known.until) throw contentLost;
      }
      const record = found ?? createRecord(newId());
      const aheadMs = at - now();
      // What was lost is not restored, except for a pause, which concerns every process.
      if (record.pausedUntil <= at && own.pausedUntil > now()) record.pausedUntil = own.pausedUntil + aheadMs;
      change(record, at);
      pausePermits(own, record.pausedUntil - aheadMs);
      const isChanged = JSON.stringify(record) !== text;
      if (isChanged) record.latest = at;
      const keptMs = Math.ceil(keptUntil(record, limit) - at);
      // Whatever other processes do, the record exists for `holdMs`, unless everything in it expires earlier.
      seen = { ...record, until: askedAt + Math.min(keptMs, limit.holdMs) };
      permits = Object.fromEntries(Object.entries(record.permits).map(([id, returnsAt]) => [id, returnsAt - aheadMs]));
      return isChanged ? { text: JSON.stringify(record), keptMs } : undefined;
    });
    known = seen;
    // What was lost with an earlier record still counts.
    if (!isReduced()) own.permits = permits;
  };

  /** From now on, this process counts for itself, beginning with what it last saw. */
  const lose = (): void => {
    disconnect();
    lostAt = now();
    known = undefined;
  };

  const report = (problem: string): void =>
    emit({ type: 'store_unavailable', store: kind, problem, requests: quarter.requests });

  /**
   * Changes the record, if it is available. If the record is lost, opens it again at once.
   * @param problem why the record was opened again
   */
  const reach = async (change: Change, problem?: string): Promise<void> => {
    if (isLost && now() < lostAt + retryEveryMs) return;
    const wasOpen = opened !== undefined;
    try {
      await update(change);
      if (problem) report(problem);
      if ((problem || isLost) && !hasTwoClocks) emit({ type: 'store_available', store: kind });
      isLost = false;
    } catch (error) {
      lose();
      if (wasOpen) return reach(change, losses.has(error) ? (error as Error).message : 'the store had to be reopened');
      if (!isLost) report(explain(error));
      isLost = true;
    }
  };

  /** Changes the record and, as long as it counts, what this process counts for itself. */
  const changeBoth = async (change: Change): Promise<void> => {
    await reach(change);
    if (isReduced()) change(own, now());
  };

  /** Returns the time until a permit of the quarter is free, ms; 0 while the whole limit applies. */
  const ownWait = (reserve = 0): number => {
    const left = Math.floor((reserve * quarter.requests) / limit.requests);
    return isReduced() ? waitFor(own, now(), quarter, left) : 0;
  };

  const checkOpen = (): void => {
    if (isClosed) throw configurationError('The store has been closed', 'Create a new one for further calls.');
  };

  const take = async (reserve?: number): Promise<{ permit: Permit } | Denial> => {
    const id = newId();
    let waitMs = 0;
    await reach((record, at) => {
      waitMs = Math.max(waitFor(record, at, limit, reserve), ownWait(reserve));
      if (waitMs === 0) addPermit(record, id, at, limit);
    });
    checkOpen();
    const at = now();
    const ownMs = ownWait(reserve);
    waitMs = Math.max(waitMs, ownMs);
    // A pause after a 429 is not a reduced limit: it applies to every process.
    if (waitMs > 0) return { retryAt: at + waitMs, reduced: ownMs > 0 && own.pausedUntil <= at };
    if (isReduced()) addPermit(own, id, at, limit);
    return { permit: { id } };
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    await inTurn(async () => disconnect());
  };

  return {
    requests: limit.requests,
    windowMs: limit.windowMs,
    guardMs: limit.guardMs,
    async take(reserve) {
      checkOpen();
      return inTurn(() => take(reserve));
    },
    async settle({ id }, sent = true) {
      const heldMs = sent ? limit.holdMs : 0;
      if (!isClosed) await inTurn(() => changeBoth((record, at) => settlePermit(record, String(id), at + heldMs)));
    },
    async pause(until) {
      const pausedMs = until - now();
      if (!isClosed) await inTurn(() => changeBoth((record, at) => pausePermits(record, at + pausedMs)));
    },
    free: () => freePermits(own, now(), isReduced() ? quarter : limit),
    reportTo(onEvent) {
      if (!options.onEvent) emit = onEvent;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
