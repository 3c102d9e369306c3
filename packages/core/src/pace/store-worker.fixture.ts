import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ClientEvent } from '../base/events.ts';
import { client } from './redis-client.fixture.ts';
import { createRedisStore } from './redis-store.ts';
import type { SharedStore, SharedStoreOptions } from './shared-store.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Instructions for one process, as JSON in its first argument. */
export interface WorkOrder extends Omit<SharedStoreOptions, 'now' | 'onEvent'> {
  path?: string;
  redis?: string;
  /** Number of exchanges to run, one after the other. */
  count: number;
  /** Maximum duration of one exchange, ms. */
  tripMs: number;
  /** ID of the user to run as. */
  uid?: number;
}

/** All times are in ms, on the clock that all processes of the machine share. */
export type WorkReport =
  | { type: 'granted' | 'settled'; id: string; at: number }
  | { type: 'event'; event: ClientEvent }
  | { type: 'ready' | 'rejected' | 'done' };

const report = (message: WorkReport): void => {
  process.send?.(message);
};

const at = (): number => Number(process.hrtime.bigint()) / 1e6;

const work = async (store: SharedStore, { count, tripMs }: WorkOrder): Promise<void> => {
  for (let made = 0; made < count; ) {
    const result = await store.take();
    if ('retryAt' in result) {
      report({ type: 'rejected' });
      await setTimeout(Math.max(0, result.retryAt - performance.now()));
      continue;
    }
    const id = String(result.permit.id);
    report({ type: 'granted', id, at: at() });
    await setTimeout(Math.random() * tripMs);
    report({ type: 'settled', id, at: at() });
    await store.settle(result.permit);
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
  const { count, tripMs, uid, path, redis, ...shared } = order;
  const options = { ...shared, onEvent: (event: ClientEvent) => report({ type: 'event', event }) };
  await work(redis ? createRedisStore({ ...options, redis, client }) : createSqliteStore({ ...options, path }), order);
  report({ type: 'done' });
  process.disconnect?.();
}
