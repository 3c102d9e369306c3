// Walks and single reads with the client of core, in its own process, until its parent disconnects.
import { createClient, createSqliteStore, isOrderLicenseError } from '@order-license/core';

export interface WalkerCount {
  walks: number;
  reads: number;
  problems: string[];
  /** What kept the process alive after the last call, except its channel to the parent. */
  left?: string[];
}

const [baseUrl = '', apiKey = '', path = ''] = process.argv.slice(2);
// It leaves 20 of the 60 to the assistants, which send 15 a minute.
const store = createSqliteStore({ baseUrl, apiKey, path, requests: 40 });
const client = createClient({ baseUrl, apiKey, store });
const end = new AbortController();
const count: WalkerCount = { walks: 0, reads: 0, problems: [] };

process.on('SIGINT', () => undefined);
process.on('message', (message) => {
  if (message === 'count') process.send?.(count);
  if (message === 'end') end.abort();
});

while (!end.signal.aborted) {
  try {
    const given = new Set<number>();
    for await (const { id } of client.orders({ signal: end.signal })) {
      given.add(id);
      if (given.size % 50 === 1) {
        await client.getOrder(id, { signal: end.signal });
        count.reads += 1;
      }
    }
    count.walks += 1;
    if (given.size !== 300) count.problems.push(`a walk returned ${given.size} orders`);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    if (error.code !== 'aborted') count.problems.push(`${error.code}: ${error.message}`);
  }
}
await store.close();
count.left = process.getActiveResourcesInfo().filter((kind) => !['PipeWrap', 'Pipe', 'TTYWrap'].includes(kind));
process.send?.(count);
process.disconnect();
