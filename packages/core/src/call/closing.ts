import { configurationError } from '../base/errors.ts';

/** The calls of one client, which end when it closes. */
export interface Closing {
  /** Aborts when the client closes. */
  signal: AbortSignal;
  /**
   * Registers a call at its start.
   * @throws `configuration` once the client is closed
   */
  enter(): void;
  /** Registers its end. */
  leave(): void;
  /** Resolves when the last call has ended. */
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
