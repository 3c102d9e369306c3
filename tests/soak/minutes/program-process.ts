// A program with the core client, in its own process. Reads without a pause until the parent process ends it.
import { once } from 'node:events';
import {
  type Client,
  createClient,
  createRedisStore,
  createSqliteStore,
  isOrderLicenseError,
  type SharedStore,
} from '@order-license/core';
import { type Truth, wrongList, wrongOrder } from './truth.ts';

export interface ProgramJob {
  /** `export` walks the whole list again and again; `synchronization` reads orders one at a time. */
  kind: 'export' | 'synchronization';
  baseUrl: string;
  apiKey: string;
  /** The value of ORDER_LICENSE_STORE. */
  store: string;
  /**
   * Requests per minute for all processes that share the store, and how many of these requests to reserve for
   * assistants.
   */
  requests: number;
  reserve: number;
  truth: Truth;
}

export interface ProgramCount {
  /** Number of complete walks, and number of orders that were read individually. */
  walks: number;
  reads: number;
  problems: string[];
  /** Handles still open after the last call, apart from the channel to the parent process. */
  left?: string[];
}

const [job] = (await once(process, 'message')) as [ProgramJob];
const { kind, baseUrl, apiKey, requests, reserve, truth } = job;
const end = new AbortController();
const { signal } = end;
const count: ProgramCount = { walks: 0, reads: 0, problems: [] };
const openStore = (): SharedStore => {
  const shared = { baseUrl, apiKey, requests };
  return job.store.startsWith('sqlite:')
    ? createSqliteStore({ ...shared, path: job.store.replace('sqlite:', '') })
    : createRedisStore({ ...shared, redis: job.store, client: () => import('@redis/client') });
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
