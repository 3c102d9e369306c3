import type { Host } from '@order-license/core/portable';
import { now, sleep } from './virtual-time.ts';

type Request = () => Promise<number>;

/** Sends `count` requests, `inFlight` at a time, and repeats each until it gets a 200. */
export type Pacer = (request: Request, count: number, inFlight: number) => Promise<void>;

/** Follows the API docs' advice for a 429: waits 60 s, then retries through the same pacer. */
const persist = async (paced: Request): Promise<void> => {
  while ((await paced()) === 429) await sleep(60_000);
};

const workers = async (count: number, inFlight: number, job: () => Promise<void>): Promise<void> => {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await job();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
};

const throttled =
  (options: { limit: number; interval: number; strict?: boolean }): Pacer =>
  async (request, count, inFlight) => {
    const { default: pThrottle } = await import('p-throttle');
    const paced = pThrottle(options)(request);
    await workers(count, inFlight, () => persist(paced));
  };

const queued =
  (interval: number): Pacer =>
  async (request, count, inFlight) => {
    const { default: PQueue } = await import('p-queue');
    const queue = new PQueue({ concurrency: inFlight, interval, intervalCap: 60, strict: true });
    await workers(count, inFlight, () => persist(() => queue.add(request)));
  };

const withReservoir =
  (reservoirRefreshInterval: number): Pacer =>
  async (request, count, inFlight) => {
    const { default: Bottleneck } = await import('bottleneck');
    const limiter = new Bottleneck({
      maxConcurrent: inFlight,
      reservoir: 60,
      reservoirRefreshAmount: 60,
      reservoirRefreshInterval,
    });
    await workers(count, inFlight, () => persist(() => limiter.schedule(request)));
    await limiter.disconnect();
  };

/**
 * Paces with rate-limiter-flexible's queue.
 * @param duration length of the window, s
 */
const withTokens =
  (duration: number): Pacer =>
  async (request, count, inFlight) => {
    const { RateLimiterMemory, RateLimiterQueue } = await import('rate-limiter-flexible');
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points: 60, duration }), { maxQueueSize: 10_000 });
    const paced = async () => {
      await queue.removeTokens(1);
      return request();
    };
    await workers(count, inFlight, () => persist(paced));
  };

let uniqueKey = 0;

export const pacers: Record<string, Pacer> = {
  async '@order-license/core'(request, count, inFlight) {
    const { createClient } = await import('@order-license/core/portable');
    const body = new TextEncoder().encode('{"status":200,"data":{}}');
    const send: Host['send'] = async () => ({ status: await request(), headers: {}, body });
    const client = createClient({
      baseUrl: 'https://virtual.example/api/v1',
      apiKey: `key-${++uniqueKey}`,
      concurrency: inFlight,
      host: { send, sleep, now },
    });
    await workers(count, inFlight, async () => {
      await client.getMe({ priority: 'bulk' });
    });
  },
  async 'no pacing, wait 60 s on 429'(request, count, inFlight) {
    await workers(count, inFlight, () => persist(request));
  },
  async 'one per second'(request, count, inFlight) {
    let next = now();
    const paced = async () => {
      const at = Math.max(next, now());
      next = at + 1_000;
      await sleep(at - now());
      return request();
    };
    await workers(count, inFlight, () => persist(paced));
  },
  'p-throttle 8': throttled({ limit: 60, interval: 60_000 }),
  'p-throttle 8, 61 s': throttled({ limit: 60, interval: 61_000 }),
  'p-throttle 8, strict': throttled({ limit: 60, interval: 60_000, strict: true }),
  'p-throttle 8, strict, 61 s': throttled({ limit: 60, interval: 61_000, strict: true }),
  'p-queue 10, strict': queued(60_000),
  'p-queue 10, strict, 61 s': queued(61_000),
  'Bottleneck 2, reservoir': withReservoir(60_000),
  'Bottleneck 2, reservoir, 61 s': withReservoir(61_000),
  'rate-limiter-flexible 11, queue': withTokens(60),
  'rate-limiter-flexible 11, queue, 61 s': withTokens(61),
};
