import type { Host } from './base/host.ts';
import { unlessAborted } from './call/stops.ts';
import { type Client, createClient as createPortableClient } from './client/client.ts';
import type { ClientOptions } from './client/client-options.ts';
import { createFetchSend, type Fetch } from './fetch-host.ts';
import { createMemoryStore } from './pace/memory-store.ts';
import { readRateLimit } from './pace/rate-limit.ts';

export type { Fetch } from './fetch-host.ts';
export * from './portable.ts';

export interface FetchClientOptions extends ClientOptions {
  /** Sends the requests, for tests, proxies and tracing. @default the platform's `fetch` */
  fetch?: Fetch | null | undefined;
}

/**
 * Creates a client on the platform's `fetch`, for Bun, Deno and Workers. On Cloudflare Workers, each client paces only
 * itself: keep the client for a key in a Durable Object.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = ({ fetch, ...options }: FetchClientOptions): Client =>
  createPortableClient({ ...(isOnWorkers() ? pacedAlone(options) : options), host: createFetchHost(fetch) });

const isOnWorkers = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers';

/**
 * In a Worker, timers and promises end with the request that created them, so no call may wait for another request's
 * timer. Each client therefore gets a store of its own: clients with different stores share no queue.
 */
const pacedAlone = (options: ClientOptions): ClientOptions => {
  const { minGapMs, reserve, ...limit } = readRateLimit(options);
  const store = options.store ?? createMemoryStore(limit, now);
  return {
    ...options,
    rateLimit: { minGapMs, reserve },
    store: {
      requests: store.requests,
      windowMs: limit.windowMs,
      guardMs: limit.guardMs,
      take: (reserve) => store.take(reserve),
      settle: (permit, sent) => store.settle(permit, sent),
      pause: (until) => store.pause(until),
      free: () => store.free?.(),
    },
  };
};

// Taken when this module loads, so that fake timers, which a test installs later, don't stop the client.
const { setTimeout, clearTimeout } = globalThis;
const now: () => number = performance.now.bind(performance);

const sleep: Host['sleep'] = (ms, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return unlessAborted(slept, signal, () => signal?.reason).finally(() => clearTimeout(timer));
};

const createFetchHost = (fetch?: Fetch | null): Host => ({
  send: createFetchSend(fetch),
  sleep,
  now,
  warn: (...problem) => console.warn(...problem),
});
