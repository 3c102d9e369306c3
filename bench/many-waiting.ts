import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Host } from '@order-license/core/host';
import { createClient } from '@order-license/core/portable';
import { table } from './table.ts';

const body = new TextEncoder().encode('{"status":200,"data":{}}');
const host: Host = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }),
  send: async () => ({ status: 200, headers: {}, body }),
};
let keys = 0;
const open = (requests: number) =>
  createClient({
    baseUrl: 'https://shop.example/api/v1',
    apiKey: `key-${++keys}`,
    host,
    rateLimit: { requests, minGapMs: 0 },
  });

/** Callers come and leave 50 at a time, as requests to a server do: what blocks in between is the queue's own. */
const batch = 50;
const inBatches = async (count: number, step: (index: number) => void): Promise<void> => {
  for (let index = 0; index < count; index++) {
    step(index);
    if (index % batch === batch - 1) await setImmediate();
  }
};

/** CPU time of this thread between two turns of the event loop: other programs on the machine do not show in it. */
const watchBlocks = () => {
  let maxUs = 0;
  let isOver = false;
  const watch = async () => {
    for (let before = process.threadCpuUsage(); !isOver; before = process.threadCpuUsage()) {
      await setImmediate();
      const { user, system } = process.threadCpuUsage(before);
      maxUs = Math.max(maxUs, user + system);
    }
  };
  const watching = watch();
  return {
    async maxMs() {
      isOver = true;
      await watching;
      return maxUs / 1_000;
    },
  };
};

const wait = async (count: number, isShared: boolean): Promise<{ cpuMs: number; blockMs: number }> => {
  const client = open(1);
  await client.getMe();
  const shared = new AbortController();
  const blocks = watchBlocks();
  const before = process.cpuUsage();
  const calls: Promise<unknown>[] = [];
  const aborts: AbortController[] = [];
  await inBatches(count, () => {
    const abort = isShared ? shared : new AbortController();
    aborts.push(abort);
    calls.push(client.getMe({ signal: abort.signal }).catch(() => undefined));
  });
  await setTimeout(20);
  if (isShared) shared.abort();
  else await inBatches(count, (index) => aborts[index]?.abort());
  await Promise.all(calls);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, blockMs: await blocks.maxMs() };
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const measure = async (count: number, isShared: boolean): Promise<string[]> => {
  const runs = [];
  for (let run = 0; run < 5; run++) runs.push(await wait(count, isShared));
  const cpuUs = (1_000 * median(runs.map(({ cpuMs }) => cpuMs))) / count;
  return [
    `${count} calls wait and are aborted, ${isShared ? 'by one signal' : 'each by its own'}`,
    cpuUs.toFixed(0),
    median(runs.map(({ blockMs }) => blockMs)).toFixed(1),
  ];
};

const firstCalls = async (known: number): Promise<string[]> => {
  const calls = 100;
  await inBatches(known - keys, () => void open(60).getMe());
  const cpuUs = [];
  for (let run = 0; run < 9; run++) {
    const before = process.cpuUsage();
    await inBatches(calls, () => void open(60).getMe());
    const { user, system } = process.cpuUsage(before);
    cpuUs.push((user + system) / calls);
  }
  return [`first call of a key, ${known} keys in use`, median(cpuUs).toFixed(0), ''];
};

/** What waiting calls and keys cost, by their number. */
export const benchManyWaiting = async (): Promise<string> => {
  await wait(2_000, false);
  const rows = [];
  for (const isShared of [false, true]) {
    for (const count of [1_250, 5_000, 20_000]) rows.push(await measure(count, isShared));
  }
  for (const known of [1_000, 10_000]) rows.push(await firstCalls(known));
  return table(['in one process', 'CPU µs each', 'longest block, ms'], rows);
};

if (import.meta.main) console.log(await benchManyWaiting());
