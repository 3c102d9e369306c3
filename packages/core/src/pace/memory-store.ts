import { checkNumber } from '../base/check-number.ts';
import { maxFlightMs, type Permit, type RateLimit, type RateLimitStore } from './store.ts';
import { waitMs } from './wait-ms.ts';

/** Parameters of a store: requests per window, the window and its guard in ms. */
export type StoreLimit = Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'>;

export interface MemoryStoreOptions extends StoreLimit {
  /** Milliseconds on a monotonic clock: the `now` of the host. */
  now(): number;
}

export interface MemoryStore extends RateLimitStore, AsyncDisposable {
  readonly requests: number;
  /**
   * Changes the limit. Permits that are out still count, so raising it is safe.
   * @throws `configuration` for numbers out of range
   */
  setLimit(limit: StoreLimit): void;
  /** Does nothing; exists so that every store can be closed. Same as `Symbol.asyncDispose`. */
  close(): Promise<void>;
  /** True if nothing is in flight, counted or paused: dropping the store then changes nothing. */
  isIdle(): boolean;
}

/**
 * A rate-limit store for one process. A permit returned one window after the *response* cannot fall into the same
 * server window.
 * @throws `configuration` for invalid numbers
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

  /** Not an array: it would be as long as the limit is high. */
  const waits = (at: number, reserve = 0): ((ahead: number) => number) => {
    const granted = Math.max(1, limit - reserve);
    forget(at);
    const returnsInMs = {
      length: inFlight.size + settledAt.length,
      // A request in flight returns its permit one hold from now at the earliest.
      at: (place: number) => (settledAt[place] ?? at) + holdMs - at,
    };
    return (ahead) => waitMs({ returnsInMs, pausedMs: pausedUntil - at }, ahead, granted, holdMs);
  };

  return {
    get requests() {
      return limit;
    },
    async take(reserve) {
      const at = now();
      const heldMs = waits(at, reserve)(0);
      if (heldMs > 0) return { retryAt: at + heldMs, forecast: (ahead, reserve) => at + waits(at, reserve)(ahead) };
      const permit = { id: ++taken };
      inFlight.set(permit, at);
      return { permit };
    },
    async settle(permit, sent = true) {
      if (inFlight.delete(permit) && sent) settledAt.push(now());
    },
    async pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
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
