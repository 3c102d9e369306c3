import { RateLimitError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { createPacer, type Pacer } from './pacer.ts';
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
   * @throws `rate_limited` with the reason `too_many_keys` if the process has used a thousand other keys within a
   * window
   */
  of(apiKey: string): Pacer;
}

/** State that clients with the same key share. */
interface Shared {
  pacer: Pacer;
  /** Undefined if the client has a `store`, which has its own limit. */
  ownStore: MemoryStore | undefined;
  /** Number of the client whose limits apply. */
  client: number;
}

const maxKeys = 1_000;
const byKey = new Map<string, Shared>();
const byStore = new WeakMap<RateLimitStore, Shared>();
let clients = 0;

/**
 * Returns the pacers of one client, by API key. The limit is per key (§8), so all clients of the process with the same
 * key share one queue. Clients with a `store` instead share a queue with all clients that use the same store. The
 * limits of the latest client apply to all clients that share a queue. Each attempt looks up its pacer again, so that
 * two clients never use different pacers for the same key.
 */
export const pacersByKey = ({ host, baseUrl, limits, store }: PacersByKeyOptions): PacersByKey => {
  const client = ++clients;
  const nameOf = (apiKey: string): string => `${baseUrl}\n${apiKey}`;
  const find = (key: string): Shared | undefined => (store ? byStore.get(store) : byKey.get(key));

  const open = (key: string): Shared => {
    const ownStore = createMemoryStore(limits, host.now);
    // The pacer outlives the client, and `send` may refer to everything that the client's caller has read.
    const clock = { now: host.now, sleep: host.sleep };
    const pacer = createPacer({ store: store ?? ownStore, host: clock, ...limits });
    const shared: Shared = { pacer, ownStore: store ? undefined : ownStore, client };
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
        shared.client = client;
        shared.ownStore?.setLimit(limits);
        shared.pacer.adjust(limits);
      }
      return shared.pacer;
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

/** Whether a key is unused. Even if all permits of a key are free again, requests may still be in its queue. */
const isIdle = ({ ownStore, pacer }: Shared): boolean => ownStore?.isIdle() === true && pacer.isIdle();
