import type { Priority } from '../base/call-options.ts';
import { copyError, countingError, isOrderLicenseError, RateLimitError, stopError } from '../base/errors.ts';
import { type Host, maxTimerMs } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';
import { createQueue, type Lane, laneOf, leavesReserve, maxPassed, type Queued } from './queue.ts';
import { type Denial, defaultRateLimit, type Permit, type RateLimitStore } from './store.ts';

export interface PermitRequest {
  readonly priority: Priority;
  /** Whether a background request may use the reserve. */
  readonly useReserve?: boolean | undefined;
  /** The consumers of one priority take turns; they are compared by identity. */
  readonly consumer?: unknown;
  /**
   * Latest time at which a wait for the rate limit may end. The request is rejected as soon as it is known that this
   * wait will last longer. Waits for other reasons do not count.
   */
  readonly patientUntil: number;
  /** Time at which the wait must end, whatever the reason for the wait. */
  readonly deadline: number;
  /** The timeout from which this deadline was computed, ms. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the client closes, which ends the wait as `signal` does. */
  readonly closing?: AbortSignal | undefined;
  /** Called once, if the limit delays the request. */
  onWait?: ((wait: Wait) => void) | undefined;
  /** Called if the request is no longer needed and the store fails to take back its permit. */
  onStoreFailure?: (() => void) | undefined;
}

export interface Wait {
  /** Position in this process's queue: 1 is served next. */
  place: number;
  /** Expected wait, ms. */
  waitMs: number;
}

export interface Pacer {
  /**
   * Resolves when the request may be sent. Higher priorities are served first. Within a priority, consumers take turns;
   * the requests of one consumer are served in order of arrival. A lower priority with waiting requests still gets
   * about one permit in ten.
   * @throws `rate_limited` as soon as the wait for the limit is known to end after `patientUntil`; `timeout` at the
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
  /** The API's window, ms. */
  windowMs: number;
}

export interface PacerOptions extends Pace {
  store: RateLimitStore;
  host: Pick<Host, 'now' | 'sleep'>;
}

interface Waiting extends Queued {
  readonly request: PermitRequest;
  isInformed: boolean;
  grant(permit: Permit): void;
  reject(error: unknown): void;
}

const never = Number.POSITIVE_INFINITY;

/** Queues the requests with one key, and releases each when the store has a permit for it. */
export const createPacer = ({ store, host, ...pace }: PacerOptions): Pacer => {
  let { minGapMs, concurrency, reserve, windowMs }: Pace = pace;
  const queue = createQueue<Waiting>();
  const waiting = (): Waiting[] => queue.waiting.flat();
  const isEmpty = (): boolean => queue.waiting.every((lane) => lane.length === 0);
  /** The store's latest denials: `anyPermit` for requests that may use the reserve, `outsideReserve` for all others. */
  const anyPermit: Denial = { retryAt: -never };
  const outsideReserve: Denial = { retryAt: -never };
  /** End of the latest pause. Set before the store records the pause, and kept even if the store fails. */
  let pausedUntil = -never;
  let inFlight = 0;
  let lastStart = -never;
  /** Time since which requests without access to the reserve have waited without any of them being served. */
  let passedSince = never;
  /** Number of permits that requests without access to the reserve may take from it, because they waited too long. */
  let owed = 0;
  /** True while the store is asked for a permit. */
  let isAsking = false;
  /**
   * The earliest deadline among the requests at the last check, and whether a request has arrived or been denied since
   * that check.
   */
  let firstDeadline = never;
  let mustLook = false;
  let nap = new AbortController();

  /**
   * Returns the time from which requests without access to the reserve may use it after all, because they have waited
   * too long. A permit outside the reserve returns within one window plus the duration of a request, unless other
   * processes use all of these permits. The waiting time starts no earlier than the end of the latest pause.
   */
  const starvesAt = (): number => (reserve === 0 ? never : Math.max(passedSince, pausedUntil) + 1.5 * windowMs);

  /**
   * Returns how many permits a request of this priority must leave to others. A request leaves none if its priority has
   * access to the reserve, or if requests of its priority were passed over too often or have waited too long.
   */
  const leftBy = (lane: Lane): number => {
    const isPassedOver = (queue.passed[lane] ?? 0) >= Math.max(maxPassed, 2 * reserve);
    return leavesReserve(lane) && !isPassedOver && owed === 0 && host.now() < starvesAt() ? reserve : 0;
  };

  const denialFor = (lane: Lane): Denial => (leftBy(lane) > 0 ? outsideReserve : anyPermit);

  const isOpen = (lane: Lane): boolean => denialFor(lane).retryAt <= host.now();

  /** Records a denial. If no permit is available at all, none is available outside the reserve either. */
  const deny = (left: number, denial: Denial): void => {
    mustLook = true;
    for (const known of left > 0 ? [outsideReserve] : [anyPermit, outsideReserve]) {
      const retryAt = Math.max(known.retryAt, denial.retryAt, pausedUntil);
      Object.assign(known, { reduced: false, ...denial, retryAt });
    }
  };

  /**
   * Rejects requests that are past their deadline or cannot wait long enough, and reports the expected wait to new
   * ones.
   */
  const inform = (): void => {
    const at = host.now();
    if (!mustLook && at < firstDeadline) return;
    mustLook = false;
    firstDeadline = never;
    for (const { request, reject } of waiting()) {
      if (request.deadline <= at) reject(timeoutError(request.deadlineMs, { sent: false }));
      else firstDeadline = Math.min(firstDeadline, request.deadline);
    }
    const denied = waiting().filter(({ lane, request, isInformed }) => {
      const { retryAt } = denialFor(lane);
      return retryAt > at && (!isInformed || retryAt > request.patientUntil);
    });
    const ahead = denied.length > 0 ? new Map(queue.inOrder().map((one, index) => [one, index])) : undefined;
    for (const one of denied) {
      const { lane, request } = one;
      const { retryAt, reduced, forecast } = denialFor(lane);
      const inFront = ahead?.get(one) ?? 0;
      // No request is sent before the denial ends, whatever the forecast says.
      const turn = Math.max(retryAt, forecast?.(inFront, leftBy(lane)) ?? retryAt);
      if (turn > request.patientUntil) {
        one.reject(new RateLimitError('local', turn - at, { reason: reduced ? 'reduced' : undefined }));
      } else {
        one.isInformed = true;
        request.onWait?.({ place: inFront + 1, waitMs: Math.round(turn - at) });
      }
    }
  };

  /**
   * Waits until `at`, then checks the queue again, unless something else triggers the check earlier. Infinity starts no
   * timer.
   */
  const napUntil = async (at: number): Promise<void> => {
    if (at === never) return;
    const { signal } = nap;
    const ms = Math.max(0, Math.min(at - host.now(), maxTimerMs)); // Node warns about a negative time
    await host.sleep(ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!signal.aborted) look();
  };

  /** Checks the queue: asks for a permit for the next request, or waits until that is possible. */
  const look = (): void => {
    nap.abort(null); // without a reason, `abort` creates an error with a stack trace
    nap = new AbortController();
    if (!isAsking) next().catch(fail);
  };

  const next = async (): Promise<void> => {
    inform();
    if (isEmpty()) return;
    const first = queue.next(isOpen);
    let wakeAt = lastStart + minGapMs;
    if (!first) {
      wakeAt = Math.min(...queue.waiting.flatMap(([first]) => (first ? denialFor(first.lane).retryAt : [])));
    } else if (inFlight >= concurrency) {
      wakeAt = never;
    } else if (wakeAt <= host.now()) {
      isAsking = true;
      await ask(leftBy(first.lane), first.request.onStoreFailure).finally(() => {
        isAsking = false;
      });
      return look();
    }
    if (host.now() < starvesAt()) wakeAt = Math.min(wakeAt, starvesAt());
    await napUntil(Math.min(wakeAt, firstDeadline));
  };

  const fail = (error: unknown): void => {
    // Each call gets its own error, because calls and walks add their own data to it, such as a walk's position.
    for (const { reject } of waiting()) reject(isOrderLicenseError(error) ? copyError(error) : countingError());
  };

  /**
   * Asks the store for a permit that leaves `left` permits to others, and grants it to the next request in the queue.
   */
  const ask = async (left: number, onStoreFailure: PermitRequest['onStoreFailure']): Promise<void> => {
    const result = await store.take(left);
    if (!('permit' in result)) return deny(left, result);
    // If the store fails here, the permit counts as used: calls that still wait must not fail.
    const giveBack = (): Promise<void> => store.settle(result.permit, false).catch(() => onStoreFailure?.());
    if (host.now() < pausedUntil) return giveBack(); // a 429 arrived during `take`
    // A permit from the reserve is only for requests that may use the reserve.
    const next = queue.next((lane) => left > 0 || leftBy(lane) === 0);
    if (!next) return giveBack(); // every waiting request was cancelled during `take`
    queue.serve(next);
    if (leavesReserve(next.lane)) {
      if (host.now() >= starvesAt()) owed = Math.ceil((store.requests ?? defaultRateLimit.requests) / 10);
      owed = Math.max(0, owed - 1);
      passedSince = queue.waiting.some(([first]) => first && leavesReserve(first.lane)) ? host.now() : never;
    }
    inFlight += 1;
    lastStart = host.now();
    next.grant(result.permit);
  };

  return {
    acquire: (request) =>
      new Promise((resolve, reject) => {
        const { signal, closing, consumer } = request;
        const abort = (): void => own.reject(stopError(signal, closing));
        const stopListening = (): void => {
          for (const one of [signal, closing]) one?.removeEventListener('abort', abort);
        };
        const own: Waiting = {
          request,
          lane: laneOf(request.priority, request.useReserve),
          consumer,
          isInformed: false,
          grant(permit) {
            stopListening();
            resolve(permit);
          },
          reject(error) {
            if (!queue.leave(own)) return;
            stopListening();
            reject(error);
            if (isEmpty()) look();
          },
        };
        queue.enqueue(own);
        if (signal?.aborted || closing?.aborted) return abort();
        for (const one of [signal, closing]) one?.addEventListener('abort', abort, { once: true });
        if (leavesReserve(own.lane)) passedSince = Math.min(passedSince, host.now());
        mustLook = true;
        look();
      }),
    async settle(permit, sent = true) {
      inFlight -= 1;
      try {
        await store.settle(permit, sent);
      } finally {
        look();
      }
    },
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, host.now() + ms);
      deny(0, { retryAt: pausedUntil });
      look();
      await store.pause(host.now() + ms);
    },
    free: () => (host.now() < pausedUntil ? 0 : store.free?.()),
    adjust(changed) {
      ({ minGapMs, concurrency, reserve, windowMs } = changed);
      for (const denial of [anyPermit, outsideReserve]) denial.retryAt = pausedUntil;
      mustLook = true;
      look();
    },
    isIdle: () => isEmpty() && inFlight === 0,
  };
};
