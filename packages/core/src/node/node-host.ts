import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Host } from '../for-hosts.ts';
import { createSend } from './transport.ts';
import { warn } from './warn.ts';

/**
 * A host for Node: undici, Node's timers, the process's monotonic clock.
 * @param dispatcher sends the requests instead of the process's shared connections
 */
export const createNodeHost = (dispatcher?: Dispatcher): Host => ({
  send: createSend(dispatcher),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
  now,
  warn,
});

const now = (): number => performance.now();
