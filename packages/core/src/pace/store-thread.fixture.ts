import { parentPort, workerData } from 'node:worker_threads';
import { createSqliteStore } from './sqlite-store.ts';

// A worker thread that takes all permits it can and reports how many.
const store = createSqliteStore(workerData);
let taken = 0;
while ('permit' in (await store.take())) taken += 1;
await store.close();
parentPort?.postMessage(taken);
