import { abortedError, closedError, configurationError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';

/** Signals that end a call early: the caller's, and the one that the client's `close` aborts. */
export interface Stops {
  signal: AbortSignal | undefined;
  closing: AbortSignal;
}

/** Keeps track of a client's calls, and ends them when the client closes. */
export interface Closing {
  /** Aborts when the client closes. */
  signal: AbortSignal;
  /**
   * Registers a call at its start.
   * @throws `configuration` once the client is closed
   */
  enter(): void;
  /** Registers the end of a call. */
  leave(): void;
  /** Aborts `signal`; resolves when the last call has ended. */
  close(): Promise<void>;
}

export const createClosing = (): Closing => {
  const closed = new AbortController();
  let running = 0;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const finishIfIdle = (): void => {
    if (running === 0 && closed.signal.aborted) finish();
  };

  return {
    signal: closed.signal,
    enter() {
      if (closed.signal.aborted)
        throw configurationError('The client is closed', 'Create a new one for further calls.');
      running += 1;
    },
    leave() {
      running -= 1;
      finishIfIdle();
    },
    close() {
      closed.abort();
      finishIfIdle();
      return finished;
    },
  };
};

/** Milliseconds after a request's timeout at which the client stops waiting for the host. */
const graceMs = 1_000;

/** Returns a host's `send` that always settles in time; uses real time, since a host's clock may be virtual. */
export const inTime =
  (host: Pick<Host, 'send'>): Host['send'] =>
  (request) => {
    const { timeoutMs } = request;
    const overdue = AbortSignal.timeout(Math.ceil(timeoutMs) + graceMs);
    const sending = (async () => host.send(request))();
    return unlessAborted(sending, overdue, () => timeoutError(timeoutMs));
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
