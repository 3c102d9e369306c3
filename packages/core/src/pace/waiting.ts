import { RateLimitError } from '../base/errors.ts';
import { timeoutError } from '../base/host-errors.ts';
import { type Stops, stopError } from '../base/stops.ts';
import type { Queue, Queued } from './queue.ts';
import type { Denial, Permit } from './store.ts';

/** Its stops end the wait. */
export interface PermitRequest extends Queued, Partial<Stops> {
  /** Whether a background request may use the reserve. */
  useReserve?: boolean | undefined;
  /**
   * Latest time at which a wait for the rate limit may end. The request is rejected as soon as the next permit is known
   * to come later. Waits for other reasons do not count.
   */
  patientUntil: number;
  /** Time at which the wait must end, whatever the reason for the wait. */
  deadline: number;
  /** The timeout from which this deadline was computed, ms. */
  deadlineMs: number;
  /** Called once, if the limit delays the request, with the time until the next permit, ms: the least that it waits. */
  onWait?: ((waitMs: number) => void) | undefined;
}

/** A request in the queue. */
export interface Waiting extends PermitRequest {
  /** Resolves the request with its permit, after the queue has served it. */
  grant(permit: Permit): void;
  /** Removes the request from the queue, and rejects it. */
  reject(error: unknown): void;
}

/**
 * Puts a request into the queue. Resolves with its permit; rejects when the pacer rejects it, or as soon as one of its
 * signals aborts.
 * @param serve serves the queue as far as possible now. It gets the new request first, so that a request that cannot
 * wait long enough starts no timer
 */
export const waitIn = (
  queue: Queue<Waiting>,
  request: PermitRequest,
  serve: (added?: Waiting) => void,
): Promise<Permit> =>
  new Promise((resolve, reject) => {
    const { signal, closing } = request;
    const abort = (): void => own.reject(stopError(request));
    let isWaiting = true;
    const end = (): void => {
      isWaiting = false;
      for (const one of [signal, closing]) one?.removeEventListener('abort', abort);
    };
    const own: Waiting = {
      ...request,
      grant(permit) {
        end();
        resolve(permit);
      },
      reject(error) {
        if (!queue.leave(own)) return;
        end();
        reject(error);
        serve();
      },
    };
    queue.enqueue(own);
    if (signal?.aborted || closing?.aborted) return abort();
    serve(own);
    // Most requests are served at once, without listeners.
    if (!isWaiting) return;
    for (const one of [signal, closing]) one?.addEventListener('abort', abort);
  });

/**
 * Rejects a request whose time is up, or for which the next permit comes too late. Tells the others once that they have
 * to wait for the limit.
 * @param at the time on the host's clock
 * @param denial until when this request cannot have a permit
 */
export const checkTime = (one: Waiting, at: number, { retryAt, reduced }: Denial): void => {
  if (one.deadline <= at) one.reject(timeoutError(one.deadlineMs, { sent: false }));
  else if (retryAt > Math.max(at, one.patientUntil)) {
    one.reject(new RateLimitError('local', retryAt - at, { reason: reduced ? 'reduced' : undefined }));
  } else if (retryAt > at) {
    one.onWait?.(Math.round(retryAt - at));
    one.onWait = undefined;
  }
};
