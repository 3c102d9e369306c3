import { checkNumber } from './checks.ts';
import { configurationError, OrderLicenseError } from './errors.ts';
import { type Host, maxTimerMs } from './host.ts';
import { timeoutError } from './host-errors.ts';

/** Signals that end a call early: the caller's, and the one that the client's `close` aborts. */
export interface Stops {
  signal: AbortSignal | undefined;
  closing: AbortSignal;
}

/** Returns the error for a call that its caller aborted or whose client was closed; undefined if neither happened. */
export const stopError = ({ signal, closing }: Partial<Stops>): OrderLicenseError | undefined => {
  if (signal?.aborted) return abortedError(signal);
  return closing?.aborted ? closedError() : undefined;
};

export const abortedError = (signal: AbortSignal): OrderLicenseError =>
  new OrderLicenseError('aborted', { detail: 'The call was cancelled by its caller', cause: signal.reason });

/** Creates the error for a call that was waiting when the client was closed. */
const closedError = (): OrderLicenseError =>
  new OrderLicenseError('aborted', {
    detail: 'The client was closed while the call was waiting',
    advice: 'Create a new client and call again.',
    reason: 'closed',
  });

/** Keeps track of a client's calls, and ends them when the client closes. */
export interface Closing {
  /** Aborts when the client closes. */
  signal: AbortSignal;
  /**
   * Runs a call.
   * @throws `configuration` once the client is closed
   */
  run<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Aborts `signal`; resolves when the last call has ended. */
  close(): Promise<void>;
}

export const createClosing = (): Closing => {
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    signal: closed.signal,
    async run(call) {
      if (closed.signal.aborted)
        throw configurationError('The client is closed', 'Create a new one for further calls.');
      const result = call();
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
      }
    },
    async close() {
      closed.abort();
      await Promise.allSettled(running);
    },
  };
};

/**
 * Waits on the host's clock.
 * @throws `aborted` as soon as the caller aborts or the client closes
 */
export const sleepUnlessStopped = ({ sleep }: Pick<Host, 'sleep'>, ms: number, stops: Stops): Promise<void> => {
  const { signal, closing } = stops;
  return unlessStopped(sleep(ms, signal ? AbortSignal.any([signal, closing]) : closing), stops);
};

/** Milliseconds after a request's timeout at which the client stops waiting for the host. */
const graceMs = 1_000;

/** Returns a host's `send` that always settles in time; uses real time, since a host's clock may be virtual. */
export const inTime =
  (host: Pick<Host, 'send'>): Host['send'] =>
  (request) => {
    const { timeoutMs } = request;
    const sending = (async () => host.send(request))();
    return unlessAborted(sending, AbortSignal.timeout(Math.ceil(timeoutMs) + graceMs), () => timeoutError(timeoutMs));
  };

/** Returns the result of `work`, or rejects as soon as the caller aborts or the client closes. */
export const unlessStopped = <Result>(work: Promise<Result>, { signal, closing }: Stops): Promise<Result> =>
  unlessAborted(unlessAborted(work, signal), closing, closedError);

/** Returns the result of `work`, or rejects with the given error if `signal` aborts first. */
export const unlessAborted = <Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  error: () => unknown = () => signal && abortedError(signal),
): Promise<Result> => {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(error());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const leave = () => signal.removeEventListener('abort', onAbort);
    work.then(resolve, reject).then(leave);
  });
};

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
  turn: Promise<unknown>,
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
