import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createClient, createRedisStore, createSqliteStore, type RateLimitStore } from '@order-license/core';

export interface Job {
  baseUrl: string;
  apiKey: string;
  store: 'memory' | 'sqlite' | 'redis';
  path: string;
  redis: string;
  reserve: number;
  /** Number of bulk calls. All start at once. */
  bulk: number;
  /** Number of interactive calls: the first after `firstMs`, then one every `everyMs`. */
  interactive: number;
  firstMs: number;
  everyMs: number;
}

export interface Result {
  /** Duration of each interactive call, ms. */
  waits: number[];
  bulk: number;
  rejected: number;
}

const openStore = ({ store, baseUrl, apiKey, path, redis }: Job): RateLimitStore | undefined => {
  if (store === 'sqlite') return createSqliteStore({ baseUrl, apiKey, path });
  const client = () => import('@redis/client');
  return store === 'redis' ? createRedisStore({ baseUrl, apiKey, redis, client }) : undefined;
};

// One of the processes that shares.ts starts. Reports that it is ready, waits for the start signal, and reports its
// result.
const job: Job = JSON.parse(process.argv[2] ?? '{}');
const result: Result = { waits: [], bulk: 0, rejected: 0 };
const client = createClient({
  baseUrl: job.baseUrl,
  apiKey: job.apiKey,
  store: openStore(job),
  rateLimit: { reserve: job.reserve },
  onEvent: ({ type }) => {
    if (type === 'rate_limited') result.rejected += 1;
  },
});
process.send?.('ready');
await once(process, 'message');

const bulkCall = async (): Promise<void> => {
  await client.getMe({ priority: 'bulk' });
  result.bulk += 1;
};
for (let call = 0; call < job.bulk; call++) bulkCall().catch(() => undefined); // calls that are still pending fail when the process ends

await setTimeout(job.firstMs);
const interactiveCall = async (index: number): Promise<void> => {
  await setTimeout(index * job.everyMs);
  const askedAt = performance.now();
  await client.getMe();
  result.waits.push(performance.now() - askedAt);
};
await Promise.all(Array.from({ length: job.interactive }, (_, index) => interactiveCall(index)));
process.send?.(result, () => process.exit());
