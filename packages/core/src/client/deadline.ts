import { checkNumber } from '../base/checks.ts';
import { type Host, maxTimerMs } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';
import { type Stops, unlessStopped } from '../base/stops.ts';

export interface Deadline {
  /**
   * Returns the time left for the next API call, ms. The clock starts when this function is first used.
   * @throws `timeout` if no time is left
   */
  leftMs(): number;
  /** Makes the next use of `leftMs` restart the clock. */
  restart(): void;
}

/**
 * Creates one deadline for several calls, such as those of a walk.
 * @param ms time limit for all of these calls together; Infinity for no limit
 * @throws `configuration` unless `ms` is a number of at least 1
 */
export const createDeadline = (host: Pick<Host, 'now'>, ms: number): Deadline => {
  checkNumber('deadlineMs', ms, 1, Infinity);
  let endsAt: number | undefined;
  return {
    leftMs() {
      endsAt ??= host.now() + ms;
      const leftMs = endsAt - host.now();
      if (leftMs < 1) throw timeoutError(ms);
      return leftMs;
    },
    restart() {
      endsAt = undefined;
    },
  };
};

/**
 * Waits for `turn`.
 * @throws `aborted` or `timeout` if the call ends before its turn
 */
export const waitForTurn = async (
  host: Pick<Host, 'sleep'>,
  turn: Promise<void>,
  { deadline, ...stops }: Stops & { deadline: Deadline },
): Promise<void> => {
  const isMyTurn = new AbortController();
  const overdue = host.sleep(Math.min(deadline.leftMs(), maxTimerMs), isMyTurn.signal);
  try {
    await unlessStopped(Promise.race([turn, overdue]), stops);
    // Throws if the deadline passed before the turn came.
    deadline.leftMs();
  } finally {
    isMyTurn.abort();
    overdue.catch(() => undefined);
  }
};
