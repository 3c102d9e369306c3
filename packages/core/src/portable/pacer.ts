import { abortedError, RateLimitError } from './errors.ts';
import type { Host } from './host.ts';
import type { Ledger, Permit } from './ledger.ts';

/** Somebody waits for an interactive call; a bulk call is one of many. */
export type Priority = 'interactive' | 'bulk';

export interface PermitRequest {
  priority: Priority;
  /** A longer wait than this for the limit is refused as soon as it is known, ms. */
  maxWaitMs: number;
  signal: AbortSignal | undefined;
  /** Told once, when the request cannot be sent at once: the wait to expect, ms. */
  onWait(waitMs: number): void;
}

export interface Pacer {
  /**
   * Resolves when one request may be sent: interactive before bulk, then in order of arrival.
   * @throws `rate_limited` as soon as the wait is known to be longer than `maxWaitMs`; `aborted`
   */
  acquire(request: PermitRequest): Promise<Permit>;
  /** Has to follow every permit once its exchange is over. @param sent false where nothing was sent after all */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Holds everything on this key back for `ms`, after a 429. */
  pause(ms: number): Promise<void>;
  /** Paces otherwise from now on, and asks the ledger again: its limit may have changed too. */
  adjust(pace: Pace): void;
  /** True when nobody waits here or is under way. */
  isIdle(): boolean;
}

export interface Pace {
  /** Least time between the starts of two requests, ms. */
  minGapMs: number;
  /** Most requests in flight: what a 429 that nobody foresaw can cost. */
  concurrency: number;
}

export interface PacerOptions extends Pace {
  ledger: Ledger;
  host: Pick<Host, 'now' | 'sleep'>;
}

/** What a timer of a host takes at most. */
const longestTimerMs = 2 ** 31 - 1;

interface Waiting extends PermitRequest {
  /** The host's clock when the wait becomes too long. */
  until: number;
  /** The `blockedUntil` under which this one was last told how long it will be. */
  toldAt: number | undefined;
  grant(permit: Permit): void;
  refuse(error: unknown): void;
}

/** Queues the requests of one key and lets each go when the ledger has a permit for it. */
export const createPacer = ({ ledger, host, ...pace }: PacerOptions): Pacer => {
  let { minGapMs, concurrency }: Pace = pace;
  const queue: Waiting[] = [];
  let inFlight = 0;
  let lastStart = Number.NEGATIVE_INFINITY;
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let reduced = false;
  let running = false;
  let changed = false;
  let endNap = (): void => undefined;

  /** Sleeps until `at`, the one timer of this pacer, or until something changes. */
  const nap = async (at: number): Promise<void> => {
    const ms = at - host.now();
    if (ms <= 0 || changed) return;
    if (ms === Number.POSITIVE_INFINITY) {
      await new Promise<void>((resolve) => {
        endNap = resolve;
      });
      return;
    }
    const ended = new AbortController();
    endNap = () => ended.abort();
    await host.sleep(Math.min(ms, longestTimerMs), ended.signal).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  };

  /** Tells those in the queue how long it will be, and refuses those for whom that is too long. */
  const announce = async (): Promise<void> => {
    for (const [ahead, waiting] of [...queue].entries()) {
      if (waiting.toldAt === blockedUntil) continue;
      // Asked for the first one too: the ledger may want to be asked again long before it has a permit.
      const forecast = await ledger.forecast?.(ahead);
      const at = Math.max(blockedUntil, forecast ?? blockedUntil);
      const waitMs = at - host.now();
      if (waitMs <= 0 || !queue.includes(waiting)) continue;
      if (at > waiting.until) {
        leave(waiting);
        waiting.refuse(new RateLimitError('local', waitMs, { because: reduced ? 'reduced' : undefined }));
        continue;
      }
      if (waiting.toldAt === undefined) waiting.onWait(waitMs);
      waiting.toldAt = blockedUntil;
    }
  };

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      changed = false;
      let wakeAt = Number.POSITIVE_INFINITY;
      if (blockedUntil > host.now()) {
        await announce();
        wakeAt = blockedUntil;
      } else if (inFlight < concurrency) {
        wakeAt = lastStart + minGapMs;
        if (wakeAt <= host.now()) {
          const answer = await ledger.take();
          if ('permit' in answer) await start(answer.permit);
          else ({ retryAt: blockedUntil, reduced = false } = answer);
          continue;
        }
      }
      for (const waiting of queue) wakeAt = Math.min(wakeAt, waiting.until);
      if (queue.length > 0) await nap(wakeAt);
      for (const waiting of queue.filter(({ until }) => until <= host.now())) {
        leave(waiting);
        const waitMs = blockedUntil - host.now();
        const because = waitMs <= 0 ? 'busy' : reduced ? 'reduced' : undefined;
        waiting.refuse(new RateLimitError('local', Math.max(waitMs, minGapMs), { because }));
      }
    }
  };

  const start = async (permit: Permit): Promise<void> => {
    const next = queue.shift();
    if (!next) return end(permit, false); // everyone left meanwhile
    inFlight += 1;
    lastStart = host.now();
    next.grant(permit);
  };

  const end = (permit: Permit, sent: boolean): Promise<void> =>
    sent || !ledger.giveBack ? ledger.settle(permit) : ledger.giveBack(permit);

  const wake = (): void => {
    changed = true;
    endNap();
    if (running) return;
    running = true;
    run()
      .catch((error: unknown) => {
        for (const waiting of queue.splice(0)) waiting.refuse(error);
      })
      .finally(() => {
        running = false;
        if (queue.length > 0) wake();
      });
  };

  const leave = (waiting: Waiting): boolean => {
    const place = queue.indexOf(waiting);
    if (place >= 0) queue.splice(place, 1);
    return place >= 0;
  };

  return {
    acquire(request) {
      return new Promise<Permit>((resolve, reject) => {
        const { signal } = request;
        if (signal?.aborted) return reject(abortedError(signal));
        const onAbort = () => {
          if (!leave(waiting)) return;
          reject(abortedError(signal as AbortSignal));
          wake();
        };
        const waiting: Waiting = {
          ...request,
          // The gaps between requests are no wait for the limit.
          until: host.now() + Math.max(request.maxWaitMs, minGapMs * concurrency),
          toldAt: undefined,
          grant(permit) {
            signal?.removeEventListener('abort', onAbort);
            resolve(permit);
          },
          refuse(error) {
            signal?.removeEventListener('abort', onAbort);
            reject(error);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const firstBulk = request.priority === 'bulk' ? -1 : queue.findIndex(({ priority }) => priority === 'bulk');
        queue.splice(firstBulk < 0 ? queue.length : firstBulk, 0, waiting);
        wake();
      });
    },
    async settle(permit, sent = true) {
      inFlight -= 1;
      try {
        await end(permit, sent);
      } finally {
        wake();
      }
    },
    adjust(pace) {
      ({ minGapMs, concurrency } = pace);
      blockedUntil = Number.NEGATIVE_INFINITY;
      wake();
    },
    pause: (ms) => ledger.pause(host.now() + ms),
    isIdle: () => queue.length === 0 && inFlight === 0,
  };
};
