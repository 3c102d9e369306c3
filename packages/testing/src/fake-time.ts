import FakeTimers from '@sinonjs/fake-timers';

const { setImmediate: realImmediate, setTimeout: realTimeout } = globalThis;

export interface FakeTimeOptions {
  /** Initial value of `Date.now()`, ms since 1970. */
  now: number;
  /** Initial value of `performance.now()`, ms. Default: 0. */
  uptimeMs?: number;
  /** Whether `AbortSignal.timeout` also uses this time. Do not set it for work that waits for real sockets. */
  abortTimeouts?: boolean;
}

export interface RunOptions {
  /**
   * Whether the work also waits for real sockets or processes. If so, a real millisecond passes between two timers, and
   * fake time stops while a connection opens.
   */
  io?: boolean;
  /** Called with the ms that have just passed, to advance another clock. */
  onPass?: (ms: number) => void;
}

/** This process's timers, `Date` and `performance`, which advance only in `run` and `pass`. */
export interface FakeTime {
  /** Advances from timer to timer until `work` is done. */
  run<Result>(work: Promise<Result>, options?: RunOptions): Promise<Result>;
  /** Advances by `ms` at once. */
  pass(ms: number): void;
  uninstall(): void;
}

/**
 * Installs fake time for programs that use the global timers. Call it before loading libraries that keep a reference to
 * a timer. For a client with its own host, use `createVirtualClock` instead.
 */
export const installFakeTime = ({ now, uptimeMs = 0, abortTimeouts = false }: FakeTimeOptions): FakeTime => {
  const clock = FakeTimers.install({
    now: now - uptimeMs,
    // A reused connection clears a timer that it set before the fake time was installed.
    shouldClearNativeTimers: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  clock.tick(uptimeMs);
  const fakeTimeout = globalThis.setTimeout;
  // Waits at least 1 ms, as Node does. Otherwise, code that sleeps repeatedly for a fraction of a millisecond would
  // never wake.
  const atLeastOneMs = (callback: () => void, ms = 1, ...more: []) =>
    fakeTimeout(callback, Math.max(1, Math.trunc(ms)), ...more);
  globalThis.setTimeout = Object.assign(atLeastOneMs, fakeTimeout) as typeof setTimeout;
  const realAbortTimeout = AbortSignal.timeout;
  if (abortTimeouts) AbortSignal.timeout = abortedAfter;
  const breathe = async (io: boolean): Promise<void> => {
    if (io) await new Promise((resolve) => realTimeout(resolve, 1));
    else for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => realImmediate(resolve));
  };
  return {
    async run(work, { io = false, onPass } = {}) {
      let done = false;
      const finished = work.finally(() => {
        done = true;
      });
      finished.catch(() => undefined);
      for (;;) {
        await breathe(io);
        if (done) return finished;
        if (clock.countTimers() === 0 || (io && isConnecting())) continue;
        const before = clock.now;
        clock.next();
        // Advances one more millisecond, because timers fire at whole milliseconds but a wait can end between two of
        // them.
        if (io) clock.tick(1);
        onPass?.(clock.now - before);
      }
    },
    pass: (ms) => void clock.tick(ms),
    uninstall() {
      AbortSignal.timeout = realAbortTimeout;
      clock.uninstall();
    },
  };
};

/**
 * Whether a connection is being opened. On a busy machine, that takes many turns of the event loop, during which the
 * connection would reach its own time limit.
 */
const isConnecting = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name === 'ConnectWrap' || name === 'GetAddrInfoReqWrap');

const timedOut = new DOMException('The operation timed out.', 'TimeoutError');

const abortedAfter = (ms: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(timedOut), ms);
  return controller.signal;
};
