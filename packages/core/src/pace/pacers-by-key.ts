import { RateLimitError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { createMemoryStore, type MemoryStore } from './permits.ts';
import type { Limit, Pace } from './rate-limit.ts';
import type { RateLimitStore } from './store.ts';

export interface PacersByKeyOptions {
  host: Host;
  baseUrl: string;
  limits: Pace & Limit;
  store: RateLimitStore | undefined;
  /** @default shared by all clients of the process */
  pacers?: Pacers | undefined;
}

/** The pacers that some clients share. */
export type Pacers = ReturnType<typeof createPacers>;

export const createPacers = () => ({
  /** The stores of the clients without a `store` of their own, by base URL and API key. */
  stores: new Map<string, MemoryStore>(),
  /** The pacer of each store, and the number of the client whose limits apply. */
  byStore: new WeakMap<RateLimitStore, { pacer: Pacer; client: number }>(),
});

const ofProcess = createPacers();
const maxKeys = 1_000;
let clients = 0;

/**
 * Creates a client's function that returns the current pacer of an API key. The limit is per key (§8), so all clients
 * of the process with the same key share one queue. Clients with a `store` instead share a queue with all clients that
 * use the same store. The limits of the latest client apply to all clients that share a queue, from its first call on.
 * Each attempt looks up its pacer again, so that two clients never use different pacers for the same key. The function
 * throws `rate_limited` with the reason `too_many_keys` if the process has used a thousand other keys within a window.
 */
export const pacersByKey = ({ host, baseUrl, limits, store, pacers = ofProcess }: PacersByKeyOptions) => {
  const { stores, byStore } = pacers;
  const client = ++clients;
  // The pacer outlives the client, and `send` may refer to everything that the client's caller has read.
  const { now, sleep } = host;

  const open = (key: string): MemoryStore => {
    makeRoom(pacers, limits);
    const own = createMemoryStore(limits, now);
    stores.set(key, own);
    return own;
  };

  return (apiKey: string): Pacer => {
    const key = `${baseUrl}\n${apiKey}`;
    const counting = store ?? stores.get(key) ?? open(key);
    const shared = byStore.get(counting);
    if (shared && shared.client >= client) return shared.pacer;
    if (!store) stores.get(key)?.setLimit(limits);
    shared?.pacer.adjust(limits);
    const pacer = shared?.pacer ?? createPacer({ store: counting, host: { now, sleep }, ...limits });
    byStore.set(counting, { pacer, client });
    return pacer;
  };
};

/**
 * Drops the idle keys if there is no room for a new one. All permits of an idle key have returned, so nothing is lost.
 * @throws `rate_limited` if there is still no room
 */
const makeRoom = ({ stores, byStore }: Pacers, { holdMs }: Limit): void => {
  if (stores.size < maxKeys) return;
  for (const [key, store] of stores) {
    // Even if all permits of a key are free again, requests may still be in its queue.
    if (store.isIdle() && byStore.get(store)?.pacer.isIdle()) stores.delete(key);
  }
  if (stores.size >= maxKeys) throw new RateLimitError('local', holdMs, { reason: 'too_many_keys' });
};
