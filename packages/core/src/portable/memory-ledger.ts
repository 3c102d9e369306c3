import { checkNumber } from './check-number.ts';
import { type Ledger, longestFlightMs, type Permit, type RateLimit } from './ledger.ts';

export interface MemoryLedgerOptions extends Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'> {
  /** Milliseconds on a monotonic clock: the `now` of the host. */
  now(): number;
}

export interface MemoryLedger extends Ledger {
  /** Lowers the number of requests per window to `requests`, never raises it. */
  restrict(requests: number): void;
  /** True when nothing is in flight, counted or paused: forgetting the ledger then changes nothing. */
  isIdle(): boolean;
}

/**
 * A ledger for one process. A permit given back one window after the *response* cannot meet another server window.
 * @throws `configuration` for numbers that cannot be right
 */
export const createMemoryLedger = ({ requests, windowMs, guardMs, now }: MemoryLedgerOptions): MemoryLedger => {
  checkNumber('requests', requests, 1, 1_000_000);
  checkNumber('windowMs', windowMs, 1, 86_400_000);
  checkNumber('guardMs', guardMs, 0, 86_400_000);
  const holdMs = windowMs + guardMs;
  const inFlight = new Map<Permit, number>();
  const returns: number[] = []; // ascending: each is its settle time plus the same hold
  let limit = requests;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let taken = 0;

  const forget = (at: number) => {
    while (returns[0] !== undefined && returns[0] <= at) returns.shift();
    for (const [permit, since] of inFlight) if (since + longestFlightMs + holdMs <= at) inFlight.delete(permit);
  };

  const forecast = (ahead: number): number => {
    const at = now();
    forget(at);
    const used = inFlight.size + returns.length;
    const place = ahead + used - limit;
    if (place < 0) return Math.max(at, pausedUntil);
    // What is in flight comes back one hold from now at the earliest; whoever is further back waits for whole rounds.
    const rounds = place < used ? 0 : 1 + Math.floor((place - used) / limit);
    const turn = place - rounds * limit;
    const comesBack = turn < 0 ? at : (returns[turn] ?? at + holdMs);
    return Math.max(comesBack, pausedUntil) + rounds * holdMs;
  };

  return {
    async take() {
      const retryAt = forecast(0);
      if (retryAt > now()) return { retryAt };
      const permit = { id: ++taken };
      inFlight.set(permit, now());
      return { permit };
    },
    async settle(permit) {
      if (inFlight.delete(permit)) returns.push(now() + holdMs);
    },
    async giveBack(permit) {
      inFlight.delete(permit);
    },
    async pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
    },
    async forecast(ahead) {
      return forecast(ahead);
    },
    restrict(to) {
      limit = Math.min(limit, to);
    },
    isIdle() {
      forget(now());
      return inFlight.size === 0 && returns.length === 0 && pausedUntil <= now();
    },
  };
};
