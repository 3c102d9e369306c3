import { createHash, randomUUID } from 'node:crypto';
import { readBaseUrl } from '../base/base-url.ts';
import { checkApiKey } from '../base/check-api-key.ts';
import { configurationError } from '../base/errors.ts';
import { createEmit, type OnEvent } from '../base/events.ts';
import { addPermit, createRecord, freePermits, type PermitRecord, waitFor } from './permits.ts';
import { readLimit, type StoreLimit } from './rate-limit.ts';
import { now as realNow } from './real-time.ts';
import type { Answer, RateLimitStore } from './store.ts';
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

/** The record of one key, in storage that several processes share. */
export interface SharedRecord {
  /**
   * Writes the text that `change` returns, in one step that is atomic across processes.
   * @param change gets the text found, which is `null` if there is none, and the time on the clock that the processes
   * share. Returns the record as JSON, which the storage can remove after `keptMs`, or undefined if there is nothing to
   * write. Called again if another process was faster
   */
  update(change: (found: string, at: number) => { text: string; keptMs: number } | undefined): Promise<void>;
  close(): void;
}

interface RecordToOpen {
  kind: 'sqlite' | 'redis';
  /** @param key a hash that identifies the pair of base URL and API key */
  open(key: string): Promise<SharedRecord>;
  /** A description of the problem, without secrets. */
  explain(error: unknown): string;
}

/**
 * Minimum time between two attempts to reach an unavailable record, ms. There is no attempt unless a caller needs the
 * record.
 */
const retryEveryMs = 5_000;

const contentLost = 'the store lost its content';
const otherClock = 'machines with different clocks use the same file; use Redis, or one file for each machine';

/**
 * Returns a hash of the base URL and the API key, which is the same in every process. The API key cannot be recovered
 * from the hash.
 * @throws `configuration` for an invalid address or key
 */
const recordKey = ({ baseUrl, apiKey }: SharedStoreOptions): string =>
  createHash('sha256')
    .update(`order-license\n${readBaseUrl(baseUrl)}\n${checkApiKey(apiKey)}`)
    .digest('hex');

type Change = (record: PermitRecord, at: number) => void;

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
  /** The record as last seen with the whole limit and, since then, the permits and pauses of this process. */
  let own = createRecord();
  /** How far the clock of `own` is ahead of the host's, ms. */
  let aheadMs = 0;
  let isLost = false;
  /** When the record or its content was last found lost; Infinity if the file is used on several clocks. */
  let lostAt = -Infinity;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs steps one after another, so that this process never competes with itself. */
  const inTurn = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const result = last.then(step, step);
    last = result;
    return result;
  };

  const ownAt = (): number => now() + aheadMs;
  /** Whether this process keeps to its quarter. */
  const isReduced = (): boolean => now() < lostAt + retryEveryMs + limit.holdMs;

  const disconnect = (): void => {
    opened?.close();
    opened = undefined;
  };

  /** Changes the record. Returns what was wrong with the record found, if anything. */
  const update = async (change: Change): Promise<string | undefined> => {
    opened ??= await open(key);
    let seen = { record: own, aheadMs };
    let problem: string | undefined;
    await opened.update((text, at) => {
      const written: PermitRecord | null = JSON.parse(text);
      // A clock goes back when a machine restarts or is set, and then every record is obsolete.
      const record = written && written.latest <= at ? written : createRecord(randomUUID());
      seen = { record, aheadMs: at - now() };
      if (own.generation && !isReduced()) {
        // Redis's clock can be set; that of this machine does not go back while this process runs. A record exists for at
        // least `holdMs` after it was written.
        if (kind === 'sqlite' && written && (written.latest > at || written.latest < own.latest)) {
          problem = otherClock;
          lostAt = Infinity;
        } else if (record.generation !== own.generation && at < own.latest + limit.holdMs) {
          problem = contentLost;
          lostAt = now();
        }
      }
      // What was lost is not restored, except for a pause, which concerns every process.
      const pausedMs = own.pausedUntil - ownAt();
      if (record.pausedUntil <= at && pausedMs > 0) record.pausedUntil = at + pausedMs;
      change(record, at);
      if (JSON.stringify(record) === text) return undefined;
      record.latest = at;
      // Kept until everything in it has expired, but for `holdMs` at least.
      const expiresAt = Math.max(at + limit.holdMs, record.pausedUntil, ...Object.values(record.permits));
      return { text: JSON.stringify(record), keptMs: Math.ceil(expiresAt - at) };
    });
    // What was lost with an earlier record still counts.
    if (!isReduced()) ({ record: own, aheadMs } = seen);
    return problem;
  };

  const report = (problem: string): void =>
    emit({ type: 'store_unavailable', store: kind, problem, requests: quarter.requests });

  /**
   * Changes the record, if it is available. A connection that fails is opened again at once: the ID of the record shows
   * whether it is the same.
   */
  const reach = async (change: Change): Promise<void> => {
    if (isLost && now() < lostAt + retryEveryMs) return;
    const wasOpen = opened !== undefined;
    try {
      const problem = await update(change);
      if (problem) report(problem);
      if ((problem || isLost) && lostAt < Infinity) emit({ type: 'store_available', store: kind });
      isLost = false;
    } catch (error) {
      disconnect();
      if (wasOpen) return reach(change);
      // From now on, this process counts for itself, beginning with what it last saw.
      lostAt = now();
      if (!isLost) report(explain(error));
      isLost = true;
    }
  };

  /** Changes the record, unless the store has been closed, and also this process's own count. */
  const changeBoth = async (change: Change): Promise<void> => {
    if (!isClosed) await inTurn(() => reach(change));
    change(own, ownAt());
  };

  /** Returns the time until a permit of the quarter is free, ms; 0 while the whole limit applies. */
  const ownWait = (reserve = 0): number => (isReduced() ? waitFor(own, ownAt(), quarter, Math.floor(reserve / 4)) : 0);

  const take = async (reserve?: number): Promise<Answer> => {
    if (isClosed) throw configurationError('The store has been closed', 'Create a new one for further calls.');
    const id = randomUUID();
    let waitMs = 0;
    await reach((record, at) => {
      waitMs = Math.max(waitFor(record, at, limit, reserve), ownWait(reserve));
      if (waitMs === 0) addPermit(record, id, at, limit);
    });
    const ownMs = ownWait(reserve);
    waitMs = Math.max(waitMs, ownMs);
    // A pause after a 429 is not a reduced limit: it applies to every process.
    if (waitMs > 0) return { retryAt: now() + waitMs, reduced: ownMs > 0 && own.pausedUntil <= ownAt() };
    addPermit(own, id, ownAt(), limit);
    return { permit: { id } };
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    await inTurn(async () => disconnect());
  };

  return {
    ...limit,
    take: (reserve) => inTurn(() => take(reserve)),
    settle: ({ id }, sent = true) =>
      changeBoth(({ permits }, at) => {
        permits[id] = at + (sent ? limit.holdMs : 0);
      }),
    pause: (until) =>
      changeBoth((record, at) => {
        record.pausedUntil = Math.max(record.pausedUntil, at + until - now());
      }),
    free: () => freePermits(own, ownAt(), isReduced() ? quarter : limit),
    reportTo(onEvent) {
      if (!options.onEvent) emit = onEvent;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
