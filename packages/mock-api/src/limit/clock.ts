import { shown } from '../settings/check.ts';
import { parseTime } from './utc-time.ts';

// Captured at load, so that a test's fake timers don't stop the mock.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const realTime = performance.now.bind(performance);
const realEpoch = performance.timeOrigin;

/** The latest time of a clock, ms since 1970: the date format (§2.2) has four digits for the year. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The clock of a mock, used for limits, dates and delays. */
export interface Clock {
  /** ms since 1970. Only `freeze` and `reset` can set it back. */
  now(): number;
  /**
   * Moves the clock forward by `ms`, frozen or not, and wakes sleepers that are due.
   * @throws Error unless `ms` is a non-negative number and the new time is before the year 10000
   */
  advance(ms: number): void;
  /**
   * Stops the clock now or at `at` (ms since 1970, or a UTC time like `2026-03-31 14:05:00`). A time in the past resets
   * the limits.
   * @throws Error unless `at` is in the years 1970 to 9999
   */
  freeze(at?: number | string): void;
  /** Restarts a frozen clock from its current time. */
  resume(): void;
  isFrozen(): boolean;
  /** Restores the initial clock and wakes all sleepers. */
  reset(): void;
  /** Resolves after `ms` on this clock; rejects with the signal's reason if it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

interface Sleeper {
  due: number;
  timer?: ReturnType<typeof setTimeout>;
  wake(): void;
}

/**
 * Returns a clock time in ms since 1970. Accepts ms and the strings that `parseTime` accepts.
 * @param what the start of the error message, e.g. `freeze must be`
 * @throws Error unless the time is in the years 1970 to 9999
 */
export const clockTime = (what: string, time: unknown): number => {
  const ms = typeof time === 'string' ? parseTime(time) : time;
  if (typeof ms === 'number' && ms >= 0 && ms <= latestTime) return ms;
  throw new Error(
    `${what} a time in ms since 1970, from 0 to ${latestTime}, or a UTC time such as 2026-03-31 14:05:00, not ${shown(time)}`,
  );
};

/** Returns the time of a clock advanced by `ms`. @throws Error if it is out of range */
export const advanced = (from: number, ms: unknown): number => {
  if (typeof ms !== 'number' || !(ms >= 0))
    throw new Error(`advance must be a number of milliseconds, 0 or more, not ${shown(ms)}`);
  if (from + ms <= latestTime) return from + ms;
  throw new Error('advance would move the clock past the year 9999');
};

/**
 * Creates a clock that runs in real time, or is frozen at `frozenAt`.
 * @throws Error if `frozenAt` is out of range
 */
export const createClock = (frozenAt?: number | string): Clock => {
  let offset = realEpoch;
  const initial = frozenAt === undefined ? undefined : clockTime('frozenAt must be', frozenAt);
  let frozen = initial;
  const sleepers = new Set<Sleeper>();

  const exact = (): number => frozen ?? realTime() + offset;
  const now = (): number => Math.floor(exact());
  const arm = (sleeper: Sleeper): void => {
    stopTimer(sleeper.timer);
    delete sleeper.timer;
    const wait = sleeper.due - exact();
    if (wait <= 0) sleeper.wake();
    else if (frozen === undefined) sleeper.timer = startTimer(arm, Math.min(wait, 2 ** 31 - 1), sleeper);
  };
  const rearm = (): void => {
    for (const sleeper of [...sleepers]) arm(sleeper);
  };

  return {
    now,
    advance(ms) {
      const later = advanced(exact(), ms);
      if (frozen === undefined) offset += ms;
      else frozen = later;
      rearm();
    },
    freeze(at) {
      frozen = at === undefined ? exact() : clockTime('freeze must be', at);
      rearm();
    },
    resume() {
      if (frozen === undefined) return;
      offset = frozen - realTime();
      frozen = undefined;
      rearm();
    },
    isFrozen: () => frozen !== undefined,
    reset() {
      offset = realEpoch;
      frozen = initial;
      for (const sleeper of [...sleepers]) sleeper.wake();
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal?.reason);
      const sleeper: Sleeper = { due: exact() + ms, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', abort);
      arm(sleeper);
      try {
        await promise;
      } finally {
        stopTimer(sleeper.timer);
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
      }
    },
  };
};
