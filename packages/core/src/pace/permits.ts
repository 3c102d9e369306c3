import { maxFlightMs } from '../base/call-options.ts';
import type { Limit } from './rate-limit.ts';
import type { Denial, RateLimitStore } from './store.ts';

/**
 * The permits and the pause of one key, as plain JSON. All times are in ms, on the clock that the record's users share.
 */
export interface PermitRecord {
  /** Random ID. A different ID than before means that the old record was lost and has been replaced. */
  generation: string;
  /** Time at which the record was last written. */
  latest: number;
  /** No permit is granted before this time. */
  pausedUntil: number;
  /**
   * The permits taken, by ID: the time at which the permit returns or, while its request is in flight, the time at
   * which the permit expires.
   */
  permits: Record<string, number>;
}

export const createRecord = (generation = ''): PermitRecord => ({ generation, latest: 0, pausedUntil: 0, permits: {} });

/** Returns how many permits are free at `at`; none during a pause. */
export const freePermits = ({ pausedUntil, permits }: PermitRecord, at: number, { requests }: Limit): number => {
  const taken = Object.values(permits).filter((returnsAt) => returnsAt > at);
  return pausedUntil > at ? 0 : Math.max(0, requests - taken.length);
};

/**
 * Returns the least time from `at` until a permit is free for a call that leaves `reserve` permits to others, ms; 0 if
 * one is free now.
 */
export const waitFor = (
  { pausedUntil, permits }: PermitRecord,
  at: number,
  { requests, holdMs }: Limit,
  reserve = 0,
): number => {
  const usable = Math.max(1, requests - reserve);
  const latestFirst = Object.values(permits).sort((one, other) => other - one);
  // A permit is free once at most `usable - 1` are taken.
  const next = latestFirst[usable - 1] ?? at;
  // The permit of a request in flight returns `holdMs` from now at the earliest.
  return Math.max(0, pausedUntil - at, Math.min(next - at, holdMs));
};

/** Adds permit `id`, and removes those that have returned. */
export const addPermit = ({ permits }: PermitRecord, id: string, at: number, { holdMs }: Limit): void => {
  for (const [known, returnsAt] of Object.entries(permits)) if (returnsAt <= at) delete permits[known];
  permits[id] = at + maxFlightMs + holdMs;
};

/**
 * Creates a rate-limit store for one process. A permit returns one window and the guard after the *response*, so the
 * next request with this permit cannot fall into the same server window.
 * @param limit read at each step. Permits that were taken still count, so raising it is safe
 * @param now milliseconds on a monotonic clock: the `now` of the host
 */
export const createMemoryStore = (limit: Limit, now: () => number): RateLimitStore => {
  const record = createRecord();
  let taken = 0;

  return {
    take(reserve) {
      const at = now();
      const waitMs = waitFor(record, at, limit, reserve);
      if (waitMs > 0) return { retryAt: at + waitMs };
      const id = String(++taken);
      addPermit(record, id, at, limit);
      return { permit: { id } };
    },
    async settle({ id }, sent = true) {
      record.permits[id] = now() + (sent ? limit.holdMs : 0);
    },
    async pause(until) {
      record.pausedUntil = Math.max(record.pausedUntil, until);
    },
    free: () => freePermits(record, now(), limit),
  };
};

const noDenial: Denial = { retryAt: -Infinity };

/** Remembers when a store will have a permit again, so that it isn't asked earlier, and the pause after a 429. */
export const createDenials = () => {
  /** Until when the store has no permit at all, and until when it has none outside the reserve. */
  let [any, outside] = [noDenial, noDenial];
  let paused = noDenial;

  return {
    /** Returns until when there is no permit for a request that leaves `left` permits to others. */
    closedFor(left: number): Denial {
      const denial = left > 0 ? outside : any;
      return denial.retryAt < paused.retryAt ? paused : denial;
    },
    /** Adds what the store said about a request that leaves `left` permits to others. */
    add(denial: Denial, left: number): void {
      // Without any permit, there is none outside the reserve either.
      if (left === 0) any = denial;
      if (outside.retryAt < denial.retryAt) outside = denial;
    },
    /** Forgets what the store said, since it may have a permit earlier. */
    forget(): void {
      any = outside = noDenial;
    },
    pause(until: number): void {
      if (paused.retryAt < until) paused = { retryAt: until };
    },
  };
};
