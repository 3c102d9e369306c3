// This module is loaded at the first call, because it loads core with its transport and its rate-limit stores.
import { createHash } from 'node:crypto';
import {
  type Client,
  createClient,
  createRedisStore,
  createSqliteStore,
  type OnEvent,
  type SharedStore,
} from '@order-license/core';
import type { Config, Settings } from '../config/config.ts';
import type { StoreLoss } from '../config/store-choice.ts';
import { userAgent } from '../config/version.ts';
import { log } from '../log/client-log.ts';
import { callLimits } from './call-limits.ts';

/**
 * Creates a client for one call, which must close it. Clients with the same key share a pacer, a rate-limit store and a
 * pool of connections.
 * @param report receives the events for the operator, including those of the store
 */
export const createCallClient = (config: Config, onEvent: OnEvent, report = log): Client => {
  const { baseUrl, allowHttpHosts, apiKey, requestsPerMinute } = config;
  const lease = config.store.kind === 'memory' ? undefined : leaseStore(config, report);
  const client = createClient({
    baseUrl,
    allowHttpHosts,
    apiKey,
    ...(lease ? { store: lease.store } : { rateLimit: { requests: requestsPerMinute } }),
    ...callLimits,
    userAgent,
    onEvent(event) {
      report(event);
      onEvent(event);
    },
  });
  return { ...client, close: () => client.close().finally(lease?.release) };
};

/**
 * Maximum number of unused stores that stay open between calls. There can be many, because callers of the HTTP server
 * bring their own keys.
 */
const maxIdle = 32;

interface Open {
  store: SharedStore;
  /** Number of calls in progress that use this store. */
  calls: number;
}

/** The open stores, by a hash of their API key, the least recently used first; the key itself isn't kept. */
const open = new Map<string, Open>();

/** The rate-limit store of one call. */
export interface StoreLease {
  /** The store that all calls with this key share. */
  store: SharedStore;
  /** Ends this call's use of the store; an unused store may be closed. */
  release(): void;
}

/** Leases the rate-limit store of a key. The store isn't closed until all its leases are released. */
export const leaseStore = (config: Config, onEvent: OnEvent): StoreLease => {
  const { baseUrl, apiKey } = config;
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
    store.close().catch(() => undefined); // from now on, no call uses the store
  }
};

/** Opens the store once. Returns the event that reports a problem, if there is one. */
export const tryStore = async ({ apiKey = 'none', ...settings }: Settings): Promise<StoreLoss | undefined> => {
  let loss: StoreLoss | undefined;
  const store = createStore({ ...settings, apiKey }, (event) => {
    if (event.type === 'store_unavailable') loss = event;
  });
  const taken = await store?.take();
  if (taken && 'permit' in taken) await store?.settle(taken.permit, false);
  await store?.close();
  return loss;
};

/** Creates a store, which the caller must close; undefined for core's in-memory store. */
const createStore = (
  { baseUrl, apiKey, requestsPerMinute, store }: Config,
  onEvent: OnEvent,
): SharedStore | undefined => {
  const options = { baseUrl, apiKey, requests: requestsPerMinute, onEvent };
  if (store.kind === 'sqlite') return createSqliteStore({ ...options, path: store.path });
  const client = () => import('@redis/client');
  return store.kind === 'redis' ? createRedisStore({ ...options, redis: store.url, client }) : undefined;
};
