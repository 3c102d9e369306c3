import { countingError, isOrderLicenseError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createNap } from './nap.ts';
import { lanes, leavesReserve, type PermitRequest } from './permit-request.ts';
import { createPool, type Pool } from './pool.ts';
import { defaultRateLimit, type Permit, type RateLimitStore } from './store.ts';
import { maxPassed } from './wait-queue.ts';
import { createWaitingRoom } from './waiting-room.ts';

export interface Pacer {
  /**
   * Grants the request when it may be sent: by priority, then by turns among consumers, and within a consumer in order
   * of arrival. A waiting priority gets about one permit in ten. Otherwise refuses it: `rate_limited` as soon as the
   * wait for the limit is known to end after `patientUntil` or `deadline`; `timeout` at the `deadline` while other
   * requests are in flight; `aborted`; `connection` if the store fails.
   */
  acquire(request: PermitRequest): void;
  /** Call it for every permit once its request is over. @param sent false if nothing was sent */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Pauses everything on this key for `ms`, after a 429. */
  pause(ms: number): Promise<void>;
  /** Applies new settings, and queries the store again: its limit may have changed too. */
  adjust(pace: Pace): void;
  /** True if no request waits or is in flight. */
  isIdle(): boolean;
}

export interface Pace {
  /** Minimum time between the starts of two requests, ms. */
  minGapMs: number;
  /** Maximum requests in flight: an unforeseen 429 can refuse this many. */
  concurrency: number;
  /** Permits of a window kept for interactive requests. */
  reserve: number;
  /** The service's window, ms. */
  windowMs: number;
}

export interface PacerOptions extends Pace {
  store: RateLimitStore;
  host: Pick<Host, 'now' | 'sleep'>;
}

/** Queues the requests of one key and sends each when the store has a permit for it. */
export const createPacer = ({ store, host, ...pace }: PacerOptions): Pacer => {
  let { minGapMs, concurrency, reserve, windowMs }: Pace = pace;
  const room = createWaitingRoom(host, () => wake());
  const whole = createPool({ store, host, room, reserve: () => 0 });
  const outsideReserve = createPool({ store, host, room, reserve: () => reserve });
  const pools = [whole, outsideReserve];
  let inFlight = 0;
  let lastStart = Number.NEGATIVE_INFINITY;
  /** Set before the store records the pause, and kept even if the store fails. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  /** Consecutive permits granted to callers that may use the reserve while others waited. */
  let grantedPast = 0;
  /** Since when no caller outside the reserve got a permit although one was waiting. */
  let passedSince: number | undefined;
  /** Permits of the reserve that such callers may then use: about one in ten, as in a queue without a reserve. */
  let owed = 0;
  let running = false;
  let changed = false;
  const nap = createNap(host);

  const poolOf = (lane: number): Pool => (leavesReserve(lane) ? outsideReserve : whole);

  /** A permit outside the reserve returns within a window and a flight, unless others of the store use them all. */
  const starvesAt = (): number =>
    passedSince === undefined || reserve === 0 ? Number.POSITIVE_INFINITY : passedSince + 1.5 * windowMs;

  /**
   * Permits that a lane has to leave to others: none if it was passed over so often or so long that interactive
   * requests must be using the whole limit.
   */
  const leftBy = (lane: number): number => {
    const isPassedOver = grantedPast >= Math.max(maxPassed, 2 * reserve) || owed > 0 || host.now() >= starvesAt();
    return leavesReserve(lane) && !isPassedOver ? reserve : 0;
  };

  const opensAt = (lane: number): number => (leftBy(lane) > 0 ? outsideReserve : whole).blockedUntil();

  const isOpen = (lane: number): boolean => opensAt(lane) <= host.now();

  /** If no permit is available, none is available outside the reserve either. */
  const block = (left: number, { retryAt, reduced = false }: { retryAt: number; reduced?: boolean }): void => {
    for (const pool of left > 0 ? [outsideReserve] : pools) pool.block(Math.max(retryAt, pausedUntil), reduced);
  };

  const run = async (): Promise<void> => {
    while (room.size() > 0) {
      changed = false;
      for (const pool of pools) if (pool.blockedUntil() > host.now()) await pool.inform();
      let wakeAt = Number.POSITIVE_INFINITY;
      const lane = room.next(isOpen);
      if (lane === undefined) {
        wakeAt = Math.min(...lanes.filter((lane) => room.size(lane) > 0).map(opensAt));
      } else if (inFlight < concurrency) {
        wakeAt = lastStart + minGapMs;
        if (wakeAt <= host.now()) {
          const left = leftBy(lane);
          const answer = await store.take(left);
          if ('permit' in answer) await start(answer.permit, left);
          else block(left, answer);
          continue;
        }
      }
      if (host.now() < starvesAt()) wakeAt = Math.min(wakeAt, starvesAt());
      if (room.size() > 0 && !changed) await nap.until(Math.min(wakeAt, room.nextDeadline()));
      room.refuseLate();
    }
  };

  /** @param left how many permits the store was asked to leave: one of the reserve is for requests that may use it */
  const start = async (permit: Permit, left: number): Promise<void> => {
    const lane = room.next((lane) => left > 0 || leftBy(lane) === 0);
    const next = lane === undefined ? undefined : room.take(lane);
    if (lane === undefined || !next) return end(permit, false); // every request left during the query
    grantedPast = !leavesReserve(lane) && areOthersWaiting() ? grantedPast + 1 : 0;
    if (leavesReserve(lane)) {
      if (host.now() >= starvesAt()) owed = Math.ceil((store.requests ?? defaultRateLimit.requests) / 10);
      owed = Math.max(0, owed - 1);
      passedSince = areOthersWaiting() ? host.now() : undefined;
    }
    inFlight += 1;
    lastStart = host.now();
    next.grant(permit);
  };

  const areOthersWaiting = (): boolean => lanes.some((lane) => leavesReserve(lane) && room.size(lane) > 0);

  const takeAny = (): PermitRequest | undefined => {
    const lane = room.next(() => true);
    return lane === undefined ? undefined : room.take(lane);
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
        for (let next = takeAny(); next; next = takeAny())
          next.refuse(isOrderLicenseError(error) ? error : countingError());
      })
      .finally(() => {
        running = false;
        if (room.size() > 0) wake();
      });
  };

  return {
    acquire(request) {
      const waiting = room.enter(request);
      if (!waiting) return;
      poolOf(waiting.lane).add(waiting);
      if (leavesReserve(waiting.lane)) passedSince ??= host.now();
      wake();
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
      ({ minGapMs, concurrency, reserve, windowMs } = pace);
      for (const pool of pools) pool.open(pausedUntil);
      wake();
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, host.now() + ms);
      if (passedSince !== undefined) passedSince = Math.max(passedSince, pausedUntil);
      for (const pool of pools) pool.block(pausedUntil);
      return store.pause(host.now() + ms);
    },
    isIdle: () => room.size() === 0 && inFlight === 0,
  };
};
