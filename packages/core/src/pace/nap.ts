import type { Host } from '../base/host.ts';

/** Maximum delay of a host's timer. */
const maxTimerMs = 2 ** 31 - 1;

export interface Nap {
  /** Sleeps until `at` on the host's clock, or until it is ended; Infinity starts no timer. */
  until(at: number): Promise<void>;
  end(): void;
}

/** One sleep at a time, which can be ended from outside. */
export const createNap = (host: Pick<Host, 'now' | 'sleep'>): Nap => {
  const nothing = (): void => undefined;
  let end = nothing;

  return {
    async until(at) {
      const ms = at - host.now();
      if (ms <= 0) return;
      if (ms === Number.POSITIVE_INFINITY) {
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return;
      }
      const ended = new AbortController();
      end = () => ended.abort(null); // without a reason, an error with a stack trace is created
      await host.sleep(Math.min(ms, maxTimerMs), ended.signal).catch((error: unknown) => {
        if (!ended.signal.aborted) throw error;
      });
      end = nothing;
    },
    end: () => end(),
  };
};
