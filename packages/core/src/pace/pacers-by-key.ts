import { RateLimitError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { createMemoryStore, type MemoryStore } from './permits.ts';
import type { Limit, RateLimit, RateLimitStore } from './store.ts';

interface Settings extends RateLimit, Limit {
  concurrency: number;
}

export interface PacersByKeyOptions {
  host: Host;
  baseUrl: string;
  limits: Settings;
  store: RateLimitStore | undefined;
}

export interface PacersByKey {
  /**
   * Returns the current pacer of a key.
   * @throws `rate_limited` with the reason `too_many_keys` if the process has used a thousand others within a window
   */
  of(apiKey: string): Pacer;
  /**
   * Drops the pacer of a key that the API rejected. Its permit times stay, so that a loop with a wrong key is also
   * paced.
   */
  forgetRejected(apiKey: string): void;
}

/** State that clients with the same key share. */
interface Shared {
  pacer: Pacer | undefined;
  /** Undefined if the client has a `store`, which has its own limit. */
  ownStore: MemoryStore | undefined;
  limits: Settings;
  /** Number of the client that set `limits`. */
  client: number;
}

const maxKeys = 1_000;
const byKey = new Map<string, Shared>();
const byStore = new WeakMap<RateLimitStore, Shared>();
let clients = 0;

/**
 * Returns the pacers of one client, by API key. The limit is per key (§8), so all clients of the process with the same
 * key share one queue; clients with a `store` share one with the clients that use the same store. The limits of the
 * latest client apply to all of them. Each attempt looks up its pacer again, so that two clients never use different
 * pacers for the same key.
 */
export const pacersByKey = ({ host, baseUrl, limits, store }: PacersByKeyOptions): PacersByKey => {
  const client = ++clients;
  const nameOf = (apiKey: string): string => `${baseUrl}\n${apiKey}`;
  const find = (key: string): Shared | undefined => (store ? byStore.get(store) : byKey.get(key));

  const open = (key: string): Shared => {
    const ownStore = store ? undefined : createMemoryStore(limits, host.now);
    const shared: Shared = { pacer: undefined, ownStore, limits, client };
    if (store) byStore.set(store, shared);
    else {
      makeRoom(limits);
      byKey.set(key, shared);
    }
    return shared;
  };

  return {
    of(apiKey) {
      const key = nameOf(apiKey);
      const shared = find(key) ?? open(key);
      if (client > shared.client) {
        Object.assign(shared, { limits, client });
        shared.ownStore?.setLimit(limits);
        shared.pacer?.adjust(limits);
      }
      shared.pacer ??= createPacer({ store: store ?? (shared.ownStore as MemoryStore), host, ...shared.limits });
      return shared.pacer;
    },
    forgetRejected(apiKey) {
      const shared = find(nameOf(apiKey));
      if (shared?.ownStore && shared.pacer?.isIdle()) shared.pacer = undefined;
    },
  };
};

/**
 * Drops the idle keys if there is no room for a new one. All permits of an idle key have returned, so nothing is lost.
 * @throws `rate_limited` if there is still no room
 */
const makeRoom = ({ holdMs }: Settings): void => {
  if (byKey.size < maxKeys) return;
  for (const [key, shared] of byKey) if (isIdle(shared)) byKey.delete(key);
  if (byKey.size >= maxKeys) throw new RateLimitError('local', holdMs, { reason: 'too_many_keys' });
};

/** Whether nothing uses a key. Even if all its permits are free again, requests may still be in its queue. */
const isIdle = ({ ownStore, pacer }: Shared): boolean => ownStore?.isIdle() === true && pacer?.isIdle() !== false;
