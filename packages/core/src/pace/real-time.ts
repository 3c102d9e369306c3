import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';
import * as promises from 'node:timers/promises';

// Taken when this module loads, so that fake timers, which a test installs later, don't stop the client.
export const { setTimeout, clearTimeout, setInterval, clearInterval } = timers;
export const { setTimeout: sleep } = promises;
/** Milliseconds on the process's monotonic clock. */
export const now: () => number = performance.now.bind(performance);
const { hrtime } = process;
/** Milliseconds since this machine started, the same in all its processes. */
export const sinceBoot = (): number => Number(hrtime.bigint()) / 1e6;
