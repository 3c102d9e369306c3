import { type CallOptions, checkConsumer, checkPriority, type Priority } from '../base/call-options.ts';
import { checkNumber } from '../base/checks.ts';
import type { OrderLicenseError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import { tracedFromHere } from '../base/point-at-caller.ts';
import { findDeviations } from '../model/deviations.ts';
import type { PacersByKey } from '../pace/pacers-by-key.ts';
import { maxFlightMs } from '../pace/store.ts';
import type { ReadApiKey } from './api-key.ts';
import { attempt, readError } from './attempt.ts';
import type { Closing } from './closing.ts';
import type { Operation } from './operations.ts';
import { asApiDelay } from './pause-after-429.ts';
import { delayBeforeRetry } from './retry.ts';

/** What all calls of a client share. */
export interface Caller {
  host: Host;
  pacers: PacersByKey;
  baseUrl: string;
  readApiKey: ReadApiKey;
  userAgent: string;
  /** Added to a pause, ms. */
  guardMs: number;
  maxWaitMs: number;
  timeoutMs: number;
  deadlineMs: number;
  retries: number;
  bulkRetryMs: number;
  /** Whether the API has answered a request of this client, with any status. */
  isReached: boolean;
  closing: Closing;
  /** Never throws. */
  emit: OnEvent;
  /** Whether someone receives events: otherwise results are not compared with the API docs. */
  hasListener: boolean;
}

/** Defaults for what the options omit. */
export interface CallDefaults {
  priority: Priority;
  consumer: symbol;
}

/** Sends one operation: permit, request, envelope, validation, and retries. */
export type Call = <Result extends object>(
  /** An error thrown here rejects the call. */
  operation: () => Operation<Result>,
  options?: CallOptions,
  defaults?: CallDefaults,
) => Promise<Result>;

export const createCall = (client: Caller): Call => {
  const { host, pacers, closing, emit } = client;
  const consumers = { getMe: Symbol(), listOrders: Symbol(), getOrder: Symbol() };

  return async (makeOperation, options = {}, defaults) => {
    const operation = makeOperation();
    const { name, orderId } = operation;
    const { signal, useReserve = false } = options;
    const priority = checkPriority(options.priority ?? defaults?.priority ?? 'interactive', useReserve);
    const consumer = checkConsumer(options.consumer);
    const deadlineMs = checkNumber('deadlineMs', options.deadlineMs ?? client.deadlineMs, 1, Infinity);
    const maxWaitMs = checkNumber('maxWaitMs', options.maxWaitMs ?? client.maxWaitMs, 0, Infinity);
    const timeoutMs = checkNumber('timeoutMs', options.timeoutMs ?? client.timeoutMs, 1, maxFlightMs);
    const retries = checkNumber('retries', options.retries ?? client.retries, 0, 100);
    const deadline = host.now() + deadlineMs;
    const failed: OrderLicenseError[] = [];
    let attempts = 0;
    let bulkUntil: number | undefined;
    /** Before the next attempt. After a 429 it is 0, because the pacer keeps the pause. */
    let delayMs = 0;

    /**
     * Until when to retry: a walk outlasts a restart of the API, but an interactive caller should not wait. Before the
     * first response, a refused connection more likely means a wrong address.
     */
    const retryUntil = ({ sent }: OrderLicenseError): number => {
      if (priority === 'interactive' || retries === 0 || (sent === false && !client.isReached)) return 0;
      bulkUntil ??= host.now() + client.bulkRetryMs;
      return bulkUntil;
    };

    closing.enter();
    try {
      for (;;) {
        try {
          if (delayMs > 0)
            await host.sleep(delayMs, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);
          const apiKey = await client.readApiKey(Math.min(timeoutMs, Math.max(1, deadline - host.now())), {
            signal,
            closing: closing.signal,
          });
          const pacer = pacers.of(apiKey);
          const queuedAt = host.now();
          const permit = await pacer.acquire({
            ...{ priority, useReserve, consumer: consumer ?? defaults?.consumer ?? consumers[name] },
            ...{ signal, closing: closing.signal, deadline, deadlineMs },
            patientUntil: Math.min(queuedAt + maxWaitMs, deadline),
            onWait: (wait) => emit({ type: 'wait', operation: name, priority, ...wait }),
          });
          const result = await attempt(client, operation, {
            ...{ apiKey, pacer, permit, signal, deadline, deadlineMs, timeoutMs, priority, consumer, queuedAt },
            number: attempts + 1,
            onSend: () => {
              attempts += 1;
            },
          });
          const paths = client.hasListener ? findDeviations(result, operation.fields) : [];
          if (paths.length > 0) emit({ type: 'deviation', operation: name, paths });
          return result;
        } catch (thrown) {
          const request = { attempts, operation: name, ...(orderId !== undefined && { orderId }) };
          const error = Object.assign(readError(thrown, signal, closing.signal), request);
          const before = failed.at(-1);
          failed.push(error);
          const limits = { retries, maxWaitMs, deadline, retryUntil: retryUntil(error) };
          const next = closing.signal.aborted ? undefined : delayBeforeRetry(failed, limits, host.now());
          if (next === undefined) throw tracedFromHere(Object.assign(asApiDelay(error, before), request));
          delayMs = next;
          const { code, status } = error;
          emit({ type: 'retry', operation: name, attempt: attempts, delayMs, code, status });
        }
      }
    } finally {
      closing.leave();
    }
  };
};
