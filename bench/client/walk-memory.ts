import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@order-license/core';
import { Pool } from 'undici';
import { startMock } from '../mock-process.ts';
import { table } from '../table.ts';

const orders = 100_000;
const pages = orders / 50;

interface Growth {
  /** Maximum growth of the process's resident set during the walk, in MiB. */
  most: number;
  /** Growth of the heap after the walk and a garbage collection, in MiB. */
  held: number;
}

/** Ways to walk the list. Each runs in its own process, and reads one page before the measurement starts. */
const walkers: Record<string, (baseUrl: string, apiKey: string) => Promise<Growth>> = {
  async 'client.orderPages()'(baseUrl, apiKey) {
    const rateLimit = { requests: 1_000_000, windowMs: 1, guardMs: 0, minGapMs: 0 };
    const client = createClient({ baseUrl, apiKey, rateLimit });
    await client.listOrders({ perPage: 50 });
    const walk = client.orderPages();
    return growth(async (look) => {
      for await (const page of walk) look(page.orders.length);
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

const growth = async (walk: (look: (read: number) => void) => Promise<void>): Promise<Growth> => {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let most = before.rss;
  let read = 0;
  await walk((count) => {
    read += count;
    most = Math.max(most, process.memoryUsage.rss());
  });
  if (read !== orders) throw new Error(`${read} of ${orders} orders were read.`);
  globalThis.gc?.();
  const held = process.memoryUsage().heapUsed - before.heapUsed;
  return { most: (most - before.rss) / 2 ** 20, held: held / 2 ** 20 };
};

const median = (numbers: number[]): string => (numbers.toSorted((a, b) => a - b)[1] ?? 0).toFixed(0);

export const benchWalkMemory = async (): Promise<string> => {
  const rows: string[][] = [];
  for (const name of Object.keys(walkers)) {
    const growths: Growth[] = [];
    for (let round = 0; round < 3; round++) {
      const words = ['--expose-gc', fileURLToPath(import.meta.url), name];
      const { stdout } = await promisify(execFile)(process.execPath, words);
      growths.push(JSON.parse(stdout) as Growth);
    }
    rows.push([name, median(growths.map(({ most }) => most)), median(growths.map(({ held }) => held))]);
  }
  return table([`${orders} orders, medians of 3`, 'peak resident set, MiB', 'heap at the end, MiB'], rows);
};

const name = process.argv[2];
if (import.meta.main && name) {
  const mock = await startMock('--limit', 'off', '--orders', String(orders));
  try {
    console.log(JSON.stringify(await walkers[name]?.(mock.baseUrl, mock.apiKey)));
  } finally {
    mock.stop();
  }
  process.exit();
}
if (import.meta.main) console.log(await benchWalkMemory());
