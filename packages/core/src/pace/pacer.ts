import { countingError, RateLimitError } from '../base/errors.ts';
import { type Host, maxTimerMs } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';
import { stopError, unlessStopped } from '../base/stops.ts';
import type { PermitRequest, Waiting } from './permit-request.ts';
import { createDenials } from './permits.ts';
import { createQueue } from './queue.ts';
import type { Pace } from './rate-limit.ts';
import type { Permit, RateLimitStore } from './store.ts';

export type Pacer = ReturnType<typeof createPacer>;

export interface PacerOptions {
  store: RateLimitStore;
  host: Pick<Host, 'now' | 'sleep'>;
  /** Read at each step; call `adjust` after a change. */
  pace: Pace;
}

/** Queues the requests with one key, and releases each in its order, when the store has a permit for it. */
export const createPacer = ({ store, host, pace }: PacerOptions) => {
  const queue = createQueue<Waiting>(host.now);
  const { closedFor, ...denials } = createDenials();
  /** The earliest deadline of the waiting requests, or an earlier time. */
  let firstDeadline = Infinity;
  let inFlight = 0;
  let lastStart = -Infinity;
  let isServing = false;
  let alarm: AbortController | undefined;

  /** Returns how many permits a request leaves to others. */
  const leftBy = ({ priority, useReserve }: Waiting): number =>
    priority === 'interactive' || useReserve || queue.isDue(priority) ? 0 : pace.reserve;
  /** Returns the time from which another request may start. */
  const opensAt = (): number =>
    Math.max(inFlight < pace.concurrency ? lastStart + pace.minGapMs : Infinity, closedFor(0).retryAt);

  /** Removes a request from the queue, if it still waits, and rejects it. */
  const reject = (one: Waiting, error: unknown): void => {
    if (!queue.leave(one)) return;
    one.reject(error);
    serve();
  };

  /** Rejects a request that cannot be served in time. Tells the others once that they have to wait for the limit. */
  const check = (one: Waiting): void => {
    const at = host.now();
    const { retryAt, reduced } = closedFor(leftBy(one));
    firstDeadline = Math.min(firstDeadline, one.deadline);
    if (one.deadline <= at) reject(one, timeoutError(one.deadlineMs, { sent: false }));
    else if (retryAt > Math.max(at, one.patientUntil)) {
      reject(one, new RateLimitError('local', retryAt - at, { reason: reduced ? 'reduced' : undefined }));
    } else if (retryAt > at) {
      one.onWait?.(Math.round(retryAt - at));
      one.onWait = undefined;
    }
  };
  const checkAll = (): void => {
    firstDeadline = Infinity;
    queue.items().forEach(check);
  };

  /** Returns the request for which to ask the store now. */
  const nextNow = (): Waiting | undefined => {
    const at = host.now();
    return opensAt() > at ? undefined : queue.next((one) => closedFor(leftBy(one)).retryAt <= at);
  };

  /** Returns the next time at which a request may be served or its time is up. */
  const nextLook = (): number => {
    if (queue.isEmpty()) return Infinity;
    const at = opensAt();
    if (at > host.now()) return Math.min(firstDeadline, at);
    // A request that leaves the reserve to others waits longer, unless its priority is due.
    return Math.min(firstDeadline, closedFor(1).retryAt, queue.dueAt());
  };

  /** Serves the queue as far as possible now, and sets an alarm for the time when more may be possible. */
  const serve = async (): Promise<void> => {
    if (isServing) return;
    isServing = true;
    try {
      for (let next = nextNow(); next; next = nextNow()) {
        const left = leftBy(next);
        const asked = store.take(left);
        // A store in memory returns no promise.
        const answer = 'then' in asked ? await asked : asked;
        if ('permit' in answer) start(next, answer.permit);
        else {
          denials.add(answer, left);
          checkAll();
        }
      }
      if (host.now() >= firstDeadline) checkAll();
      setAlarm(nextLook());
    } catch (error) {
      fail(error);
    } finally {
      isServing = false;
    }
  };

  /** Lets a request be sent with this permit, or gives the permit back. */
  const start = (request: Waiting, permit: Permit): void => {
    inFlight += 1;
    // Meanwhile, a 429 may have arrived, or the request may have been cancelled.
    if (closedFor(0).retryAt > host.now() || !queue.serve(request)) {
      // If the store fails here, the permit counts as used: calls that still wait must not fail.
      settle(permit, false).catch(() => undefined);
      return;
    }
    lastStart = host.now();
    request.resolve(permit);
  };

  /** Gives a permit back. Call this for every permit once its request is over. */
  const settle = async (permit: Permit, sent = true): Promise<void> => {
    inFlight -= 1;
    try {
      await store.settle(permit, sent);
    } finally {
      if (!sent) denials.forget();
      serve();
    }
  };

  const fail = (error: unknown): void => {
    for (const one of queue.items()) reject(one, countingError(error));
  };

  /** Sets the one timer; Infinity turns it off. Fires early if the time is further away than a timer allows. */
  const setAlarm = (at: number): void => {
    alarm?.abort();
    alarm = at < Infinity ? new AbortController() : undefined;
    if (!alarm) return;
    const { signal } = alarm;
    const ms = Math.max(0, Math.min(at - host.now(), maxTimerMs)); // Node warns about a negative time
    host.sleep(ms, signal).then(serve, (error: unknown) => signal.aborted || fail(error));
  };

  return {
    /**
     * Resolves when the request may be sent; the queue decides on the order.
     * @throws `rate_limited` as soon as the next permit is known to come after `patientUntil`; `timeout` at the
     * `deadline`; `aborted`; the store's own `OrderLicenseError`, or `connection` if the store fails in another way
     */
    acquire(request: PermitRequest): Promise<Permit> {
      const { promise: permit, ...settlers } = Promise.withResolvers<Permit>();
      const own = { ...request, ...settlers };
      queue.enqueue(own);
      // First, so that a request that cannot wait long enough starts no timer.
      check(own);
      serve();
      // Most requests are served at once, without listeners.
      if (!queue.has(own)) return permit;
      return unlessStopped(permit, request, () => {
        queue.leave(own);
        serve();
        return stopError(request);
      });
    },
    settle,
    /** Pauses all requests with this key for `ms` after a 429. */
    async pause(ms: number): Promise<void> {
      const until = host.now() + ms;
      denials.pause(until);
      checkAll();
      await store.pause(until);
    },
    /** Returns how many requests could be sent now, as far as this process knows; undefined if the store can't say. */
    free: () => store.free?.(),
    /** Queries the store again. Call this when the pace or the limit of the store has changed. */
    adjust(): void {
      denials.forget();
      serve();
    },
    /** True if no request waits. */
    isIdle: queue.isEmpty,
  };
};
