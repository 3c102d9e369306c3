import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, type Host } from '@order-license/core/portable';
import { table } from '../table.ts';

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

/**
 * Number of callers that arrive or leave at a time. It is small, as for requests to a server, so that only the queue
 * can block the event loop for long.
 */
const batch = 50;
const inBatches = async (count: number, step: (index: number) => void): Promise<void> => {
  for (let index = 0; index < count; index++) {
    step(index);
    if (index % batch === batch - 1) await setImmediate();
  }
};

/**
 * Measures the longest turn of the event loop: its wall time or the process's CPU time, whichever is less. The thread's
 * own CPU time would be more exact, but Linux counts it only in steps of 4 ms.
 */
const watchBlocks = () => {
  let maxMs = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const [start, before] = [performance.now(), process.cpuUsage()];
      await setImmediate();
      const { user, system } = process.cpuUsage(before);
      maxMs = Math.max(maxMs, Math.min(performance.now() - start, (user + system) / 1_000));
    }
  };
  const watching = watch();
  return {
    async maxMs() {
      isOver = true;
      await watching;
      return maxMs;
    },
  };
};

type Call = (options: { signal: AbortSignal }) => Promise<unknown>;

/** Waits until the signal aborts, as a baseline without the client. */
const waitForAbort: Call = async ({ signal }) => {
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
};

/** Returns a call that has to wait, because its client has reached the limit. */
const openWaiting = async (): Promise<Call> => {
  const client = open(1);
  await client.getMe();
  return client.getMe;
};

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const wait = async (call: Call, count: number, isShared: boolean): Promise<{ cpuMs: number; blockMs: number }> => {
  collectGarbage(); // removes the previous run's garbage, so that collecting it is not measured here
  const shared = new AbortController();
  const blocks = watchBlocks();
  const before = process.cpuUsage();
  const calls: Promise<unknown>[] = [];
  const aborts: AbortController[] = [];
  await inBatches(count, () => {
    const abort = isShared ? shared : new AbortController();
    aborts.push(abort);
    calls.push(call({ signal: abort.signal }).catch(() => undefined));
  });
  await setTimeout(20);
  if (isShared) shared.abort();
  else await inBatches(count, (index) => aborts[index]?.abort());
  await Promise.all(calls);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, blockMs: await blocks.maxMs() };
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const measure = async (what: string, openCall: () => Promise<Call>, count: number, isShared: boolean) => {
  const runs = [];
  for (let run = 0; run < 9; run++) runs.push(await wait(await openCall(), count, isShared));
  const cpuUs = (1_000 * median(runs.map(({ cpuMs }) => cpuMs))) / count;
  return [
    `${count} ${what}, ${isShared ? 'one signal' : 'a signal each'}`,
    cpuUs.toFixed(0),
    median(runs.map(({ blockMs }) => blockMs)).toFixed(1),
  ];
};

const firstCalls = async (known: number): Promise<string[]> => {
  const calls = 10;
  await inBatches(known - keys, () => void open(60).getMe());
  const cpuUs = [];
  for (let run = 0; run < 9; run++) {
    const before = process.cpuUsage();
    await inBatches(calls, () => void open(60).getMe());
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    cpuUs.push((user + system) / calls);
  }
  return [`first call with a new key, ${known} keys in use`, median(cpuUs).toFixed(0), ''];
};

/**
 * Measures the cost of a thousand waiting calls, and the cost of the first call with a new key when many keys are in
 * use.
 */
export const benchManyWaiting = async (): Promise<string> => {
  await wait(await openWaiting(), 1_000, false);
  const rows = [];
  for (const isShared of [false, true]) {
    rows.push(await measure('calls', openWaiting, 1_000, isShared));
    rows.push(await measure('bare promises', async () => waitForAbort, 1_000, isShared));
  }
  for (const known of [100, 900]) rows.push(await firstCalls(known));
  return table(['waiting, then aborted', 'CPU µs each', 'longest block, ms'], rows);
};

if (import.meta.main) console.log(await benchManyWaiting());
