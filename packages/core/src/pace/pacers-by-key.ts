import { RateLimitError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { createMemoryStore } from './permits.ts';
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

/** The pacer of the clients with one key or store. */
interface Shared {
  pacer: Pacer;
  /** The limits of the latest client, which the pacer and a store in memory read at each step. */
  limits: Pace & Limit;
  /** The number of that client. */
  client: number;
}

/** The pacers that some clients share. */
export type Pacers = ReturnType<typeof createPacers>;

export const createPacers = () => ({
  /** The pacers of clients without a `store` of their own, by base URL and API key. */
  byKey: new Map<string, Shared>(),
  byStore: new WeakMap<RateLimitStore, Shared>(),
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
  const { byKey, byStore } = pacers;
  const client = ++clients;
  // The pacer outlives the client, and `send` may refer to everything that the client's caller has read.
  const { now, sleep } = host;

  const open = (key: string): Shared => {
    if (!store) makeRoom(byKey, limits);
    const own = { ...limits };
    const counting = store ?? createMemoryStore(own, now);
    const opened = { pacer: createPacer({ store: counting, host: { now, sleep }, pace: own }), limits: own, client };
    if (store) byStore.set(store, opened);
    else byKey.set(key, opened);
    return opened;
  };

  return (apiKey: string): Pacer => {
    const key = `${baseUrl}\n${apiKey}`;
    const shared = (store ? byStore.get(store) : byKey.get(key)) ?? open(key);
    if (shared.client < client) {
      shared.client = client;
      Object.assign(shared.limits, limits);
      shared.pacer.adjust();
    }
    return shared.pacer;
  };
};

/**
 * Drops the idle keys if there is no room for a new one. All permits of an idle key have returned, so nothing is lost.
 * @throws `rate_limited` if there is still no room
 */
const makeRoom = (byKey: Pacers['byKey'], { holdMs }: Limit): void => {
  if (byKey.size < maxKeys) return;
  for (const [key, { pacer, limits }] of byKey) {
    // Even if all permits of a key are free again, requests may still be in its queue.
    if (pacer.free() === limits.requests && pacer.isIdle()) byKey.delete(key);
  }
  if (byKey.size >= maxKeys) throw new RateLimitError('local', holdMs, { reason: 'too_many_keys' });
};
