import { once } from 'node:events';
import { type Job, sharedPacers } from './shared-pacers.ts';

// One of the processes of shared-ledgers.ts: ready, go, done.
const job: Job = JSON.parse(process.argv[2] ?? '{}');
process.send?.('ready');
await once(process, 'message');
const refused = await sharedPacers[job.pacer]?.(job);
process.send?.({ refused }, () => process.exit());
