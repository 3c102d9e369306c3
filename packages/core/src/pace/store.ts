import { checkNumber } from '../base/checks.ts';

/** Permission to send one request. Opaque except to the store that issued it. */
export interface Permit {
  readonly id: number | string;
}

/**
 * Decides who may send when, for one API key (§8). Passive: it counts and remembers, the pacer waits. All times are
 * milliseconds on the clock of the pacer's host. If `take` rejects, the waiting calls fail with `connection` and are
 * retried; if another method does, a `store_failed` event reports it and the call continues.
 */
export interface RateLimitStore {
  /** Requests per window, if the store reports them: a client's `reserve` must be less. */
  readonly requests?: number | undefined;
  /** The API's window, ms, if the store reports it. @default 60_000 */
  readonly windowMs?: number | undefined;
  /** Added to the window, and by a client to each pause after a 429, ms, if the store reports it. @default 1_000 */
  readonly guardMs?: number | undefined;
  /**
   * A permit, or when to ask again.
   * @param reserve permits per window to leave to others: none is granted while fewer are left. @default 0
   */
  take(reserve?: number): Promise<{ permit: Permit } | Denial>;
  /**
   * Call when the request is over, however it ended. The permit returns one window and guard from now.
   * @param sent false if nothing was sent: the permit then no longer counts. @default true
   */
  settle(permit: Permit, sent?: boolean): Promise<void>;
  /** Grants no permit before `until`. */
  pause(until: number): Promise<void>;
  /** How many permits are free now, as of the store's last look at what other processes took. */
  free?(): number | undefined;
}

/** No permit is available now. */
export interface Denial {
  /** When to ask again, on the host's clock, ms. */
  retryAt: number;
  /** True while only a part of the limit is available. */
  reduced?: boolean | undefined;
  /**
   * When, at the earliest and as of the denial, a permit is available for a call with `ahead` others in front, on the
   * host's clock, ms.
   * @param reserve as for `take`
   */
  forecast?(ahead: number, reserve?: number): number;
}

export interface RateLimit {
  /** Requests per window. */
  requests: number;
  /** The API's window (§8), ms. */
  windowMs: number;
  /** Added to the window to allow for clocks that round, ms. */
  guardMs: number;
  /** Minimum time between the starts of two requests (the short delay of §8), ms. */
  minGapMs: number;
  /** How many of `requests` the `background` and `bulk` calls leave to `interactive` ones. */
  reserve: number;
}

export const defaultRateLimit: RateLimit = { requests: 60, windowMs: 60_000, guardMs: 1_000, minGapMs: 20, reserve: 0 };

/** What a store decides; numbers that are omitted or undefined have their defaults. */
export type StoreLimit = {
  [Name in keyof Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'>]?: RateLimit[Name] | undefined;
};

export interface Limit {
  /** How many permits may be out at once. */
  requests: number;
  /** Time from the end of a request until its permit returns, ms: one window plus a safety margin. */
  holdMs: number;
}

/**
 * @param prefix of the names in errors
 * @throws `configuration` for numbers out of range
 */
export const readLimit = (given: StoreLimit, prefix = ''): Limit & Pick<RateLimit, keyof StoreLimit> => {
  const read = (name: keyof StoreLimit, min: number, max: number): number =>
    checkNumber(prefix + name, given[name] ?? defaultRateLimit[name], min, max);
  const windowMs = read('windowMs', 1, 86_400_000);
  const guardMs = read('guardMs', 0, 86_400_000);
  return { requests: read('requests', 1, 1_000_000), windowMs, guardMs, holdMs: windowMs + guardMs };
};
