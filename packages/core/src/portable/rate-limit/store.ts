/** A request that has been allowed. Opaque to everyone but the store that gave it. */
export interface Permit {
  readonly id: number | string;
}

/**
 * Who may send when, for one API key (§8). Passive: it counts and remembers, the pacer waits.
 * All times are milliseconds on the clock of the pacer's host. Where `take` or `forecast` rejects, the calls that wait
 * fail with `connection` and are tried again; where the others do, a `store_failed` event says so and the call goes on.
 */
export interface RateLimitStore {
  /** Requests per window, if the store says so: `reserve` of a client has to be less. */
  readonly requests?: number | undefined;
  /**
   * A permit, or when it is worth asking again; `reduced` while only a part of the limit is given out.
   * @param reserve permits per window to leave to others: none is granted while all but so many are out. @default 0
   */
  take(reserve?: number): Promise<{ permit: Permit } | { retryAt: number; reduced?: boolean }>;
  /** The exchange is over, however it ended. The permit comes back one window and guard from now. */
  settle(permit: Permit): Promise<void>;
  /** Nothing was sent with the permit: it counts no longer. A store without this settles it. */
  giveBack?(permit: Permit): Promise<void>;
  /** Nobody gets a permit before `until`. */
  pause(until: number): Promise<void>;
  /**
   * A function that says when, at the earliest and as of now, a permit is there for someone with `ahead` others before.
   * @param reserve as for `take`
   */
  forecast?(reserve?: number): Promise<(ahead: number) => number>;
}

export interface RateLimit {
  /** Requests per window. */
  requests: number;
  /** The service's window (§8), ms. */
  windowMs: number;
  /** Added to the window against clocks that round, ms. */
  guardMs: number;
  /** Least time between the starts of two requests (§8: a short delay), ms. */
  minGapMs: number;
  /** Of `requests`, how many `background` and `bulk` calls leave to `interactive` ones. */
  reserve: number;
}

export const defaultRateLimit: RateLimit = { requests: 60, windowMs: 60_000, guardMs: 1_000, minGapMs: 20, reserve: 0 };

/** No request is in flight longer than this, ms: a permit that was never settled lapses one window and guard later. */
export const maxFlightMs = 120_000;
