import { retryAfterMs } from '../api/responses.ts';
import type { Verdict } from '../limit/limiter.ts';
import type { Settings } from '../settings/settings.ts';

/** A 429 as it is sent. */
export interface Rejection {
  headers: Readonly<Record<string, string>>;
  /** The limiter's decision. */
  verdict: Verdict | undefined;
  /** ms until the 429 is sent. */
  delayMs: number;
  settings: Settings;
}

/**
 * Returns how long a client should wait after a 429, ms: as long as the 429 states, or else one window; at most the
 * 60 s of §8.
 * @param now ms since 1970
 */
export const waitMs = ({ headers, verdict, settings }: Rejection, now: number): number => {
  const { rateHeaders, windowMs } = settings;
  const limitMs = verdict?.allowed === false && rateHeaders !== 'none' ? verdict.resetMs : windowMs;
  return Math.min(60_000, retryAfterMs(headers, now) ?? limitMs);
};

/** A client has noticed a 429 after this time at the latest, ms. */
const noticeMs = 1000;

/** The wait that one or more 429s impose on a key, in ms since 1970. */
interface Wait {
  /** Time of the first 429. */
  since: number;
  until: number;
  /** From this time on, a request on any connection is too early. A 429 with a delay may never reach its client. */
  noticed: number;
  /** The connections on which a 429 was sent: their next request is too early. */
  connections: WeakSet<object>;
}

/** Tracks each key's wait after a 429 (§8). Requests that were sent before the client could notice the 429 are allowed. */
export const createWaits = () => {
  const waits = new Map<string, Wait>();
  const current = (key: string, now: number): Wait | undefined => {
    const wait = waits.get(key);
    // Setting the clock back resets the limits.
    return wait && now >= wait.since && now < wait.until ? wait : undefined;
  };
  return {
    /** Returns the remaining wait of a request that is too early, ms; otherwise 0. */
    earlyMs(key: string, now: number, connection: object | undefined): number {
      const wait = current(key, now);
      if (!wait) return 0;
      const isNoticed = now >= wait.noticed || (connection !== undefined && wait.connections.has(connection));
      return isNoticed ? wait.until - now : 0;
    },
    /** Registers a 429. If several requests got one, the shortest wait counts. */
    reject(key: string, now: number, connection: object | undefined, rejection: Rejection): void {
      const fresh = { since: now, until: Number.POSITIVE_INFINITY, noticed: Number.POSITIVE_INFINITY };
      const wait = current(key, now) ?? { ...fresh, connections: new WeakSet() };
      wait.until = Math.min(wait.until, now + waitMs(rejection, now));
      if (rejection.delayMs === 0) wait.noticed = Math.min(wait.noticed, now + noticeMs);
      if (connection) wait.connections.add(connection);
      waits.set(key, wait);
    },
    reset: (): void => waits.clear(),
  };
};
