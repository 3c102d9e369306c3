import { setTimeout } from 'node:timers/promises';
import {
  type ClientOptions,
  createClient,
  createRedisStore,
  createSqliteStore,
  type RateLimitStore,
} from '@order-license/core';
import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';
import { RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';
import { request } from 'undici';

/** What one of the four processes has to do. */
export interface Job {
  pacer: string;
  baseUrl: string;
  apiKey: string;
  windowMs: number;
  requests: number;
  inFlight: number;
  redis: string;
  path: string;
}

/** Sends the job's requests, repeats each until it gets a 200, and returns the number of rejections. */
type SharedPacer = (job: Job) => Promise<number>;

const inParallel = async ({ requests, inFlight }: Job, call: () => Promise<unknown>): Promise<void> => {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
};

/** Paces with our client. `guardMs` and `minGapMs` have the same proportion to the window as by default. */
const ours =
  (options: (job: Job) => Partial<ClientOptions>): SharedPacer =>
  async (job) => {
    let rejected = 0;
    const client = createClient({
      baseUrl: job.baseUrl,
      apiKey: job.apiKey,
      concurrency: job.inFlight,
      onEvent({ type }) {
        if (type === 'rate_limited') rejected += 1;
      },
      ...options(job),
    });
    await inParallel(job, () => client.getMe());
    return rejected;
  };

const gapOf = ({ windowMs }: Job) => ({ minGapMs: windowMs / 3_000 });

const keyOf = ({ baseUrl, apiKey }: Job) => ({ baseUrl, apiKey });

const limitOf = ({ windowMs }: Job, requests: number) => ({ requests, windowMs, guardMs: windowMs / 60 });

const alone = (requests: number) => ours((job) => ({ rateLimit: { ...limitOf(job, requests), ...gapOf(job) } }));

const sharing = (storeOf: (job: Job) => RateLimitStore) =>
  ours((job) => ({ rateLimit: gapOf(job), store: storeOf(job) }));

/**
 * Sends requests through another library's limiter. After a 429, waits one window, as the API docs advise, and retries.
 */
const otherLibrary = async (job: Job, paced: (send: () => Promise<number>) => Promise<number>): Promise<number> => {
  let rejected = 0;
  const headers = { authorization: `Bearer ${job.apiKey}`, accept: 'application/json' };
  const send = async () => {
    const { statusCode, body } = await request(`${job.baseUrl}/me`, { headers });
    await body.dump();
    return statusCode;
  };
  await inParallel(job, async () => {
    while ((await paced(send)) === 429) {
      rejected += 1;
      await setTimeout(job.windowMs);
    }
  });
  return rejected;
};

const flexible =
  (extraMs: number): SharedPacer =>
  async (job) => {
    const redis = new Redis(job.redis, { enableOfflineQueue: false, lazyConnect: true });
    await redis.connect();
    const duration = (job.windowMs + extraMs) / 1_000;
    const queue = new RateLimiterQueue(new RateLimiterRedis({ storeClient: redis, points: 60, duration }), {
      maxQueueSize: 10_000,
    });
    const rejected = await otherLibrary(job, async (send) => {
      await queue.removeTokens(1, job.baseUrl);
      return send();
    });
    redis.disconnect();
    return rejected;
  };

export const sharedPacers: Record<string, SharedPacer> = {
  'core, SQLite store': sharing((job) => createSqliteStore({ ...keyOf(job), ...limitOf(job, 60), path: job.path })),
  'core, Redis store': sharing((job) =>
    createRedisStore({ ...keyOf(job), ...limitOf(job, 60), redis: job.redis, client: () => import('@redis/client') }),
  ),
  'core, a quarter of the limit each': alone(15),
  'core, nothing shared': alone(60),
  'rate-limiter-flexible 11, Redis and queue': flexible(0),
  'the same, window a second longer': flexible(1_000),
  async 'Bottleneck 2, clustered'(job) {
    const { hostname: host, port } = new URL(job.redis);
    const limiter = new Bottleneck({
      id: job.baseUrl,
      datastore: 'ioredis',
      Redis,
      clientOptions: { host, port: Number(port) },
      maxConcurrent: job.inFlight * 4,
      reservoir: 60,
      reservoirRefreshAmount: 60,
      reservoirRefreshInterval: job.windowMs,
    });
    const rejected = await otherLibrary(job, (send) => limiter.schedule(send));
    await limiter.disconnect(false);
    return rejected;
  },
};
