import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { RateLimit, RateLimitStore } from './store.ts';

interface Limits extends RateLimit {
  concurrency: number;
}

export interface PacerByKeyOptions {
  host: Host;
  baseUrl: string;
  limits: Limits;
  store: RateLimitStore | undefined;
  /** Never throws. */
  emit: OnEvent;
}

interface Shared {
  pacer: Pacer;
  /** Undefined for a store that was passed in, which has its own limit. */
  ownStore: MemoryStore | undefined;
  limits: Limits;
  /** The client whose limits these are. */
  client: number;
  /** Two clients had different limits: remember whose applies. */
  isDisputed: boolean;
}

const byKey = new Map<string, Shared>();
const byStore = new WeakMap<RateLimitStore, Shared>();
const sweepEveryMs = 60_000;
let sweptAt = Number.NEGATIVE_INFINITY;
let clients = 0;

/**
 * The pacers of one client, by key: the limit is per key (§8), so all clients of the process share one queue. With its
 * own store, a client shares with those that use the same store. The limits of the latest client apply to all. Called
 * for each attempt, so that idle pacers can be dropped and no two clients ever hold different ones.
 */
export const pacerByKey = ({ host, baseUrl, limits, store, emit }: PacerByKeyOptions): ((apiKey: string) => Pacer) => {
  const client = ++clients;
  /** By key, if another client's number of requests applies. */
  const knownRequests = new Map<string, number>();

  const open = (key: string): Shared => {
    const ownStore = store ? undefined : createMemoryStore({ ...limits, now: host.now });
    const pacer = createPacer({ store: store ?? (ownStore as MemoryStore), host, ...limits });
    const shared = { pacer, ownStore, limits, client, isDisputed: false };
    if (store) byStore.set(store, shared);
    else {
      forgetIdle(host.now());
      byKey.set(key, shared);
    }
    return shared;
  };

  return (apiKey) => {
    const key = `${baseUrl}\n${apiKey}`;
    const shared = (store ? byStore.get(store) : byKey.get(key)) ?? open(key);
    let requests = knownRequests.get(key) ?? limits.requests;
    if (client > shared.client) {
      requests = shared.limits.requests;
      if (!isSame(shared.limits, limits)) change(shared, limits);
      shared.client = client;
    }
    if (!store && requests !== shared.limits.requests) {
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
  shared.ownStore?.setLimit(limits);
  shared.pacer.adjust(limits);
};

/** Once per window: otherwise, with thousands of keys, each new key would scan all of them. */
const forgetIdle = (at: number): void => {
  if (Math.abs(at - sweptAt) < sweepEveryMs) return; // a host with another clock may be behind
  sweptAt = at;
  for (const [key, shared] of byKey) if (isIdle(shared)) byKey.delete(key);
};

/** A pacer whose store has free permits again may still have requests in its queue. */
const isIdle = ({ ownStore, pacer, isDisputed }: Shared): boolean =>
  !isDisputed && ownStore?.isIdle() === true && pacer.isIdle();
