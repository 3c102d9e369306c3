export interface VirtualClock {
  /** Returns the virtual time, ms. */
  now(): number;
  /** Resolves after `ms` virtual milliseconds; rejects with the reason of `signal` as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs until `work` is done, advancing to the end of the next sleep whenever nothing else can run. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Advances by `ms`, and ends every sleep that falls within this time. */
  advance(ms: number): Promise<void>;
  /** Returns the number of sleeps that have not ended. */
  sleeping(): number;
}

/**
 * Creates a clock that advances only while all work is waiting, so that hours of pacing take milliseconds.
 * @param start initial value of `now()`, ms
 */
export const createVirtualClock = (start = 0): VirtualClock => {
  let time = start;
  let made = 0;
  const sleeps = new Map<number, { at: number; end(): void }>();

  const settle = async () => {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const endNext = (until: number): boolean => {
    let next: [number, { at: number; end(): void }] | undefined;
    for (const sleep of sleeps) if (!next || sleep[1].at < next[1].at) next = sleep;
    if (!next || next[1].at > until) return false;
    sleeps.delete(next[0]);
    time = Math.max(time, next[1].at);
    next[1].end();
    return true;
  };

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const id = ++made;
        const onAbort = () => {
          sleeps.delete(id);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        sleeps.set(id, {
          at: time + ms,
          end() {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        });
      }),
    async run(work) {
      let done = false;
      const finished = work.finally(() => {
        done = true;
      });
      finished.catch(() => undefined);
      for (;;) {
        await settle();
        if (done) return finished;
        if (!endNext(Infinity))
          throw new Error('The work is not done, but nothing is sleeping, so it would wait forever.');
      }
    },
    async advance(ms) {
      const until = time + ms;
      await settle();
      while (endNext(until)) await settle();
      time = until;
    },
    sleeping: () => sleeps.size,
  };
};
