import { type CallLimits, type CallOptions, maxFlightMs, type Priority } from '../base/call-options.ts';
import { checkNumber } from '../base/checks.ts';
import { argumentError, type OrderLicenseError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import { tracedFromHere } from '../base/point-at-caller.ts';
import { findDeviations } from '../model/deviations.ts';
import { attempt, type Caller, type CallSettings, readError } from './attempt.ts';
import type { Operation } from './operations.ts';
import { asApiDelay, delayBeforeRetry } from './retry.ts';

/** Defaults for omitted options. */
export interface CallDefaults {
  priority: Priority;
  consumer: symbol;
}

/** Sends one operation: waits for a permit, sends the request, validates the response, and retries failures. */
export type Call = <Result extends object>(
  /** Creates the operation. If this throws, the call rejects with the error. */
  operation: () => Operation<Result>,
  options?: CallOptions,
  defaults?: CallDefaults,
) => Promise<Result>;

export const createCall = (client: Caller): Call => {
  const { host, closing } = client;
  const turns = { getMe: Symbol(), listOrders: Symbol(), getOrder: Symbol() };

  return async (makeOperation, options = {}, defaults) => {
    const operation = makeOperation();
    const { name, orderId } = operation;
    const { signal, useReserve = false, consumer, traceparent } = options;
    const emit: OnEvent = (event) => client.emit(traceparent === undefined ? event : { ...event, traceparent });
    const priority = checkPriority(options.priority ?? defaults?.priority ?? 'interactive', useReserve);
    const limits = readLimits(options, client.limits);
    const deadline = host.now() + limits.deadlineMs;
    const settings: CallSettings = {
      ...limits,
      priority,
      useReserve,
      consumer,
      turn: consumer ?? defaults?.consumer ?? turns[name],
      signal,
      deadline,
      emit,
      attempts: 0,
    };
    const stops = { signal, closing: closing.signal };
    const failed: OrderLicenseError[] = [];
    let bulkUntil: number | undefined;

    /**
     * Returns the time until which failures are retried even beyond `retries`; 0 if they are not. A walk should outlast
     * a restart of the API, but an interactive caller should not wait. Before the first response, a refused connection
     * more likely means a wrong address.
     */
    const retryUntil = ({ sent }: OrderLicenseError): number => {
      if (priority === 'interactive' || limits.retries === 0 || (sent === false && !client.isReached)) return 0;
      bulkUntil ??= host.now() + client.bulkRetryMs;
      return bulkUntil;
    };
    /**
     * Returns how long to wait before the next attempt, ms.
     * @throws the error of the call if there is no further attempt
     */
    const delayAfter = (thrown: unknown): number => {
      const { attempts } = settings;
      const request = { attempts, operation: name, ...(orderId !== undefined && { orderId }) };
      const error = Object.assign(readError(thrown, stops), request);
      const before = failed.at(-1);
      failed.push(error);
      const until = { ...limits, deadline, retryUntil: retryUntil(error) };
      const delayMs = closing.signal.aborted ? undefined : delayBeforeRetry(failed, until, host.now());
      if (delayMs === undefined) throw tracedFromHere(Object.assign(asApiDelay(error, before), request));
      const { code, status } = error;
      emit({ type: 'retry', operation: name, attempt: attempts, delayMs, code, status });
      return delayMs;
    };
    const pause = (ms: number): Promise<void> =>
      host.sleep(ms, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);

    closing.enter();
    try {
      for (let delayMs = 0; ; ) {
        try {
          if (delayMs > 0) await pause(delayMs);
          const result = await attempt(client, operation, settings);
          const paths = client.hasListener ? findDeviations(result, operation.shape) : [];
          if (paths.length > 0) emit({ type: 'deviation', operation: name, paths });
          return result;
        } catch (thrown) {
          delayMs = delayAfter(thrown);
        }
      }
    } finally {
      closing.leave();
    }
  };
};

const priorities: readonly Priority[] = ['interactive', 'background', 'bulk'];

/** @throws `bad_request` for an unknown priority, or for `useReserve` with a priority other than `background` */
const checkPriority = (priority: Priority, useReserve: boolean): Priority => {
  if (!priorities.includes(priority)) {
    throw argumentError('`priority` must be `interactive`, `background` or `bulk`');
  }
  if (useReserve && priority !== 'background') {
    throw argumentError(
      "`useReserve` can be set only for calls with `priority: 'background'`",
      'Omit it: interactive calls use the reserve anyway, and bulk calls never do.',
    );
  }
  return priority;
};

/**
 * @param defaults used for the numbers that `given` omits
 * @throws `configuration` for a number out of range
 */
export const readLimits = (given: CallOptions, defaults: CallLimits): CallLimits => ({
  maxWaitMs: checkNumber('maxWaitMs', given.maxWaitMs ?? defaults.maxWaitMs, 0, Infinity),
  deadlineMs: checkNumber('deadlineMs', given.deadlineMs ?? defaults.deadlineMs, 1, Infinity),
  timeoutMs: checkNumber('timeoutMs', given.timeoutMs ?? defaults.timeoutMs, 1, maxFlightMs),
  retries: checkNumber('retries', given.retries ?? defaults.retries, 0, 100),
});
