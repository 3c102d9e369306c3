import { copyError, countingError, isOrderLicenseError, RateLimitError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';
import { createAlarm } from './alarm.ts';
import { createQueue } from './queue.ts';
import type { Denial, Permit, RateLimitStore } from './store.ts';
import { type PermitRequest, type Waiting, waitIn } from './waiting.ts';

export interface Pacer {
  /**
   * Resolves when the request may be sent. Higher priorities are served first. Within a priority, consumers take turns;
   * the requests of one consumer are served in order of arrival. A lower priority with waiting requests still gets
   * about one permit in ten.
   * @throws `rate_limited` as soon as the next permit is known to come after `patientUntil`; `timeout` at the
   * `deadline`; `aborted`; `connection` if the store fails
   */
  acquire(request: PermitRequest): Promise<Permit>;
  /**
   * Gives a permit back. Call this for every permit once its request is over.
   * @param sent false if nothing was sent
   */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Pauses all requests with this key for `ms` after a 429. */
  pause(ms: number): Promise<void>;
  /**
   * Returns how many requests could be sent now, as far as this process knows; undefined if the store does not report
   * it.
   */
  free(): number | undefined;
  /** Applies new settings, and queries the store again: its limit may have changed too. */
  adjust(pace: Pace): void;
  /** True if no request waits or is in flight. */
  isIdle(): boolean;
}

export interface Pace {
  /** Minimum time between the starts of two requests, ms. */
  minGapMs: number;
  /** Maximum number of requests in flight. An unforeseen 429 can reject this many. */
  concurrency: number;
  /** Number of permits of each window that are kept for interactive requests. */
  reserve: number;
}

export interface PacerOptions extends Pace {
  store: RateLimitStore;
  host: Pick<Host, 'now' | 'sleep'>;
}

const never = Number.POSITIVE_INFINITY;
const notDenied: Record<'any' | 'outside', Denial> = { any: { retryAt: -never }, outside: { retryAt: -never } };

/** Queues the requests with one key, and releases each in its order, when the store has a permit for it. */
export const createPacer = ({ store, host, ...given }: PacerOptions): Pacer => {
  let pace: Pace = given;
  const queue = createQueue<Waiting>();
  /** The store's latest answers to a request that may use the reserve, and to one that leaves the reserve to others. */
  let denied = notDenied;
  let pausedUntil = -never;
  let inFlight = 0;
  let lastStart = -never;
  let isServing = false;

  /** Returns how many permits a request leaves to others. */
  const leftBy = ({ priority, useReserve }: Waiting): number =>
    priority === 'interactive' || useReserve || queue.isDue(priority) ? 0 : pace.reserve;
  const denialOf = (one: Waiting): Denial => (leftBy(one) > 0 ? denied.outside : denied.any);
  /** Returns the time from which the store may have a permit for a request. */
  const opensAt = (one: Waiting): number => Math.max(pausedUntil, denialOf(one).retryAt);

  /** Rejects the requests that are too late or will be, and tells each other one once that it has to wait. */
  const review = (): void => {
    const at = host.now();
    for (const one of queue.items()) {
      const waitMs = opensAt(one) - at;
      if (one.deadline <= at) {
        one.reject(timeoutError(one.deadlineMs, { sent: false }));
      } else if (waitMs > 0 && at + waitMs > one.patientUntil) {
        const isReduced = denialOf(one).reduced && pausedUntil <= at;
        one.reject(new RateLimitError('local', waitMs, { reason: isReduced ? 'reduced' : undefined }));
      } else if (waitMs > 0 && !one.isInformed) {
        one.isInformed = true;
        one.onWait?.(Math.round(waitMs));
      }
    }
  };

  /** Serves the queue as far as possible now, and sets an alarm for the time when more may be possible. */
  const serve = async (): Promise<void> => {
    if (isServing) return;
    isServing = true;
    try {
      for (;;) {
        review();
        const at = host.now();
        const isFree = inFlight < pace.concurrency && lastStart + pace.minGapMs <= at;
        const next = isFree ? queue.next((one) => opensAt(one) <= at) : undefined;
        if (!next) break;
        await ask(next);
      }
      const slotAt = inFlight < pace.concurrency ? lastStart + pace.minGapMs : never;
      const times = queue.items().map((one) => Math.min(one.deadline, Math.max(slotAt, opensAt(one))));
      alarm.set(times.reduce((one, other) => Math.min(one, other), never));
    } catch (error) {
      fail(error);
    } finally {
      isServing = false;
    }
  };

  /** Asks the store for a permit for `one`, and grants it to whoever is next by then. */
  const ask = async (one: Waiting): Promise<void> => {
    const left = leftBy(one);
    const result = await store.take(left);
    if (!('permit' in result)) {
      // Without any permit, there is none outside the reserve either.
      const { any, outside } = denied;
      denied = { any: left > 0 ? any : result, outside: outside.retryAt > result.retryAt ? outside : result };
      return;
    }
    // Meanwhile, a 429 may have arrived, or every waiting request may have been cancelled.
    const next = host.now() < pausedUntil ? undefined : queue.next((other) => leftBy(other) <= left);
    // If the store fails here, the permit counts as used: calls that still wait must not fail.
    if (!next) return store.settle(result.permit, false).catch(() => one.onStoreFailure?.());
    queue.serve(next);
    inFlight += 1;
    lastStart = host.now();
    next.grant(result.permit);
  };

  const fail = (error: unknown): void => {
    // Each call gets its own error, because calls and walks add their own data to it, such as the number of attempts.
    for (const { reject } of queue.items()) reject(isOrderLicenseError(error) ? copyError(error) : countingError());
  };

  const alarm = createAlarm(host, () => void serve(), fail);

  return {
    acquire(request) {
      const permit = waitIn(queue, request, () => {
        if (queue.isEmpty()) alarm.set(never);
      });
      serve();
      return permit;
    },
    async settle(permit, sent = true) {
      inFlight -= 1;
      try {
        await store.settle(permit, sent);
      } finally {
        if (!sent) denied = notDenied;
        serve();
      }
    },
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, host.now() + ms);
      serve();
      await store.pause(host.now() + ms);
    },
    free: () => (host.now() < pausedUntil ? 0 : store.free?.()),
    adjust(changed) {
      pace = changed;
      denied = notDenied;
      serve();
    },
    isIdle: () => queue.isEmpty() && inFlight === 0,
  };
};
