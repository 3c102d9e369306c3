import { once } from 'node:events';
import { createRedisStore } from '@order-license/core';
import { type Job, sharedPacers } from './shared-pacers.ts';

// One of the processes that shared-stores.ts starts. Reports that it is ready, waits for the start signal, and reports
// its result.
const job: Job = JSON.parse(process.argv[2] ?? '{}');
// Loads our Redis client before the measurement, because the other libraries' client is already loaded. Otherwise, our
// client would be loaded on first use.
const client = () => import('@redis/client');
await createRedisStore({ baseUrl: job.baseUrl, apiKey: 'another-key', redis: job.redis, client }).take();
process.send?.('ready');
await once(process, 'message');
const rejected = await sharedPacers[job.pacer]?.(job);
process.send?.({ rejected }, () => process.exit());
