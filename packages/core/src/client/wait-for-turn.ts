import { closedError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { unlessAborted } from '../call/send-in-time.ts';
import type { Deadline } from './deadline.ts';

interface Limits {
  signal: AbortSignal | undefined;
  /** Aborts when the client closes. */
  closing: AbortSignal;
  deadline: Deadline;
}

/** @throws `aborted` or `timeout` if a call that waits for others ends before its turn */
export const waitForTurn = async (
  host: Pick<Host, 'sleep'>,
  turn: Promise<void>,
  { signal, closing, deadline }: Limits,
): Promise<void> => {
  const leftMs = deadline.leftMs();
  const isMyTurn = new AbortController();
  const overdue = leftMs === Number.POSITIVE_INFINITY ? [] : [host.sleep(leftMs, isMyTurn.signal)];
  try {
    await unlessAborted(unlessAborted(Promise.race([turn, ...overdue]), signal), closing, closedError);
    // The sleep may have ended first.
    deadline.leftMs();
  } finally {
    isMyTurn.abort();
    for (const sleep of overdue) sleep.catch(() => undefined);
  }
};
