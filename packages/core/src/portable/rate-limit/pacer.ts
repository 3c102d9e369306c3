import type { Priority } from '../base/call-options.ts';
import { abortedError, countingError, isOrderLicenseError, RateLimitError, timeoutError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createAbortWatch } from './abort-watch.ts';
import { createAgenda } from './agenda.ts';
import { createNap } from './nap.ts';
import type { Permit, RateLimitStore } from './store.ts';
import { createWaitQueue, type Place } from './wait-queue.ts';

export interface PermitRequest {
  priority: Priority;
  /** A longer wait than this for the limit is refused as soon as it is known, ms. Other waits are not counted. */
  maxWaitMs: number;
  /** The longest wait for anything, ms. */
  deadlineMs: number;
  signal: AbortSignal | undefined;
  /** Ends the wait as `signal` does; of the client, and so shared by many requests. */
  closing?: AbortSignal | undefined;
  /** Told once, when the request cannot be sent at once: the wait to expect, ms. */
  onWait(waitMs: number): void;
}

export interface Pacer {
  /**
   * Resolves when one request may be sent: interactive before bulk, then in order of arrival.
   * @throws `rate_limited` as soon as the wait for the limit is known to be longer than `maxWaitMs` or `deadlineMs`;
   *   `timeout` once `deadlineMs` are over while other requests are in flight; `aborted`; `connection` if the store
   *   cannot be asked
   */
  acquire(request: PermitRequest): Promise<Permit>;
  /** Has to follow every permit once its exchange is over. @param sent false where nothing was sent after all */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Holds everything on this key back for `ms`, after a 429. */
  pause(ms: number): Promise<void>;
  /** Paces otherwise from now on, and asks the store again: its limit may have changed too. */
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
  store: RateLimitStore;
  host: Pick<Host, 'now' | 'sleep'>;
}

const refusedAtOnce = 100;

const lanes: Record<Priority, number> = { interactive: 0, bulk: 1 };

interface Waiting extends PermitRequest {
  place: Place<Waiting>;
  /** The host's clock when the wait for the limit becomes too long. */
  patientUntil: number;
  grant(permit: Permit): void;
  refuse(error: unknown): void;
}

const isWaiting = ({ place }: Waiting): boolean => place.isTaken;

/** Queues the requests of one key and lets each go when the store has a permit for it. */
export const createPacer = ({ store, host, ...pace }: PacerOptions): Pacer => {
  let { minGapMs, concurrency }: Pace = pace;
  const queue = createWaitQueue<Waiting>(Object.keys(lanes).length);
  /** Those who have not been informed how long they wait for the limit, because nobody had to yet. */
  let uninformed: Waiting[] = [];
  const byPatience = createAgenda(isWaiting);
  const byDeadline = createAgenda(isWaiting);
  let inFlight = 0;
  let lastStart = Number.NEGATIVE_INFINITY;
  let blockedUntil = Number.NEGATIVE_INFINITY;
  /** Known here before the store has entered it, and if it fails to. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let reduced = false;
  let running = false;
  let changed = false;
  const nap = createNap(host);

  const abort = async (signal: AbortSignal, given: Iterable<Waiting>): Promise<void> => {
    const all = [...given].filter(({ place }) => queue.remove(place));
    wake();
    const pause = createPause();
    for (const waiting of all) {
      waiting.refuse(abortedError(signal));
      await pause();
    }
  };

  const aborts = createAbortWatch<Waiting>((signal, all) => void abort(signal, all));

  /** Lets the rest of the program go on while thousands are refused. */
  const createPause = () => {
    let refused = 0;
    return async (): Promise<void> => {
      refused += 1;
      if (refused % refusedAtOnce === 0) await host.sleep(0).catch(() => undefined);
    };
  };

  const refuse = (waiting: Waiting, error: unknown): void => {
    if (queue.remove(waiting.place)) waiting.refuse(error);
  };

  /** The store is asked once and not for each: the queue may be long. */
  const forecast = async (): Promise<(waiting: Waiting) => number> => {
    const turnAt = await store.forecast?.();
    return ({ place }) => Math.max(blockedUntil, turnAt?.(queue.ahead(place)) ?? blockedUntil);
  };

  /** While nobody gets a permit: informs those in the queue how long it will be, and refuses those for whom that is too long. */
  const inform = async (): Promise<void> => {
    const isTooLong = () => (byPatience.first()?.at ?? Number.POSITIVE_INFINITY) < blockedUntil;
    if (uninformed.length === 0 && !isTooLong()) return;
    const pause = createPause();
    const turnOf = await forecast();
    const refuseFor = (waiting: Waiting): void =>
      refuse(
        waiting,
        new RateLimitError('local', turnOf(waiting) - host.now(), { reason: reduced ? 'reduced' : undefined }),
      );
    for (const waiting of uninformed.splice(0).filter(isWaiting)) {
      const turn = turnOf(waiting);
      if (turn <= waiting.patientUntil) waiting.onWait(turn - host.now());
      else {
        refuseFor(waiting);
        await pause();
      }
    }
    // Nobody has a turn before the block ends, whatever was forecast when they came.
    for (let next = byPatience.first(); next && isTooLong(); next = byPatience.first()) {
      refuseFor(next.item);
      await pause();
    }
  };

  const refuseLate = (): void => {
    for (let next = byDeadline.first(); next && next.at <= host.now(); next = byDeadline.first()) {
      refuse(next.item, timeoutError(next.item.deadlineMs));
    }
  };

  const run = async (): Promise<void> => {
    while (queue.size() > 0) {
      changed = false;
      let wakeAt = Number.POSITIVE_INFINITY;
      if (blockedUntil > host.now()) {
        await inform();
        wakeAt = blockedUntil;
      } else if (inFlight < concurrency) {
        wakeAt = lastStart + minGapMs;
        if (wakeAt <= host.now()) {
          const answer = await store.take();
          if ('permit' in answer) await start(answer.permit);
          else {
            blockedUntil = Math.max(answer.retryAt, pausedUntil);
            reduced = answer.reduced ?? false;
          }
          continue;
        }
      }
      if (queue.size() > 0 && !changed) await nap.until(Math.min(wakeAt, byDeadline.first()?.at ?? wakeAt));
      refuseLate();
    }
  };

  const start = async (permit: Permit): Promise<void> => {
    const next = queue.take();
    if (!next) return end(permit, false); // everyone left meanwhile
    inFlight += 1;
    lastStart = host.now();
    next.grant(permit);
  };

  const end = (permit: Permit, sent: boolean): Promise<void> =>
    sent || !store.giveBack ? store.settle(permit) : store.giveBack(permit);

  const wake = (): void => {
    changed = true;
    nap.end();
    if (running) return;
    running = true;
    run()
      .catch((error: unknown) => {
        for (let next = queue.take(); next; next = queue.take())
          next.refuse(isOrderLicenseError(error) ? error : countingError());
      })
      .finally(() => {
        running = false;
        if (queue.size() > 0) wake();
      });
  };

  return {
    acquire(request) {
      return new Promise<Permit>((resolve, reject) => {
        const { signal, closing, deadlineMs, maxWaitMs, priority } = request;
        const aborted = [signal, closing].find((one) => one?.aborted);
        if (aborted) return reject(abortedError(aborted));
        const leave = () => {
          aborts.remove(signal, waiting);
          aborts.remove(closing, waiting);
        };
        const waiting: Waiting = {
          ...request,
          patientUntil: host.now() + Math.min(maxWaitMs, deadlineMs),
          grant(permit: Permit) {
            leave();
            resolve(permit);
          },
          refuse(error: unknown) {
            leave();
            reject(error);
          },
          place: undefined as never, // the queue gives it below
        };
        waiting.place = queue.add(waiting, lanes[priority] ?? lanes.interactive);
        aborts.add(signal, waiting);
        aborts.add(closing, waiting);
        byPatience.add(waiting.patientUntil, waiting);
        byDeadline.add(host.now() + deadlineMs, waiting);
        uninformed.push(waiting);
        if (uninformed.length > 2 * queue.size() + 64) uninformed = uninformed.filter(isWaiting);
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
      blockedUntil = pausedUntil;
      wake();
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, host.now() + ms);
      blockedUntil = Math.max(blockedUntil, pausedUntil);
      return store.pause(host.now() + ms);
    },
    isIdle: () => queue.size() === 0 && inFlight === 0,
  };
};
