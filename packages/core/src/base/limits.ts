import type { CallOptions } from './call-options.ts';
import { checkNumber } from './checks.ts';

/** Maximum duration of a request in flight, ms: a permit that was never settled expires one window and guard later. */
export const maxFlightMs = 120_000;

/** How long a call may take, ms, and how often it is retried. */
export type Limits = Record<'maxWaitMs' | 'deadlineMs' | 'timeoutMs' | 'retries', number>;

/**
 * @param defaults for what `given` omits
 * @throws `configuration` for a number out of range
 */
export const readLimits = (given: CallOptions, defaults: Limits): Limits => ({
  maxWaitMs: checkNumber('maxWaitMs', given.maxWaitMs ?? defaults.maxWaitMs, 0, Infinity),
  deadlineMs: checkNumber('deadlineMs', given.deadlineMs ?? defaults.deadlineMs, 1, Infinity),
  timeoutMs: checkNumber('timeoutMs', given.timeoutMs ?? defaults.timeoutMs, 1, maxFlightMs),
  retries: checkNumber('retries', given.retries ?? defaults.retries, 0, 100),
});
