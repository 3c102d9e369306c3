import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@order-license/core';
import { Pool } from 'undici';
import { startMock } from './mock-process.ts';
import { table } from './table.ts';

const orders = 100_000;
const pages = orders / 50;

/** What each way adds to the resident set of its own process, which has read one page before, in MiB. */
const walkers: Record<string, (baseUrl: string, apiKey: string) => Promise<number>> = {
  async 'client.orderPages()'(baseUrl, apiKey) {
    const rateLimit = { requests: 1_000_000, windowMs: 1, guardMs: 0, minGapMs: 0 };
    const client = createClient({ baseUrl, apiKey, rateLimit });
    await client.listOrders({ perPage: 50 });
    return growth(async (look) => {
      for await (const page of client.orderPages()) look(page.orders.length);
    });
  },
  async 'Pool.request + JSON.parse, nothing kept'(baseUrl, apiKey) {
    const pool = new Pool(new URL(baseUrl).origin);
    const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
    const read = async (page: number) => {
      const path = `${new URL(baseUrl).pathname}/orders?page=${page}&per_page=50`;
      const { body } = await pool.request({ path, method: 'GET', headers });
      return (JSON.parse(await body.text()) as { data: { orders: unknown[] } }).data.orders.length;
    };
    await read(1);
    return growth(async (look) => {
      for (let page = 1; page <= pages; page++) look(await read(page));
    });
  },
};

const growth = async (walk: (look: (read: number) => void) => Promise<void>): Promise<number> => {
  const before = process.memoryUsage.rss();
  let most = before;
  let read = 0;
  await walk((count) => {
    read += count;
    most = Math.max(most, process.memoryUsage.rss());
  });
  if (read !== orders) throw new Error(`${read} of ${orders} orders were read.`);
  return (most - before) / 2 ** 20;
};

export const benchWalkMemory = async (): Promise<string> => {
  const rows: string[][] = [];
  for (const name of Object.keys(walkers)) {
    const added: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), name]);
      added.push(Number(stdout));
    }
    rows.push([name, added.toSorted((a, b) => a - b)[1]?.toFixed(0) ?? '']);
  }
  return table([`a walk over ${orders} orders, median of 3`, 'MiB added to the resident set'], rows);
};

const name = process.argv[2];
if (import.meta.main && name) {
  const mock = await startMock('--limit', 'off', '--orders', String(orders));
  try {
    console.log(await walkers[name]?.(mock.baseUrl, mock.apiKey));
  } finally {
    mock.stop();
  }
  process.exit();
}
if (import.meta.main) console.log(await benchWalkMemory());
