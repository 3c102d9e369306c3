import { shown } from './validate/values.ts';

// Kept at load, so that a test's fake timers do not stop the mock that it runs against.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const realTime = performance.now.bind(performance);
const realEpoch = performance.timeOrigin;

/** ms since 1970; a date of the text (§2.2) has no room for later years. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time of one mock. Limits, dates and delays all follow it. */
export interface Clock {
  /** ms since 1970. Never runs backwards by itself. */
  now(): number;
  /**
   * Moves the clock forward by `ms`, frozen or not; sleepers that are due wake up.
   * @throws Error unless it is a number from 0 up that leads no further than the end of the year 9999
   */
  advance(ms: number): void;
  /**
   * Stops the clock, at `at` (ms since 1970) or where it stands. `at` may lie before now: the limits then start anew.
   * @throws Error unless `at` is a number from 0 to the end of the year 9999
   */
  freeze(at?: number): void;
  /** Lets a frozen clock run on from where it stands. */
  resume(): void;
  isFrozen(): boolean;
  /** Back to how the clock was created; all sleepers wake up. */
  reset(): void;
  /** Resolves once `ms` have passed on this clock; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

interface Sleeper {
  due: number;
  timer?: ReturnType<typeof setTimeout>;
  wake(): void;
}

/**
 * A time that a clock can show.
 * @param what begins the sentence of the error, e.g. `freeze must be`
 */
export const clockTime = (what: string, ms: unknown): number => {
  if (typeof ms === 'number' && ms >= 0 && ms <= latestTime) return ms;
  throw new Error(
    `${what} a time in ms since 1970, from 0 to ${latestTime}, the end of the year 9999, not ${shown(ms)}`,
  );
};

/** The time of a clock that is advanced by `ms`. @throws Error where it cannot be */
export const advanced = (from: number, ms: unknown): number => {
  if (typeof ms !== 'number' || !(ms >= 0))
    throw new Error(`advance must be a number of ms from 0 up, not ${shown(ms)}`);
  return clockTime('advance leads to', from + ms);
};

/**
 * A clock that starts at the real time and runs, or stands at `frozenAt` (ms since 1970).
 * @throws Error where that is no time that a clock can show
 */
export const createClock = (frozenAt?: number): Clock => {
  let offset = realEpoch;
  let frozen = frozenAt === undefined ? undefined : clockTime('frozenAt must be', frozenAt);
  const sleepers = new Set<Sleeper>();

  const exact = (): number => frozen ?? realTime() + offset;
  const now = (): number => Math.floor(exact());
  const arm = (sleeper: Sleeper): void => {
    if (sleeper.timer) stopTimer(sleeper.timer);
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
      frozen = frozenAt;
      for (const sleeper of [...sleepers]) sleeper.wake();
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const settle = (done: () => void): void => {
          if (sleeper.timer) stopTimer(sleeper.timer);
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
          done();
        };
        const abort = (): void => settle(() => reject(signal?.reason));
        const sleeper: Sleeper = { due: exact() + ms, wake: () => settle(resolve) };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort);
        arm(sleeper);
      });
    },
  };
};
