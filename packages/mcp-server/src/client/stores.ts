import { createHash } from 'node:crypto';
import { createRedisStore, createSqliteStore, type OnEvent, type SharedStore } from '@order-license/core';
import type { Config } from '../config/config.ts';

/** Callers of the HTTP server bring their own keys, so there may be many; the least recently used one is closed. */
const maxStores = 1_000;

/** By a hash of the key; the key itself isn't kept. */
const stores = new Map<string, SharedStore>();

/** The rate-limit store of this key, the same one for every call; undefined for core's in-memory store. */
export const openStore = (
  { baseUrl, apiKey, requestsPerMinute, store }: Config,
  onEvent: OnEvent,
): SharedStore | undefined => {
  if (store.kind === 'memory') return undefined;
  const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
  const options = { baseUrl, apiKey, requests: requestsPerMinute, onEvent };
  const opened =
    stores.get(id) ??
    (store.kind === 'sqlite'
      ? createSqliteStore({ ...options, path: store.path })
      : createRedisStore({ ...options, redis: store.url }));
  stores.delete(id);
  stores.set(id, opened);
  const [oldest] = stores;
  if (oldest && stores.size > maxStores) {
    stores.delete(oldest[0]);
    oldest[1].close().catch(() => undefined); // it is discarded anyway
  }
  return opened;
};
