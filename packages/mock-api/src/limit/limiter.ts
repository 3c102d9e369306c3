import type { Settings } from '../settings/settings.ts';

/** The decision on one request. */
export interface Verdict extends LimitState {
  allowed: boolean;
}

/** The limit state of a key. */
export interface LimitState {
  /** Number of requests that would be accepted now. */
  remaining: number;
  /** ms until `remaining` can increase; 0 if no request counts. */
  resetMs: number;
}

export type LimitRules = Pick<Settings, 'window' | 'windowMs' | 'limit'>;

/** The counter of one key. */
interface Counter {
  /** The window model of this counter. */
  window: Settings['window'];
  /** Number of requests that count; for the bucket, number of tokens used. */
  used: number;
  /** Start of the window or of the lock; for the bucket, time of the last refill. */
  since: number;
  /** Whether every request is rejected until the window ends. */
  isLocked: boolean;
  /** Time of the last request. */
  asked: number;
  /** For the sliding models, times of the requests that count, up to `highest`: a lowered limit can rise again. */
  times: number[];
  /** The highest limit so far. */
  highest: number;
}

/** The tolerance for rounding errors in fractions of a token. */
const rounding = 1e-9;

const isSliding = ({ window }: Counter): boolean => window === 'sliding' || window === 'slidingStrict';

/**
 * Drops the requests that no longer count at `now`. `sliding` looks back over one window from each request, and
 * `bucket` refills evenly over one window. With `minute`, windows start at the same time for every key; with the other
 * models, a window starts with its first request.
 */
const renew = (counter: Counter, now: number, windowMs: number, limit: number): void => {
  const { window, since } = counter;
  if (isSliding(counter)) {
    counter.times = counter.times.filter((time) => time > now - windowMs);
    counter.used = counter.times.length;
    counter.highest = Math.max(counter.highest, limit);
  } else if (window === 'bucket') {
    // The limit may have been lowered: at most `limit` tokens can be missing.
    counter.used = Math.max(0, Math.min(counter.used, limit) - ((now - since) * limit) / windowMs);
    counter.since = now;
  } else if (now >= since + windowMs) {
    const start = window === 'minute' ? now - (now % windowMs) : now;
    Object.assign(counter, { used: 0, since: start, isLocked: false });
  }
};

/**
 * Counts one request. With `lockout`, which follows the API docs (§8), 60 requests are accepted, and the next one locks
 * the key for 60 seconds. With `extend`, every rejected request restarts those 60 seconds. `slidingStrict` also counts
 * rejected requests.
 * @returns whether the request is accepted
 */
const count = (counter: Counter, now: number, limit: number): boolean => {
  const { window, used, isLocked, times, highest } = counter;
  const allowed = !isLocked && used + 1 <= limit + rounding;
  if (allowed) counter.used++;
  if (isSliding(counter) && (allowed || window === 'slidingStrict')) times.push(now);
  if (times.length > highest) times.shift();
  if (!allowed && (window === 'extend' || (window === 'lockout' && !isLocked)))
    Object.assign(counter, { isLocked: true, since: now });
  return allowed;
};

const stateOf = (counter: Counter, now: number, windowMs: number, limit: number): LimitState => {
  const { window, used, since, isLocked, times } = counter;
  const remaining = isLocked ? 0 : Math.max(0, limit - Math.ceil(used - rounding));
  if (window === 'bucket')
    return { remaining, resetMs: Math.max(0, Math.ceil(((used + 1 - limit - rounding) * windowMs) / limit)) };
  // If the limit was lowered, the newest requests determine when the next one is accepted.
  const oldest = times[Math.max(0, times.length - limit)];
  const start = isSliding(counter) ? (oldest ?? now - windowMs) : since;
  return { remaining, resetMs: start + windowMs - now };
};

const unlimited: LimitState = { remaining: Number.POSITIVE_INFINITY, resetMs: 0 };

export type Limiter = ReturnType<typeof createLimiter>;

/** Creates a limiter, which counts the requests of each key. It uses no timers: windows reset at the next request. */
export const createLimiter = () => {
  const counters = new Map<string, Counter>();
  /** Returns a new counter if the model has changed or the clock was set back. */
  const counterOf = (key: string, window: Settings['window'], now: number): Counter => {
    const known = counters.get(key);
    if (known?.window === window && known.asked <= now) return known;
    return { window, used: 0, since: Number.NEGATIVE_INFINITY, isLocked: false, asked: now, times: [], highest: 0 };
  };
  return {
    /** Counts one request with `key` at `now` (ms since 1970) and decides whether it is accepted. */
    take(key: string, now: number, { window, windowMs, limit }: LimitRules): Verdict {
      if (limit === 'off') return { allowed: true, ...unlimited };
      const counter = counterOf(key, window, now);
      counters.set(key, counter);
      counter.asked = now;
      renew(counter, now, windowMs, limit);
      const allowed = count(counter, now, limit);
      return { allowed, ...stateOf(counter, now, windowMs, limit) };
    },
    /** Returns the state of `key` at `now` without counting a request. */
    look(key: string, now: number, { window, windowMs, limit }: LimitRules): LimitState {
      if (limit === 'off') return unlimited;
      const counter = { ...counterOf(key, window, now) };
      renew(counter, now, windowMs, limit);
      const state = stateOf(counter, now, windowMs, limit);
      return state.remaining >= limit ? { ...state, resetMs: 0 } : state;
    },
    reset: (): void => counters.clear(),
  };
};
