import { addPermit, createRecord, freePermits, pausePermits, settlePermit, waitFor } from './permits.ts';
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
  const free = (): number => freePermits(record, now(), limit);

  return {
    get requests() {
      return limit.requests;
    },
    take(reserve) {
      const at = now();
      const waitMs = waitFor(record, at, limit, reserve);
      if (waitMs > 0) return { retryAt: at + waitMs };
      const id = String(++taken);
      addPermit(record, id, at, limit);
      return { permit: { id } };
    },
    async settle({ id }, sent = true) {
      settlePermit(record, String(id), now() + (sent ? limit.holdMs : 0));
    },
    async pause(until) {
      pausePermits(record, until);
    },
    free,
    setLimit(given) {
      limit = given;
    },
    isIdle: () => free() === limit.requests,
  };
};
