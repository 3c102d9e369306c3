import { once } from 'node:events';
import { createRedisStore } from '@order-license/core';
import { type Job, sharedPacers } from './shared-pacers.ts';

// A process of shared-stores.ts: reports ready, waits for go, reports done.
const job: Job = JSON.parse(process.argv[2] ?? '{}');
// The other libraries' Redis client is loaded with this file; ours would otherwise be loaded on first use, within the
// measured time.
await createRedisStore({ baseUrl: job.baseUrl, apiKey: 'another-key', redis: job.redis }).take();
process.send?.('ready');
await once(process, 'message');
const rejected = await sharedPacers[job.pacer]?.(job);
process.send?.({ rejected }, () => process.exit());
