// A program with the client of core, in its own process, that reads without a pause until its parent ends it.
import { once } from 'node:events';
import {
  type Client,
  createClient,
  createRedisStore,
  createSqliteStore,
  isOrderLicenseError,
  type SharedStore,
} from '@order-license/core';
import type { StoreAddress } from './store.ts';
import { type Truth, wrongList, wrongOrder } from './truth.ts';

export interface ProgramJob {
  /** Exports all orders one after the other, or reads single orders as a synchronization does. */
  kind: 'export' | 'synchronization';
  baseUrl: string;
  apiKey: string;
  store: StoreAddress;
  /** Requests per minute of all that share the store, and how many of them to reserve for assistants. */
  requests: number;
  reserve: number;
  truth: Truth;
}

export interface ProgramCount {
  /** Reads whole lists, and single orders. */
  walks: number;
  reads: number;
  problems: string[];
  /** What kept the process alive after the last call, apart from its channel to the parent. */
  left?: string[];
}

const [job] = (await once(process, 'message')) as [ProgramJob];
const { kind, baseUrl, apiKey, requests, reserve, truth } = job;
const end = new AbortController();
const { signal } = end;
const count: ProgramCount = { walks: 0, reads: 0, problems: [] };
const openStore = (): SharedStore => {
  const shared = { baseUrl, apiKey, requests };
  return job.store.kind === 'redis'
    ? createRedisStore({ ...shared, redis: job.store.url })
    : createSqliteStore({ ...shared, path: job.store.path });
};

process.on('SIGINT', () => undefined);
process.on('message', (message) => {
  if (message === 'count') process.send?.(count);
  if (message === 'end') end.abort();
});

const works: Record<ProgramJob['kind'], (client: Client) => Promise<void>> = {
  async export(client) {
    const ids: number[] = [];
    for await (const { id } of client.orders({ signal })) ids.push(id);
    count.walks += 1;
    const wrong = wrongList(truth, 0, truth.length, ids);
    if (wrong) count.problems.push(`walk ${count.walks}: ${wrong}`);
  },
  async synchronization(client) {
    for (const [id] of truth) {
      const wrong = wrongOrder(truth, id, await client.getOrder(id, { signal, priority: 'background' }));
      count.reads += 1;
      if (wrong) count.problems.push(wrong);
    }
  },
};

const store = openStore();
const client = createClient({ baseUrl, apiKey, store, rateLimit: { reserve }, userAgent: `${kind}/1.0` });
while (!signal.aborted) {
  try {
    await works[kind](client);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    if (error.code !== 'aborted') count.problems.push(`${error.code}: ${error.message}`);
  }
}
await store.close();
count.left = process.getActiveResourcesInfo().filter((kind) => !['PipeWrap', 'Pipe', 'TTYWrap'].includes(kind));
process.send?.(count);
process.disconnect();
