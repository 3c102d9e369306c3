import { type CallLimits, maxFlightMs, type PollCallOptions, type Priority } from '../base/call-options.ts';
import { checkNumber } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import { throwFromHere } from '../base/point-at-caller.ts';
import { sleepUnlessStopped } from '../base/stops.ts';
import { findDeviations } from '../model/deviations.ts';
import { priorities } from '../pace/queue.ts';
import { attempt, type Caller, type CallSettings, readError } from './attempt.ts';
import type { Operation } from './operations.ts';
import { createRetries } from './retry.ts';

/** Defaults for omitted options. */
export interface CallDefaults {
  priority: Priority;
  consumer: symbol;
}

/** Sends one operation: waits for a permit, sends the request, validates the response, and retries failures. */
export type Call = <Result extends object>(
  /** Creates the operation. If this throws, the call rejects with the error. */
  operation: () => Operation<Result>,
  options?: PollCallOptions,
  defaults?: CallDefaults,
) => Promise<Result>;

export const createCall = (client: Caller): Call => {
  const { host, closing } = client;
  /** Whether the API has responded to a request of this client: with usable JSON, or with any status but 200. */
  let isReached = false;
  const turns = { getMe: Symbol(), listOrders: Symbol(), getOrder: Symbol() };

  return async (makeOperation, options = {}, defaults) => {
    const operation = makeOperation();
    const { name, orderId } = operation;
    const { signal, useReserve, consumer, traceparent } = options;
    const emit: OnEvent = traceparent === undefined ? client.emit : (event) => client.emit({ ...event, traceparent });
    const priority = checkPriority(options.priority ?? defaults?.priority ?? 'interactive');
    const limits = readLimits(options, client.limits);
    const settings: CallSettings = {
      ...limits,
      priority,
      useReserve,
      name: consumer,
      consumer: consumer ?? defaults?.consumer ?? turns[name],
      signal,
      closing: closing.signal,
      deadline: host.now() + limits.deadlineMs,
      emit,
      attempts: 0,
    };
    let delayBeforeRetry: ReturnType<typeof createRetries> | undefined;

    /**
     * Returns how long to wait before the next attempt, ms.
     * @throws the error of the call if there is no further attempt
     */
    const delayAfter = (thrown: unknown): number => {
      const { attempts } = settings;
      const error = Object.assign(readError(thrown, settings), {
        attempts,
        operation: name,
        ...(orderId !== undefined && { orderId }),
      });
      const { code, status, sent } = error;
      isReached ||= status !== undefined && status !== 200;
      // Before the API's first response, a rejected connection or an invalid response suggests a wrong address.
      const isUnsure = !isReached && (sent === false || code === 'invalid_response');
      const outlasts = priority !== 'interactive' && !isUnsure;
      delayBeforeRetry ??= createRetries(settings);
      const delayMs = closing.signal.aborted ? undefined : delayBeforeRetry(error, host.now(), outlasts);
      if (delayMs === undefined) return throwFromHere(error);
      emit({ type: 'retry', operation: name, attempt: attempts, delayMs, code, status });
      return delayMs;
    };

    return closing.run(async () => {
      for (let delayMs = 0; ; ) {
        try {
          if (delayMs > 0) await sleepUnlessStopped(host, delayMs, settings);
          const result = await attempt(client, operation, settings);
          isReached = true;
          const paths = client.hasListener ? findDeviations(result, operation.shape) : [];
          if (paths.length > 0) emit({ type: 'deviation', operation: name, paths });
          return result;
        } catch (thrown) {
          delayMs = delayAfter(thrown);
        }
      }
    });
  };
};

/** @throws `bad_request` for an unknown priority */
const checkPriority = (priority: Priority): Priority => {
  if (priorities.includes(priority)) return priority;
  throw argumentError('`priority` must be `interactive`, `background` or `bulk`');
};

type LimitOptions = Pick<PollCallOptions, keyof CallLimits>;

/**
 * @param defaults used for the numbers that `given` omits
 * @throws `configuration` for a number out of range
 */
export const readLimits = (given: LimitOptions, defaults: CallLimits): CallLimits => {
  const read = (name: keyof CallLimits, min: number, max: number): number =>
    checkNumber(name, given[name] ?? defaults[name], min, max);
  return {
    maxWaitMs: read('maxWaitMs', 0, Infinity),
    deadlineMs: read('deadlineMs', 1, Infinity),
    timeoutMs: read('timeoutMs', 1, maxFlightMs),
    retries: (given.retries ?? defaults.retries) === undefined ? undefined : read('retries', 0, 100),
  };
};
