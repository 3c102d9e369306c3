import { createHash } from 'node:crypto';
import { createRedisStore, createSqliteStore, type OnEvent, type SharedStore } from '@order-license/core';
import type { Config } from '../config/config.ts';

/** Stores that stay open between calls: callers of the HTTP server bring their own keys, so there may be many. */
const maxIdle = 32;

interface Open {
  store: SharedStore;
  /** Calls in progress. */
  calls: number;
}

/** By a hash of the key, the least recently used first; the key itself isn't kept. */
const open = new Map<string, Open>();

/** The rate-limit store of one call. */
export interface StoreLease {
  /** The same one for all calls with this key; undefined for core's in-memory store. */
  store: SharedStore | undefined;
  /** Ends the use of the store, which may then be closed. */
  release(): void;
}

/** Leases the rate-limit store of a key. The store isn't closed before all its leases are released. */
export const leaseStore = (config: Config, onEvent: OnEvent): StoreLease => {
  const { baseUrl, apiKey, store: choice } = config;
  if (choice.kind === 'memory') return { store: undefined, release: () => undefined };
  const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
  const leased = open.get(id) ?? { store: createStore(config, onEvent) as SharedStore, calls: 0 };
  leased.calls += 1;
  open.set(id, leased);
  return {
    store: leased.store,
    release() {
      leased.calls -= 1;
      if (leased.calls > 0) return;
      open.delete(id);
      open.set(id, leased);
      closeIdle();
    },
  };
};

const closeIdle = (): void => {
  const idle = [...open].filter(([, { calls }]) => calls === 0);
  for (const [id, { store }] of idle.slice(0, -maxIdle)) {
    open.delete(id);
    store.close().catch(() => undefined); // nobody uses it any more
  }
};

/** A store that the caller closes; undefined for core's in-memory store. */
export const createStore = (
  { baseUrl, apiKey, requestsPerMinute, store }: Config,
  onEvent: OnEvent,
): SharedStore | undefined => {
  const options = { baseUrl, apiKey, requests: requestsPerMinute, onEvent };
  if (store.kind === 'sqlite') return createSqliteStore({ ...options, path: store.path });
  return store.kind === 'redis' ? createRedisStore({ ...options, redis: store.url }) : undefined;
};
