import type { OnEvent } from '../base/events.ts';

/** Permission to send one request. Opaque except to the store that issued it. */
export interface Permit {
  readonly id: number | string;
}

/**
 * Decides when requests with one API key may be sent (§8). A store only counts and remembers; the pacer waits. All
 * times are milliseconds on the clock of the pacer's host. If `take` rejects with an `OrderLicenseError`, the waiting
 * calls throw it; if it rejects with anything else, they fail with `connection` and are retried. If another method
 * rejects, a `store_failed` event reports it and the call continues.
 */
export interface RateLimitStore {
  /** Number of requests per window, if the store reports it. A client's `reserve` must be smaller. */
  readonly requests?: number | undefined;
  /** The API's window, ms, if the store reports it. @default 60_000 */
  readonly windowMs?: number | undefined;
  /**
   * The guard, ms, if the store reports it: a time that is added to the window. A client also adds it to each pause
   * after a 429.
   * @default 1_000
   */
  readonly guardMs?: number | undefined;
  /**
   * Returns a permit, or the time at which to ask again; at once, or as a promise.
   * @param reserve permits per window to leave to others: no permit is granted if fewer than this would remain.
   * @default 0
   */
  take(reserve?: number): Answer | Promise<Answer>;
  /**
   * Call this when the request is over, however it ended. The permit returns one window plus the guard later.
   * @param sent false if nothing was sent: the permit then no longer counts. @default true
   */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Ensures that no permit is granted before `until`. */
  pause(until: number): Promise<void>;
  /**
   * Returns how many permits are free now, as far as the store knows about the permits that other processes have taken.
   */
  free?(): number | undefined;
  /** Called by each new client that has an `onEvent`, which the store can call with events of its own. Never throws. */
  reportTo?(onEvent: OnEvent): void;
}

/** Result of `take`. */
export type Answer = { permit: Permit } | Denial;

/** Result of `take` if no permit is available now. */
export interface Denial {
  /** Time at which to ask again, on the host's clock, ms. */
  retryAt: number;
  /** True while only a part of the limit is available. */
  reduced?: boolean | undefined;
}
