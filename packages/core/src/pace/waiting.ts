import type { Priority } from '../base/call-options.ts';
import { stopError } from '../base/errors.ts';
import type { Queue } from './queue.ts';
import type { Permit } from './store.ts';

export interface PermitRequest {
  readonly priority: Priority;
  /** Whether a background request may use the reserve. */
  readonly useReserve?: boolean | undefined;
  /** The consumers of one priority take turns; they are compared by identity. */
  readonly consumer?: unknown;
  /**
   * Latest time at which a wait for the rate limit may end. The request is rejected as soon as the next permit is known
   * to come later. Waits for other reasons do not count.
   */
  readonly patientUntil: number;
  /** Time at which the wait must end, whatever the reason for the wait. */
  readonly deadline: number;
  /** The timeout from which this deadline was computed, ms. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the client closes, which ends the wait as `signal` does. */
  readonly closing?: AbortSignal | undefined;
  /** Called once, if the limit delays the request, with the time until the next permit, ms: the least that it waits. */
  onWait?: ((waitMs: number) => void) | undefined;
  /** Called if the request is no longer needed and the store fails to take back its permit. */
  onStoreFailure?: (() => void) | undefined;
}

/** A request in the queue. */
export interface Waiting extends PermitRequest {
  /** Whether `onWait` was called. */
  isInformed: boolean;
  /** Resolves the request with its permit, after the queue has served it. */
  grant(permit: Permit): void;
  /** Removes the request from the queue, and rejects it. */
  reject(error: unknown): void;
}

/**
 * Puts a request into the queue. Resolves with its permit; rejects when the pacer rejects it, or as soon as one of its
 * signals aborts.
 * @param onReject called when the request has left the queue without a permit
 */
export const waitIn = (queue: Queue<Waiting>, request: PermitRequest, onReject: () => void): Promise<Permit> =>
  new Promise((resolve, reject) => {
    const { signal, closing } = request;
    const abort = (): void => own.reject(stopError(signal, closing));
    const stopListening = (): void => {
      for (const one of [signal, closing]) one?.removeEventListener('abort', abort);
    };
    const own: Waiting = {
      ...request,
      isInformed: false,
      grant(permit) {
        stopListening();
        resolve(permit);
      },
      reject(error) {
        if (!queue.leave(own)) return;
        stopListening();
        reject(error);
        onReject();
      },
    };
    queue.enqueue(own);
    if (signal?.aborted || closing?.aborted) return abort();
    for (const one of [signal, closing]) one?.addEventListener('abort', abort, { once: true });
  });
