import type { OnEvent } from './events.ts';
import type { Host } from './host.ts';
import type { Ledger, RateLimit } from './ledger.ts';
import { createMemoryLedger, type MemoryLedger } from './memory-ledger.ts';
import { createPacer, type Pacer } from './pacer.ts';

interface Limits extends RateLimit {
  concurrency: number;
}

export interface SharedPacerOptions {
  host: Host;
  baseUrl: string;
  limits: Limits;
  ledger: Ledger | undefined;
  /** Never throws. */
  emit: OnEvent;
}

interface Shared {
  pacer: Pacer;
  /** Undefined for a ledger that was given: that one knows its limit itself. */
  ownLedger: MemoryLedger | undefined;
  limits: Limits;
  /** The client whose limits these are. */
  client: number;
  /** Two clients had different limits: which of them holds must not be forgotten. */
  isDisputed: boolean;
}

const byKey = new Map<string, Shared>();
const byLedger = new WeakMap<Ledger, Shared>();
const sweepEveryMs = 60_000;
let sweptAt = Number.NEGATIVE_INFINITY;
let clients = 0;

/**
 * The pacers of one client, by key: the limit is per key (§8), so all clients of the process queue in one place.
 * With a ledger of its own, a client shares with those that were given the same ledger. The limits of the latest
 * client hold for all. Called for each attempt, so that idle pacers can be forgotten and no two clients ever hold
 * different ones.
 */
export const sharedPacer = ({
  host,
  baseUrl,
  limits,
  ledger,
  emit,
}: SharedPacerOptions): ((apiKey: string) => Pacer) => {
  const client = ++clients;
  /** By key, where another client's number of requests holds. */
  const knownRequests = new Map<string, number>();

  const open = (key: string): Shared => {
    const ownLedger = ledger ? undefined : createMemoryLedger({ ...limits, now: host.now });
    const pacer = createPacer({ ledger: ledger ?? (ownLedger as MemoryLedger), host, ...limits });
    const shared = { pacer, ownLedger, limits, client, isDisputed: false };
    if (ledger) byLedger.set(ledger, shared);
    else {
      forgetIdle(host.now());
      byKey.set(key, shared);
    }
    return shared;
  };

  return (apiKey) => {
    const key = `${baseUrl}\n${apiKey}`;
    const shared = (ledger ? byLedger.get(ledger) : byKey.get(key)) ?? open(key);
    let requests = knownRequests.get(key) ?? limits.requests;
    if (client > shared.client) {
      requests = shared.limits.requests;
      if (!isSame(shared.limits, limits)) change(shared, limits);
      shared.client = client;
    }
    if (!ledger && requests !== shared.limits.requests) {
      emit({ type: 'limit_changed', requests: shared.limits.requests, previous: requests });
    }
    if (shared.limits.requests === limits.requests) knownRequests.delete(key);
    else knownRequests.set(key, shared.limits.requests);
    return shared.pacer;
  };
};

const isSame = (one: Limits, other: Limits): boolean =>
  (Object.keys(one) as (keyof Limits)[]).every((name) => one[name] === other[name]);

const change = (shared: Shared, limits: Limits): void => {
  shared.limits = limits;
  shared.isDisputed = true;
  shared.ownLedger?.setLimit(limits);
  shared.pacer.adjust(limits);
};

/** Once a window: a pacer of thousands of keys would otherwise look at all of them for each new key. */
const forgetIdle = (at: number): void => {
  if (Math.abs(at - sweptAt) < sweepEveryMs) return; // a host with another clock may be behind
  sweptAt = at;
  for (const [key, shared] of byKey) if (isIdle(shared)) byKey.delete(key);
};

/** A pacer whose ledger has room again may still hold requests in its queue that have not been granted. */
const isIdle = ({ ownLedger, pacer, isDisputed }: Shared): boolean =>
  !isDisputed && ownLedger?.isIdle() === true && pacer.isIdle();
