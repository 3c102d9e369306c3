import { setTimeout } from 'node:timers/promises';
import type { Host } from '../portable/index.ts';
import { createSend } from './transport.ts';
import { warn } from './warn.ts';

/** A host on Node: undici, Node's timers, the monotonic clock of the process. */
export const createNodeHost = (apiKey: string): Host => ({
  send: createSend(apiKey),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
  now,
  warn,
});

const now = (): number => performance.now();
