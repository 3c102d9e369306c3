import type { Host, HttpRequest, HttpResponse } from './base/host.ts';
import { timeoutError } from './base/host-errors.ts';
import { readBody } from './base/read-body.ts';
import { requestFailure } from './base/request-failure.ts';
import { unlessAborted } from './call/stops.ts';
import { type Client, createClient as createPortableClient } from './client/client.ts';
import type { ClientOptions } from './client/client-options.ts';
import { createMemoryStore } from './pace/memory-store.ts';
import { readRateLimit } from './pace/rate-limit.ts';

export * from './portable.ts';

/**
 * Creates a client on the platform's `fetch`, for Bun, Deno and Workers. On Cloudflare Workers, each client paces only
 * itself: keep the client for a key in a Durable Object.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = (options: ClientOptions): Client =>
  createPortableClient({ ...(isOnWorkers() ? pacedAlone(options) : options), host });

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

const now = (): number => performance.now();

const send = async ({ url, apiKey, headers, signal, timeoutMs, maxBytes }: HttpRequest): Promise<HttpResponse> => {
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  try {
    const response = await fetch(url, {
      headers: { ...headers, authorization: `Bearer ${apiKey}` },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status } = response;
    const body = await readBody(response.body ?? [], { status, maxBytes, signal });
    return { status, headers: Object.fromEntries(response.headers), body };
  } catch (error) {
    throw timeout.aborted ? timeoutError(timeoutMs) : requestFailure(error, anyCode);
  }
};

/** Error codes of Node, and of Bun, such as `ConnectionRefused`. */
const anyCode = /^[A-Z]\w{2,39}$/;

const sleep: Host['sleep'] = (ms, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return unlessAborted(slept, signal, () => signal?.reason).finally(() => clearTimeout(timer));
};

const host: Host = { send, sleep, now, warn: (...problem) => console.warn(...problem) };
