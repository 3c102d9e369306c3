import { unlessAborted } from '@order-license/core/host';
import { OrderLicenseError } from '@order-license/core/portable';

/** Maximum number of calls that run or wait, from all callers. */
const maxCalls = 320;
/** Maximum number of running calls with the server's API key, whose callers can't be distinguished. */
const maxWithServersKey = 56;
/** Maximum number of calls that wait, for each one that may run. */
const waitingPerRunning = 4;

/**
 * Waits until a call may run. Resolves to a function that the call must call when it ends.
 * @param caller undefined for callers that use the server's key without sign-in, because they can't be distinguished
 * @param signal aborts when the call is cancelled or its caller disconnects
 * @param maxWaitMs maximum wait, ms
 * @throws `rate_limited` with reason `queue_full` if too many calls run or wait; `timeout` after `maxWaitMs`; `aborted`
 */
export type CallQueue = (caller: string | undefined, signal: AbortSignal, maxWaitMs: number) => Promise<() => void>;

/**
 * Limits the calls of each caller that run at the same time. Further calls wait.
 * @param maxPerCaller maximum number of calls of one caller that run at the same time
 */
export const createCallQueue = (maxPerCaller: number): CallQueue => {
  /** The functions that start each caller's calls, the oldest first: the first ones run, the others wait. */
  const callers = new Map<string | undefined, Set<() => void>>();
  return async (caller, signal, maxWaitMs) => {
    const max = caller === undefined ? maxWithServersKey : maxPerCaller;
    const calls = callers.get(caller) ?? new Set<() => void>();
    if (calls.size >= max * (1 + waitingPerRunning)) {
      throw fullError(calls.size, caller === undefined ? "with the server's API key" : 'of this caller');
    }
    const total = [...callers.values()].reduce((sum, { size }) => sum + size, 0);
    if (total >= maxCalls) throw fullError(total, 'of all callers');
    const { promise: turn, resolve: start } = Promise.withResolvers<void>();
    callers.set(caller, calls.add(start));
    if (calls.size <= max) start();
    const end = (): void => {
      calls.delete(start);
      const next = [...calls][max - 1]; // the last that may run; starting it twice has no effect
      next?.();
      if (calls.size === 0) callers.delete(caller);
    };
    try {
      const tooLong = AbortSignal.timeout(maxWaitMs);
      await unlessAborted(unlessAborted(turn, signal), tooLong, () => waitedError(maxWaitMs));
    } catch (error) {
      end();
      throw error;
    }
    return end;
  };
};

const fullError = (count: number, whose: string): OrderLicenseError =>
  new OrderLicenseError('rate_limited', {
    detail: `${count} calls ${whose} are already running or waiting`,
    advice: 'Call again when some of them have ended.',
    reason: 'queue_full',
    retryAfterMs: 1_000,
  });

const waitedError = (ms: number): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `The call waited ${ms / 1000} s for other calls of this server to end`,
    advice: 'Make fewer calls at the same time.',
  });
