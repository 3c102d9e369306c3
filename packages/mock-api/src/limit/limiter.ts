import type { Settings } from '../settings/settings.ts';

/** The decision on one request. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  /** Requests that would still pass now. */
  remaining: number;
  /** ms until `remaining` can increase. */
  resetMs: number;
}

/** Counts the requests of each key. Uses no timers: windows reset at the next request. */
export interface Limiter {
  /** Counts one request of `key` at `now` (ms since 1970) and decides whether it passes. */
  take(key: string, now: number, rules: LimitRules): Verdict;
  /** Returns the state of `key` at `now` without counting a request. */
  look(key: string, now: number, rules: LimitRules): LimitState;
  reset(): void;
}

/** The limit state of a key. */
export interface LimitState {
  /** Requests that would pass now. */
  remaining: number;
  /** ms until `remaining` can increase; 0 if no request counts. */
  resetMs: number;
}

export type LimitRules = Pick<Settings, 'window' | 'windowMs' | 'limit'>;

interface Counter {
  /** The window model of this counter. */
  model: string;
  /** Requests that passed in the current window; tokens used, for the bucket. */
  used: number;
  /** Start of the window, or of the last refill. */
  since: number;
  /** When the key was last locked; -Infinity if never. */
  lockedAt: number;
  /** Time of the last request. */
  asked: number;
  /** Times of the requests that still count, for the sliding models. */
  times: number[];
}

const never = Number.NEGATIVE_INFINITY;

interface Model {
  /** Drops requests that no longer count at `now`. */
  renew(counter: Counter, now: number, limit: number, windowMs: number): void;
  /** Counts one request. @returns whether it passes */
  take(counter: Counter, now: number, limit: number, windowMs: number): boolean;
}

/** As the API docs say (§8): 60 requests pass, and the next one locks the key for 60 seconds. */
const lockout: Model = {
  renew(counter, now, _, windowMs) {
    if (isLocked(counter, now, windowMs)) return;
    if (counter.lockedAt !== never || now >= counter.since + windowMs) {
      Object.assign(counter, { used: 0, since: now, lockedAt: never });
    }
  },
  take(counter, now, limit, windowMs) {
    if (isLocked(counter, now, windowMs)) return false;
    if (counter.used < limit) return pass(counter);
    counter.lockedAt = now;
    return false;
  },
};

/** Like lockout, but every rejected request restarts the 60 seconds. */
const extend: Model = {
  renew: lockout.renew,
  take(counter, now, limit, windowMs) {
    const allowed = lockout.take(counter, now, limit, windowMs);
    if (!allowed) counter.lockedAt = now;
    return allowed;
  },
};

/** A window starts with the first request. Requests over the limit are rejected until it ends. */
const fixed: Model = {
  renew(counter, now, _, windowMs) {
    if (now >= counter.since + windowMs) Object.assign(counter, { used: 0, since: now });
  },
  take: (counter, _, limit) => counter.used < limit && pass(counter),
};

/** Windows are aligned to the clock, the same for every key. */
const minute: Model = {
  renew(counter, now, _, windowMs) {
    const start = now - (now % windowMs);
    if (start !== counter.since) Object.assign(counter, { used: 0, since: start });
  },
  take: fixed.take,
};

/** At most `limit` requests pass in any period of `windowMs`. */
const sliding: Model = {
  renew: (counter, now, _, windowMs) => forget(counter, now - windowMs),
  take(counter, now, limit) {
    if (counter.times.length >= limit) return false;
    counter.times.push(now);
    return true;
  },
};

/** Like sliding, but rejected requests count too. */
const slidingStrict: Model = {
  renew: sliding.renew,
  take(counter, now, limit) {
    const allowed = counter.times.length < limit;
    counter.times.push(now);
    if (counter.times.length > limit) counter.times.shift();
    return allowed;
  },
};

/** A token bucket that refills evenly over one window. */
const bucket: Model = {
  renew(counter, now, limit, windowMs) {
    counter.used = Math.max(0, counter.used - ((now - counter.since) * limit) / windowMs);
    counter.since = now;
  },
  take: (counter, _, limit) => counter.used + 1 <= limit + 1e-9 && pass(counter),
};

const models: Record<Settings['window'], Model> = { lockout, fixed, minute, sliding, slidingStrict, bucket, extend };

const isLocked = (counter: Counter, now: number, windowMs: number): boolean => now < counter.lockedAt + windowMs;

const pass = (counter: Counter): true => {
  counter.used++;
  return true;
};

const forget = (counter: Counter, until: number): void => {
  const first = counter.times.findIndex((time) => time > until);
  if (first !== 0) counter.times.splice(0, first < 0 ? counter.times.length : first);
};

const remainingOf = (counter: Counter, now: number, limit: number, windowMs: number): number => {
  if (isLocked(counter, now, windowMs)) return 0;
  const used = counter.model.startsWith('sliding') ? counter.times.length : Math.ceil(counter.used);
  return Math.max(0, limit - used);
};

const resetOf = (counter: Counter, now: number, limit: number, windowMs: number): number => {
  if (isLocked(counter, now, windowMs)) return counter.lockedAt + windowMs - now;
  if (counter.model.startsWith('sliding')) return (counter.times[0] ?? now - windowMs) + windowMs - now;
  if (counter.model === 'bucket') return Math.max(0, Math.ceil(((counter.used + 1 - limit) * windowMs) / limit));
  return counter.since + windowMs - now;
};

export const createLimiter = (): Limiter => {
  const counters = new Map<string, Counter>();
  /** Returns a new counter if the model has changed or the clock was set back. */
  const counterOf = (key: string, model: string, now: number): Counter => {
    const known = counters.get(key);
    if (known?.model === model && known.asked <= now) return known;
    return { model, used: 0, since: never, lockedAt: never, asked: now, times: [] };
  };
  return {
    take(key, now, { window, windowMs, limit }) {
      if (limit === 'off')
        return { allowed: true, limit: Number.POSITIVE_INFINITY, remaining: Number.POSITIVE_INFINITY, resetMs: 0 };
      const counter = counterOf(key, window, now);
      counters.set(key, counter);
      counter.asked = now;
      models[window].renew(counter, now, limit, windowMs);
      const allowed = models[window].take(counter, now, limit, windowMs);
      return {
        allowed,
        limit,
        remaining: remainingOf(counter, now, limit, windowMs),
        resetMs: resetOf(counter, now, limit, windowMs),
      };
    },
    look(key, now, { window, windowMs, limit }) {
      if (limit === 'off') return { remaining: Number.POSITIVE_INFINITY, resetMs: 0 };
      const counter = structuredClone(counterOf(key, window, now));
      models[window].renew(counter, now, limit, windowMs);
      const remaining = remainingOf(counter, now, limit, windowMs);
      return { remaining, resetMs: remaining >= limit ? 0 : resetOf(counter, now, limit, windowMs) };
    },
    reset: () => counters.clear(),
  };
};
