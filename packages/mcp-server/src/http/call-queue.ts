import { unlessAborted } from '@order-license/core/host';
import { OrderLicenseError } from '@order-license/core/portable';

/** Maximum number of tool calls that run at the same time, from all callers. */
export const maxCalls = 64;
/** Maximum number of calls that wait, for each one that may run. */
const waitingPerRunning = 4;

/**
 * Waits until a call may run. Resolves to a function that the call must call when it ends.
 * @param caller undefined for callers that use the server's key without sign-in, because they can't be distinguished
 * @param signal aborts when the call is cancelled or its caller disconnects
 * @param maxWaitMs maximum wait, ms
 * @throws `rate_limited` with reason `queue_full` if too many calls wait; `timeout` after `maxWaitMs`; `aborted`
 */
export type CallQueue = (caller: string | undefined, signal: AbortSignal, maxWaitMs: number) => Promise<() => void>;

interface Call {
  caller: string | undefined;
  start(): void;
}

/**
 * Limits the calls that run at the same time; the others wait. The caller with the fewest running calls is next, so no
 * caller can block the others. Callers that can't be distinguished leave `maxPerCaller` calls to the others.
 * @param maxPerCaller maximum number of calls of one caller that run at the same time
 */
export const createCallQueue = (maxPerCaller: number): CallQueue => {
  const running = new Set<Call>();
  /** The waiting calls, longest wait first. */
  const waiting = new Set<Call>();

  const maxOf = (caller: string | undefined): number => (caller === undefined ? maxCalls - maxPerCaller : maxPerCaller);
  const startNext = (): void => {
    const byCaller = Map.groupBy(running, ({ caller }) => caller);
    const runningOf = ({ caller }: Call): number => byCaller.get(caller)?.length ?? 0;
    const ready = [...waiting].filter((call) => runningOf(call) < maxOf(call.caller));
    const [next] = ready.sort((a, b) => runningOf(a) - runningOf(b)); // a stable sort keeps the longest wait first
    if (!next || running.size >= maxCalls) return;
    waiting.delete(next);
    running.add(next);
    next.start();
  };

  /** Returns the error for a call that may not even wait. */
  const fullFor = (caller: string | undefined): OrderLicenseError | undefined => {
    const own = [...waiting].filter((call) => call.caller === caller);
    const max = maxOf(caller);
    if (own.length >= max * waitingPerRunning) {
      return caller === undefined
        ? fullError(
            'Callers without their own API key already have',
            max,
            ', or send your own API key as X-Order-License-Key',
          )
        : fullError('This caller already has', max, ', or start the server with a higher --max-per-caller');
    }
    return waiting.size < maxCalls * waitingPerRunning ? undefined : fullError('The server already has', maxCalls);
  };

  return async (caller, signal, maxWaitMs) => {
    const full = fullFor(caller);
    if (full) throw full;
    const { promise: turn, resolve: start } = Promise.withResolvers<void>();
    const call = { caller, start };
    const end = (): void => {
      waiting.delete(call);
      if (running.delete(call)) startNext();
    };
    waiting.add(call);
    startNext();
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

/** @param max how many calls of theirs may run */
const fullError = (who: string, max: number, more = ''): OrderLicenseError =>
  new OrderLicenseError('rate_limited', {
    detail: `${who} ${max * (waitingPerRunning + 1)} calls running or waiting`,
    advice: `Call again when some of them have ended${more}.`,
    reason: 'queue_full',
    retryAfterMs: 1_000,
  });

const waitedError = (ms: number): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `The call waited ${ms / 1000} s for other calls of this server to end`,
    advice: 'Make fewer calls at the same time.',
  });
