import { createClient } from '@order-license/core';
import { Pool } from 'undici';
import { startMock } from '../mock-process.ts';
import { table } from '../table.ts';

const rounds = 15;
const calls = 1_500;
const inFlight = 8;

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const cpuPerCall = async (call: () => Promise<unknown>): Promise<number> => {
  let left = calls;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
};

/**
 * Measures the CPU time per page of 50 orders: first with only a connection pool and JSON.parse, then with the client
 * and all its checks.
 */
export const benchClientCpu = async (): Promise<string> => {
  const mock = await startMock('--limit', 'off', '--control', 'off');
  const { baseUrl, apiKey } = mock;
  try {
    const pool = new Pool(new URL(baseUrl).origin);
    const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
    const path = `${new URL(baseUrl).pathname}/orders?page=1&per_page=50`;
    const options = {
      baseUrl,
      apiKey,
      concurrency: inFlight,
      rateLimit: { requests: 1_000_000, windowMs: 1, guardMs: 0, minGapMs: 0 },
    };
    const plain = createClient(options);
    let deviations = 0;
    const checked = createClient({
      ...options,
      onEvent: ({ type }) => {
        deviations += type === 'deviation' ? 1 : 0;
      },
    });
    const candidates: Record<string, () => Promise<unknown>> = {
      'Pool.request + JSON.parse': async () => {
        const { body } = await pool.request({ path, method: 'GET', headers });
        return JSON.parse(await body.text());
      },
      client: () => plain.listOrders({ page: 1, perPage: 50 }),
      'client with `onEvent`': () => checked.listOrders({ page: 1, perPage: 50 }),
    };
    const figures = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
    for (const call of Object.values(candidates)) await cpuPerCall(call);
    for (let round = 0; round < rounds; round++) {
      for (const [name, call] of Object.entries(candidates)) figures.get(name)?.push(await cpuPerCall(call));
    }
    await pool.close();
    if (deviations > 0) throw new Error('The responses of the strict mock differ from the API docs.');
    const base = median(figures.get('Pool.request + JSON.parse') ?? []);
    return table(
      [`page of 50, ${inFlight} in flight`, 'CPU µs per call', 'ratio'],
      [...figures].map(([name, values]) => [name, median(values).toFixed(0), (median(values) / base).toFixed(2)]),
    );
  } finally {
    mock.stop();
  }
};

if (import.meta.main) console.log(await benchClientCpu());
