import { copyError, countingError, isOrderLicenseError } from '../base/errors.ts';
import { type Host, maxTimerMs } from '../base/host.ts';
import { checkTime, createQueue, type PermitRequest, type Waiting, waitIn } from './queue.ts';
import type { Denial, Permit, RateLimitStore } from './store.ts';

export interface Pacer {
  /**
   * Resolves when the request may be sent. Higher priorities are served first. Within a priority, consumers take turns;
   * the requests of one consumer are served in order of arrival. A lower priority with waiting requests still gets
   * about one permit in ten.
   * @throws `rate_limited` as soon as the next permit is known to come after `patientUntil`; `timeout` at the
   * `deadline`; `aborted`; the store's own `OrderLicenseError`, or `connection` if the store fails in another way
   */
  acquire(request: PermitRequest): Promise<Permit>;
  /**
   * Gives a permit back. Call this for every permit once its request is over.
   * @param sent false if nothing was sent
   */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Pauses all requests with this key for `ms` after a 429. */
  pause(ms: number): Promise<void>;
  /** Returns how many requests could be sent now, as far as this process knows; undefined if the store can't say. */
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
const open: Denial = { retryAt: -never };

/** Queues the requests with one key, and releases each in its order, when the store has a permit for it. */
export const createPacer = ({ store, host, ...given }: PacerOptions): Pacer => {
  let pace: Pace = given;
  const queue = createQueue<Waiting>(host.now);
  /** Until when the store has no permit at all, and until when it has none outside the reserve. */
  let [any, outside] = [open, open];
  let pausedUntil = -never;
  /** The earliest deadline of the waiting requests, or one before it. */
  let firstDeadline = never;
  let inFlight = 0;
  let lastStart = -never;
  let isServing = false;

  /** Returns how many permits a request leaves to others. */
  const leftBy = ({ priority, useReserve }: Waiting): number =>
    priority === 'interactive' || useReserve || queue.isDue(priority) ? 0 : pace.reserve;
  /** Returns until when no request is served that leaves this many permits to others. */
  const closedFor = (left: number): Denial => {
    const denial = left > 0 ? outside : any;
    return denial.retryAt < pausedUntil ? { retryAt: pausedUntil } : denial;
  };

  const check = (one: Waiting): void => {
    firstDeadline = Math.min(firstDeadline, one.deadline);
    checkTime(one, host.now(), closedFor(leftBy(one)));
  };
  const checkAll = (): void => {
    firstDeadline = never;
    queue.items().forEach(check);
  };

  /** Returns the time from which another request may start. */
  const slotAt = (): number => (inFlight < pace.concurrency ? lastStart + pace.minGapMs : never);

  /** Returns the request for which to ask the store now. */
  const nextNow = (): Waiting | undefined => {
    const at = host.now();
    if (queue.isEmpty() || slotAt() > at || closedFor(0).retryAt > at) return undefined;
    return queue.next((one) => closedFor(leftBy(one)).retryAt <= at);
  };

  /** Returns the next time at which a request may be served or its time is up. */
  const nextLook = (): number => {
    const at = host.now();
    const next = Math.max(slotAt(), closedFor(0).retryAt);
    if (queue.isEmpty()) return never;
    if (next > at) return Math.min(firstDeadline, next);
    // A request that leaves the reserve to others waits longer, unless its priority is due.
    return Math.min(firstDeadline, closedFor(1).retryAt, queue.dueAt());
  };

  /** Serves the queue as far as possible now, and sets an alarm for the time when more may be possible. */
  const serve = async (added?: Waiting): Promise<void> => {
    if (added) check(added);
    if (isServing) return;
    isServing = true;
    try {
      for (let next = nextNow(); next; next = nextNow()) {
        const left = leftBy(next);
        const answer = store.take(left);
        // A store in memory answers at once.
        receive('then' in answer ? await answer : answer, left);
      }
      if (host.now() >= firstDeadline) checkAll();
      setAlarm(nextLook());
    } catch (error) {
      fail(error);
    } finally {
      isServing = false;
    }
  };

  /** Grants a permit to whoever is next by now. */
  const receive = (answer: { permit: Permit } | Denial, left: number): void => {
    if (!('permit' in answer)) {
      // Without any permit, there is none outside the reserve either.
      if (left === 0) any = answer;
      if (outside.retryAt < answer.retryAt) outside = answer;
      checkAll();
      return;
    }
    // Meanwhile, a 429 may have arrived, or every waiting request may have been cancelled.
    const next = host.now() < pausedUntil ? undefined : queue.next((other) => leftBy(other) <= left);
    if (!next) {
      // If the store fails here, the permit counts as used: calls that still wait must not fail.
      store.settle(answer.permit, false).catch(() => undefined);
      return;
    }
    queue.serve(next);
    inFlight += 1;
    lastStart = host.now();
    next.grant(answer.permit);
  };

  const fail = (error: unknown): void => {
    // Each call gets its own error, because calls and walks add their own data to it, such as the number of attempts.
    for (const { reject } of queue.items()) reject(isOrderLicenseError(error) ? copyError(error) : countingError());
  };

  const setAlarm = createAlarm(host, () => void serve(), fail);

  return {
    acquire: (request) => waitIn(queue, request, serve),
    async settle(permit, sent = true) {
      inFlight -= 1;
      try {
        await store.settle(permit, sent);
      } finally {
        if (!sent) any = outside = open;
        serve();
      }
    },
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, host.now() + ms);
      checkAll();
      serve();
      await store.pause(host.now() + ms);
    },
    free: () => (host.now() < pausedUntil ? 0 : store.free?.()),
    adjust(changed) {
      pace = changed;
      any = outside = open;
      serve();
    },
    isIdle: () => queue.isEmpty() && inFlight === 0,
  };
};

/**
 * Returns a function that sets the one timer of a pacer to a time; Infinity turns it off.
 * @param ring called at that time, or earlier if it is further away than a timer can be
 * @param fail called with what the host's `sleep` rejects with
 */
const createAlarm = (
  { now, sleep }: PacerOptions['host'],
  ring: () => void,
  fail: (error: unknown) => void,
): ((at: number) => void) => {
  let ringsAt = never;
  let off = new AbortController();
  return (at) => {
    if (at === ringsAt) return;
    off.abort();
    ringsAt = at;
    if (at === never) return;
    off = new AbortController();
    const { signal } = off;
    const ms = Math.max(0, Math.min(at - now(), maxTimerMs)); // Node warns about a negative time
    sleep(ms, signal)
      .then(() => {
        if (signal.aborted) return;
        ringsAt = never;
        ring();
      })
      .catch((error: unknown) => signal.aborted || fail(error));
  };
};
