import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ClientEvent } from '../base/events.ts';
import type { WorkOrder, WorkReport } from './store-worker.fixture.ts';

export interface Worker {
  process: ChildProcess;
  /** The exchanges so far, with the times at which each was granted and settled. */
  exchanges: Map<string, { grantedAt: number; settledAt?: number }>;
  events: ClientEvent[];
  output: () => string;
  /** Resolves to true if the process completed its instructions. */
  ended: Promise<boolean>;
  /** Resolves once the process has been granted `count` exchanges. */
  granted(count: number): Promise<void>;
  /** Resolves at the first denial. */
  rejected: Promise<void>;
}

/** Starts processes that begin to use stores at the same moment, and kills them when the test ends. */
export const startWorkers = async (orders: WorkOrder[]): Promise<Worker[]> => {
  const workers = orders.map(startWorker);
  await Promise.all(workers.map(({ process }) => once(process, 'message')));
  for (const { process } of workers) process.send('go');
  return workers;
};

const startWorker = (order: WorkOrder): Worker => {
  const script = fileURLToPath(new URL('store-worker.fixture.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(order)], { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exchanges: Worker['exchanges'] = new Map();
  const events: ClientEvent[] = [];
  let output = '';
  let done = false;
  const { promise: rejected, resolve: onRejected } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  child.on('message', (message: WorkReport) => {
    if (message.type === 'granted') exchanges.set(message.id, { grantedAt: message.at });
    if (message.type === 'settled') Object.assign(exchanges.get(message.id) ?? {}, { settledAt: message.at });
    if (message.type === 'event') events.push(message.event);
    if (message.type === 'rejected') onRejected();
    if (message.type === 'done') done = true;
  });
  return {
    process: child,
    exchanges,
    events,
    output: () => output,
    ended: once(child, 'exit').then(() => done),
    rejected,
    async granted(count) {
      while (exchanges.size < count) await once(child, 'message');
    },
  };
};

/**
 * Returns the maximum number of permits taken at once: in flight, or settled less than `holdMs` ago. The API never
 * receives more requests than this within `holdMs`, however it counts its windows, and at whatever moment of its
 * exchange a request arrives.
 */
export const maxAtOnce = (workers: Worker[], holdMs: number): number => {
  const all = workers.flatMap(({ exchanges }) => [...exchanges.values()]);
  const outAt = (at: number) =>
    all.filter(({ grantedAt, settledAt = Infinity }) => grantedAt <= at && at < settledAt + holdMs).length;
  return Math.max(...all.map(({ grantedAt }) => outAt(grantedAt)));
};
