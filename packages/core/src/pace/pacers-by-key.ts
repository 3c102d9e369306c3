import { RateLimitError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { createPacer, type Pacer } from './pacer.ts';
import type { RateLimit, RateLimitStore } from './store.ts';

interface Limits extends RateLimit {
  concurrency: number;
}

export interface PacersByKeyOptions {
  host: Host;
  baseUrl: string;
  limits: Limits;
  store: RateLimitStore | undefined;
  /** Never throws. */
  emit: OnEvent;
}

export interface PacersByKey {
  /**
   * The current pacer of a key.
   * @throws `rate_limited` with the reason `too_many_keys` if the process has used a thousand others within a window
   */
  of(apiKey: string): Pacer;
  /** The API rejected the key. Its permit times stay, so that a loop with a wrong key is paced too; the rest goes. */
  forgetRejected(apiKey: string): void;
}

/** What the clients of a key share. */
interface Shared {
  pacer: Pacer | undefined;
  /** Undefined for a store that was passed in, which has its own limit. */
  ownStore: MemoryStore | undefined;
  limits: Limits;
  /** The client whose limits these are. */
  client: number;
  /** Two clients had different limits: remember whose apply. */
  isDisputed: boolean;
  /** The requests per window that a client knows of, if they are not its own. */
  known: Map<number, number>;
}

const maxKeys = 1_000;
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
export const pacersByKey = ({ host, baseUrl, limits, store, emit }: PacersByKeyOptions): PacersByKey => {
  const client = ++clients;
  const nameOf = (apiKey: string): string => `${baseUrl}\n${apiKey}`;
  const find = (key: string): Shared | undefined => (store ? byStore.get(store) : byKey.get(key));

  const open = (key: string): Shared => {
    const ownStore = store ? undefined : createMemoryStore({ ...limits, now: host.now });
    const shared: Shared = { pacer: undefined, ownStore, limits, client, isDisputed: false, known: new Map() };
    if (store) byStore.set(store, shared);
    else {
      makeRoom(host.now(), limits);
      byKey.set(key, shared);
    }
    return shared;
  };

  return {
    of(apiKey) {
      const key = nameOf(apiKey);
      const shared = find(key) ?? open(key);
      let requests = shared.known.get(client) ?? limits.requests;
      if (client > shared.client) {
        requests = shared.limits.requests;
        if (!isSame(shared.limits, limits)) change(shared, limits);
        shared.client = client;
      }
      if (!store && requests !== shared.limits.requests) {
        emit({ type: 'limit_changed', requests: shared.limits.requests, previous: requests });
      }
      if (shared.limits.requests === limits.requests) shared.known.delete(client);
      else shared.known.set(client, shared.limits.requests);
      shared.pacer ??= createPacer({ store: store ?? (shared.ownStore as MemoryStore), host, ...shared.limits });
      return shared.pacer;
    },
    forgetRejected(apiKey) {
      const shared = find(nameOf(apiKey));
      if (shared?.ownStore && shared.pacer?.isIdle()) shared.pacer = undefined;
    },
  };
};

const isSame = (one: Limits, other: Limits): boolean =>
  (Object.keys(one) as (keyof Limits)[]).every((name) => one[name] === other[name]);

const change = (shared: Shared, limits: Limits): void => {
  shared.limits = limits;
  shared.isDisputed = true;
  shared.ownStore?.setLimit(limits);
  shared.pacer?.adjust(limits);
};

/**
 * Makes room for a new key. Idle ones are forgotten once a minute, and whenever there are too many: dropping them
 * changes nothing, except that two clients with different limits then settle again whose apply.
 */
const makeRoom = (at: number, { windowMs, guardMs }: Limits): void => {
  const isFull = byKey.size >= maxKeys;
  if (!isFull && Math.abs(at - sweptAt) < sweepEveryMs) return; // a host with another clock may be behind
  sweptAt = at;
  for (const [key, shared] of byKey) if (isIdle(shared) && (isFull || !shared.isDisputed)) byKey.delete(key);
  if (byKey.size >= maxKeys) throw new RateLimitError('local', windowMs + guardMs, { reason: 'too_many_keys' });
};

/** A pacer whose store has free permits again may still have requests in its queue. */
const isIdle = ({ ownStore, pacer }: Shared): boolean => ownStore?.isIdle() === true && pacer?.isIdle() !== false;
