import { type Host, maxTimerMs } from '../base/host.ts';

/** One timer of a host, which can be set to another time. */
export interface Alarm {
  /** Sets the alarm to this time; Infinity turns it off. */
  set(at: number): void;
}

const never = Number.POSITIVE_INFINITY;

/**
 * @param ring called at the time that is set, or earlier if that is further away than a timer can be
 * @param fail called with what the host's `sleep` rejects with
 */
export const createAlarm = (
  { now, sleep }: Pick<Host, 'now' | 'sleep'>,
  ring: () => void,
  fail: (error: unknown) => void,
): Alarm => {
  let ringsAt = never;
  let off = new AbortController();
  return {
    set(at) {
      if (at === ringsAt) return;
      off.abort();
      ringsAt = at;
      if (at === never) return;
      off = new AbortController();
      const { signal } = off;
      const ms = Math.max(0, Math.min(at - now(), maxTimerMs)); // Node warns about a negative time
      sleep(ms, signal)
        .then(() => {
          if (signal.aborted) return;
          ringsAt = never;
          ring();
        })
        .catch((error: unknown) => signal.aborted || fail(error));
    },
  };
};
