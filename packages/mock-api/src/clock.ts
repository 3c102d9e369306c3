// Kept at load, so that a test's fake timers do not stop the mock that it runs against.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const realTime = performance.now.bind(performance);
const realEpoch = performance.timeOrigin;

/** The time of one mock. Limits, dates and delays all follow it. */
export interface Clock {
  /** ms since 1970. Never runs backwards by itself. */
  now(): number;
  /** Moves the clock forward by `ms`, frozen or not; sleepers that are due wake up. */
  advance(ms: number): void;
  /** Stops the clock, at `at` (ms since 1970) or where it stands. */
  freeze(at?: number): void;
  /** Lets a frozen clock run on from where it stands. */
  resume(): void;
  isFrozen(): boolean;
  /** Resolves once `ms` have passed on this clock; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

interface Sleeper {
  due: number;
  timer?: ReturnType<typeof setTimeout>;
  wake(): void;
}

/** A clock that starts at the real time and runs, or stands at `frozenAt` (ms since 1970). */
export function createClock(frozenAt?: number): Clock {
  let offset = realEpoch;
  let frozen = frozenAt;
  const sleepers = new Set<Sleeper>();

  const now = (): number => frozen ?? Math.floor(realTime() + offset);
  const arm = (sleeper: Sleeper): void => {
    if (sleeper.timer) stopTimer(sleeper.timer);
    delete sleeper.timer;
    const wait = sleeper.due - now();
    if (wait <= 0) sleeper.wake();
    else if (frozen === undefined) sleeper.timer = startTimer(arm, Math.min(wait, 2 ** 31 - 1), sleeper);
  };
  const rearm = (): void => {
    for (const sleeper of [...sleepers]) arm(sleeper);
  };

  return {
    now,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`advance takes milliseconds from 0 up, not ${ms}`);
      if (frozen === undefined) offset += ms;
      else frozen += ms;
      rearm();
    },
    freeze(at) {
      frozen = at ?? now();
      rearm();
    },
    resume() {
      if (frozen === undefined) return;
      offset = frozen - realTime();
      frozen = undefined;
      rearm();
    },
    isFrozen: () => frozen !== undefined,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const settle = (finish: () => void): void => {
          if (sleeper.timer) stopTimer(sleeper.timer);
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
          finish();
        };
        const abort = (): void => settle(() => reject(signal?.reason));
        const sleeper: Sleeper = { due: now() + ms, wake: () => settle(resolve) };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort);
        arm(sleeper);
      });
    },
  };
}
