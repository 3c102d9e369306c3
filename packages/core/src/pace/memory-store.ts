import { createRecord, denialAt, freePermits, pausePermits, settlePermit, takePermit, waitsAt } from './permits.ts';
import type { Limit, RateLimitStore } from './store.ts';

export interface MemoryStore extends RateLimitStore {
  readonly requests: number;
  /** Changes the limit. Permits that were taken still count, so raising the limit is safe. */
  setLimit(limit: Limit): void;
  /** True if no permit is taken and no pause applies: dropping the store then changes nothing. */
  isIdle(): boolean;
}

/**
 * Creates a rate-limit store for one process. A permit returns one window after the *response*, so the next request
 * with this permit cannot fall into the same server window.
 * @param now milliseconds on a monotonic clock: the `now` of the host
 */
export const createMemoryStore = (given: Limit, now: () => number): MemoryStore => {
  const record = createRecord();
  let limit = given;
  let taken = 0;

  return {
    get requests() {
      return limit.requests;
    },
    async take(reserve) {
      const id = String(++taken);
      const at = now();
      const isGranted = takePermit(record, id, at, limit, reserve);
      return isGranted ? { permit: { id } } : denialAt(at, waitsAt(record, at, limit), reserve);
    },
    async settle({ id }, sent = true) {
      settlePermit(record, String(id), now() + (sent ? limit.holdMs : 0));
    },
    async pause(until) {
      pausePermits(record, until);
    },
    free: () => freePermits(record, now(), limit),
    setLimit(given) {
      limit = given;
    },
    // A call behind `limit.requests - 1` others needs the last permit, so it waits unless every permit is free.
    isIdle: () => waitsAt(record, now(), limit)(limit.requests - 1) === 0,
  };
};
