import { checkNumber } from '../base/check-number.ts';
import { maxFlightMs, type Permit, type RateLimit, type RateLimitStore } from './store.ts';

/** What a store counts by: requests per window, the window and its guard in ms. */
export type StoreLimit = Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'>;

export interface MemoryStoreOptions extends StoreLimit {
  /** Milliseconds on a monotonic clock: the `now` of the host. */
  now(): number;
}

export interface MemoryStore extends RateLimitStore, AsyncDisposable {
  readonly requests: number;
  /**
   * Counts by another limit from now on. Permits that are out still count, so raising it is safe.
   * @throws `configuration` for numbers out of range
   */
  setLimit(limit: StoreLimit): void;
  /** Nothing has to be closed; here so that every store can be. The same as `Symbol.asyncDispose`. */
  close(): Promise<void>;
  /** True when nothing is in flight, counted or paused: forgetting the store then changes nothing. */
  isIdle(): boolean;
}

/**
 * A rate-limit store for one process. A permit given back one window after the *response* cannot meet another server window.
 * @throws `configuration` for numbers that cannot be right
 */
export const createMemoryStore = ({ now, ...first }: MemoryStoreOptions): MemoryStore => {
  const inFlight = new Map<Permit, number>();
  const settledAt: number[] = []; // ascending
  let limit = 0;
  let holdMs = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let taken = 0;

  const setLimit = ({ requests, windowMs, guardMs }: StoreLimit): void => {
    checkNumber('requests', requests, 1, 1_000_000);
    checkNumber('windowMs', windowMs, 1, 86_400_000);
    checkNumber('guardMs', guardMs, 0, 86_400_000);
    limit = requests;
    holdMs = windowMs + guardMs;
  };
  setLimit(first);

  const forget = (at: number) => {
    while (settledAt[0] !== undefined && settledAt[0] + holdMs <= at) settledAt.shift();
    for (const [permit, since] of inFlight) {
      if (since + maxFlightMs + holdMs > at) break; // the others were taken later
      inFlight.delete(permit);
    }
  };

  const forecast = (reserve = 0): ((ahead: number) => number) => {
    const most = Math.max(1, limit - reserve);
    const at = now();
    forget(at);
    const used = inFlight.size + settledAt.length;
    return (ahead) => {
      const place = ahead + used - most;
      if (place < 0) return Math.max(at, pausedUntil);
      // What is in flight comes back one hold from now at the earliest; whoever is further back waits for whole rounds.
      const rounds = place < used ? 0 : 1 + Math.floor((place - used) / most);
      const turn = place - rounds * most;
      const comesBack = turn < 0 ? at : (settledAt[turn] ?? at) + holdMs;
      return Math.max(comesBack, pausedUntil) + rounds * holdMs;
    };
  };

  return {
    get requests() {
      return limit;
    },
    async take(reserve) {
      const retryAt = forecast(reserve)(0);
      if (retryAt > now()) return { retryAt };
      const permit = { id: ++taken };
      inFlight.set(permit, now());
      return { permit };
    },
    async settle(permit) {
      if (inFlight.delete(permit)) settledAt.push(now());
    },
    async giveBack(permit) {
      inFlight.delete(permit);
    },
    async pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
    },
    async forecast(reserve) {
      return forecast(reserve);
    },
    setLimit,
    close,
    [Symbol.asyncDispose]: close,
    isIdle() {
      forget(now());
      return inFlight.size === 0 && settledAt.length === 0 && pausedUntil <= now();
    },
  };
};

const close = async (): Promise<void> => undefined;
