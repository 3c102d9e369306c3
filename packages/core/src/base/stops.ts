import { checkNumber } from './checks.ts';
import { configurationError, isOrderLicenseError, OrderLicenseError, withText } from './errors.ts';
import type { Host } from './host.ts';
import { timeoutError } from './host-errors.ts';

/** Signals that end a call early: the caller's, and the one that the client's `close` aborts. */
export interface Stops {
  signal: AbortSignal | undefined;
  closing: AbortSignal;
}

/** Returns the error for a call that its caller aborted or whose client was closed; undefined if neither happened. */
export const stopError = ({ signal, closing }: Partial<Stops>): OrderLicenseError | undefined => {
  if (signal?.aborted) {
    const detail = 'The call was cancelled by its caller';
    return new OrderLicenseError('aborted', { detail, cause: signal.reason });
  }
  if (closing?.aborted) {
    return new OrderLicenseError('aborted', {
      detail: 'The client was closed while the call was waiting',
      advice: 'Create a new client and call again.',
      reason: 'closed',
    });
  }
  return undefined;
};

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
      return result.finally(() => running.delete(result));
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
export const sleepUnlessStopped = async ({ sleep }: Pick<Host, 'sleep'>, ms: number, stops: Stops): Promise<void> => {
  const timer = new AbortController();
  await unlessStopped(sleep(ms, timer.signal), stops).finally(() => timer.abort());
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

/**
 * Returns the result of `work`, or rejects as soon as the caller aborts or the client closes.
 * @param error returns the error of the rejection
 */
export const unlessStopped = <Result>(
  work: Promise<Result>,
  stops: Partial<Stops>,
  error: () => unknown = () => stopError(stops),
): Promise<Result> => unlessAborted(unlessAborted(work, stops.signal, error), stops.closing, error);

/** Returns the result of `work`, or rejects with the given error if `signal` aborts first. */
export const unlessAborted = <Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  error: () => unknown = () => stopError({ signal }),
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

export type Deadline = ReturnType<typeof createDeadline>;

/**
 * Creates one deadline for several calls, such as those of a walk.
 * @param ms time limit for all of these calls together; Infinity for no limit
 * @throws `configuration` unless `ms` is a number of at least 1
 */
export const createDeadline = (host: Pick<Host, 'now'>, ms: number) => {
  checkNumber('deadlineMs', ms, 1, Infinity);
  const texts = {
    detail: `The \`deadlineMs\` of ${Math.round(ms)} ms is over`,
    advice: 'Try again, or set a longer one.',
  };
  let endsAt: number | undefined;
  const leftMs = (): number => {
    endsAt ??= host.now() + ms;
    return endsAt - host.now();
  };
  const isOver = (): boolean => leftMs() < 1;
  return {
    /** Whether no time is left. */
    isOver,
    /**
     * Runs one of the calls. The clock starts with the first one.
     * @param call gets the time that is left, ms
     * @throws `timeout` if no time is left; otherwise what `call` throws
     */
    async run<Result>(call: (leftMs: number) => Promise<Result>): Promise<Result> {
      if (isOver()) throw new OrderLicenseError('timeout', texts);
      try {
        return await call(leftMs());
      } catch (error) {
        // The call only knew how much time was left.
        if (isOrderLicenseError(error) && error.code === 'timeout' && isOver()) withText(error, texts);
        throw error;
      }
    },
    /** Makes the next call restart the clock. */
    restart(): void {
      endsAt = undefined;
    },
  };
};
