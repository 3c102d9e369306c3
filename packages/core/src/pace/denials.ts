import type { Denial } from './store.ts';

const open: Denial = { retryAt: -Infinity };

/** Remembers when a store will have a permit again, so that it isn't asked earlier, and the pause after a 429. */
export const createDenials = () => {
  /** Until when the store has no permit at all, and until when it has none outside the reserve. */
  let [any, outside] = [open, open];
  let paused = open;

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
      any = outside = open;
    },
    pause(until: number): void {
      if (paused.retryAt < until) paused = { retryAt: until };
    },
  };
};
