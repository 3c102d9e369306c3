import type { Priority } from '../base/call-options.ts';
import { RateLimitError, stopError } from '../base/errors.ts';
import type { Queue } from './queue.ts';
import type { Denial, Permit } from './store.ts';

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

/** What a pacer does for a request in its queue. */
interface Server {
  /** Called first, so that a request that cannot wait long enough starts no timer. */
  inform(one: Waiting): void;
  /** Serves the queue as far as possible now. */
  serve(): void;
  /** Called when the request has left the queue without a permit. */
  onReject(): void;
}

/**
 * Puts a request into the queue. Resolves with its permit; rejects when the pacer rejects it, or as soon as one of its
 * signals aborts.
 */
export const waitIn = (
  queue: Queue<Waiting>,
  request: PermitRequest,
  { serve, inform, onReject }: Server,
): Promise<Permit> =>
  new Promise((resolve, reject) => {
    const { signal, closing } = request;
    const abort = (): void => own.reject(stopError(signal, closing));
    let isWaiting = true;
    const end = (): void => {
      isWaiting = false;
      for (const one of [signal, closing]) one?.removeEventListener('abort', abort);
    };
    const own: Waiting = {
      ...request,
      isInformed: false,
      grant(permit) {
        end();
        resolve(permit);
      },
      reject(error) {
        if (!queue.leave(own)) return;
        end();
        reject(error);
        onReject();
      },
    };
    queue.enqueue(own);
    if (signal?.aborted || closing?.aborted) return abort();
    inform(own);
    if (isWaiting) serve();
    // Most requests are served at once, without listeners.
    if (!isWaiting) return;
    for (const one of [signal, closing]) one?.addEventListener('abort', abort);
  });

/**
 * Rejects a request for which the next permit comes too late, or tells it once that it has to wait.
 * @param at the time on the host's clock
 * @param denial until when this request cannot have a permit
 */
export const tellWait = (one: Waiting, at: number, { retryAt, reduced }: Denial): void => {
  if (retryAt <= at) return;
  if (retryAt > one.patientUntil) {
    one.reject(new RateLimitError('local', retryAt - at, { reason: reduced ? 'reduced' : undefined }));
  } else if (!one.isInformed) {
    one.isInformed = true;
    one.onWait?.(Math.round(retryAt - at));
  }
};
