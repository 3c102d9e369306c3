import type { Host } from './base/host.ts';
import { inTime, unlessAborted } from './base/stops.ts';
import { type Client, createClientOn } from './client/client.ts';
import type { ClientOptions } from './client/client-options.ts';
import { createFetchSend, type Fetch } from './fetch-host.ts';
import { createPacers } from './pace/pacers-by-key.ts';

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
export const createClient = ({ fetch, ...options }: FetchClientOptions): Client => {
  const host: Host = { send: createFetchSend(fetch), sleep, now, warn: (...problem) => console.warn(...problem) };
  return createClientOn({ ...options, host }, inTime(host), isOnWorkers() ? createPacers() : undefined);
};

/**
 * In a Worker, timers and promises end with the request that created them, so no call may wait for another request's
 * timer. Clients therefore share no queue there, even if they have the same store.
 */
const isOnWorkers = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers';

// Taken when this module loads, so that fake timers, which a test installs later, don't stop the client.
const { setTimeout, clearTimeout } = globalThis;
const now: () => number = performance.now.bind(performance);

const sleep: Host['sleep'] = (ms, signal) => {
  const { promise: slept, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return unlessAborted(slept, signal).finally(() => clearTimeout(timer));
};
