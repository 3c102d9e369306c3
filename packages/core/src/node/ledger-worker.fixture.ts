import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ClientEvent } from '../portable/events.ts';
import { createRedisLedger } from './redis-ledger.ts';
import type { SharedLedger, SharedLedgerOptions } from './shared-ledger.ts';
import { createSqliteLedger } from './sqlite-ledger.ts';

/** What one process is told to do, as JSON in its first argument. */
export interface WorkOrder extends Omit<SharedLedgerOptions, 'now' | 'onEvent'> {
  path?: string;
  redis?: string;
  /** Exchanges to make, one after the other. */
  count: number;
  /** Longest time of one exchange, ms. */
  tripMs: number;
  /** User to become before anything is done. */
  uid?: number;
}

/** Times in ms of the clock that all processes of the machine share. */
export type WorkReport =
  | { type: 'granted' | 'settled'; id: string; at: number }
  | { type: 'event'; event: ClientEvent }
  | { type: 'ready' | 'refused' | 'done' };

const report = (message: WorkReport): void => {
  process.send?.(message);
};

const at = (): number => Number(process.hrtime.bigint()) / 1e6;

const work = async (ledger: SharedLedger, { count, tripMs }: WorkOrder): Promise<void> => {
  for (let made = 0; made < count; ) {
    const answer = await ledger.take();
    if ('retryAt' in answer) {
      report({ type: 'refused' });
      await setTimeout(Math.max(0, answer.retryAt - performance.now()));
      continue;
    }
    const id = String(answer.permit.id);
    report({ type: 'granted', id, at: at() });
    await setTimeout(Math.random() * tripMs);
    report({ type: 'settled', id, at: at() });
    await ledger.settle(answer.permit);
    made += 1;
  }
};

if (process.argv[1] === import.meta.filename) {
  const order: WorkOrder = JSON.parse(process.argv[2] ?? '');
  if (order.uid !== undefined) {
    process.setgid?.(order.uid);
    process.setuid?.(order.uid);
  }
  report({ type: 'ready' });
  await once(process, 'message');
  const options = { ...order, onEvent: (event: ClientEvent) => report({ type: 'event', event }) };
  await work(order.redis ? createRedisLedger({ ...options, redis: order.redis }) : createSqliteLedger(options), order);
  report({ type: 'done' });
  process.disconnect?.();
}
