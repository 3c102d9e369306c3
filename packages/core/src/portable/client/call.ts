import type { CallOptions, Priority } from '../base/call-options.ts';
import { checkNumber } from '../base/check-number.ts';
import {
  abortedError,
  closedError,
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
  RateLimitError,
} from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import { connectionError } from '../base/host-errors.ts';
import type { Pacer } from '../rate-limit/pacer.ts';
import { maxFlightMs } from '../rate-limit/store.ts';
import type { ReadApiKey } from '../wire/api-key.ts';
import { openEnvelope } from '../wire/envelope.ts';
import { delayBeforeRetry, type RetryLimits } from '../wire/retry.ts';
import { sendInTime, unlessAborted } from '../wire/send-in-time.ts';
import { checkConsumer, checkPriority } from './check-priority.ts';
import type { Closing } from './closing.ts';
import type { Operation } from './operations.ts';

/** Sends one operation down the road: permit, exchange, envelope, checks, and again if that may help. */
export type Call = <Answer>(
  operation: Operation<Answer>,
  options?: CallOptions,
  defaults?: CallDefaults,
) => Promise<Answer>;

/** What holds where the options leave it open. */
export interface CallDefaults {
  priority: Priority;
  consumer: symbol;
}

export interface CallerOptions {
  host: Host;
  /** The pacer of a key as it is now. */
  pacerOf(apiKey: string): Pacer;
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
  closing: Closing;
  /** Never throws. */
  emit: OnEvent;
  /** Undefined where nobody hears of deviations. */
  findDeviations: FindDeviations | undefined;
}

/** The paths at which the `data` of an answer differs from the text. */
export type FindDeviations = (operation: Operation<unknown>['name'], data: unknown) => string[] | Promise<string[]>;

/** 32 MiB: an order with 100,000 license codes fits. */
const maxBytes = 32 * 1024 * 1024;

export const createCall = (client: CallerOptions): Call => {
  const { host, emit, closing } = client;
  const consumers = { getMe: Symbol(), listOrders: Symbol(), getOrder: Symbol() };

  return async (operation, options = {}, defaults) => {
    const { signal, useReserve = false } = options;
    const priority = checkPriority(options.priority ?? defaults?.priority ?? 'interactive', useReserve);
    const consumer = checkConsumer(options.consumer) ?? defaults?.consumer ?? consumers[operation.name];
    const deadlineMs = checkNumber('deadlineMs', options.deadlineMs ?? client.deadlineMs, 1, Infinity);
    const maxWaitMs = checkNumber('maxWaitMs', options.maxWaitMs ?? client.maxWaitMs, 0, Infinity);
    const timeoutMs = checkNumber('timeoutMs', options.timeoutMs ?? client.timeoutMs, 1, maxFlightMs);
    const retries = checkNumber('retries', options.retries ?? client.retries, 0, 100);
    const deadline = host.now() + deadlineMs;
    const failed: OrderLicenseError[] = [];
    let attempts = 0;
    let retryUntil: number | undefined;

    const attempt = async () => {
      const key = client.readApiKey(Math.min(timeoutMs, deadline - host.now()), [signal, closing.signal]);
      const apiKey = typeof key === 'string' ? key : await key;
      const pacer = client.pacerOf(apiKey);
      const leftMs = deadline - host.now();
      const permit = await pacer.acquire({
        priority,
        useReserve,
        consumer,
        signal,
        closing: closing.signal,
        maxWaitMs,
        deadlineMs: leftMs,
        onWait: (wait) => emit({ type: 'wait', operation: operation.name, priority, ...wait }),
      });
      /** Not to be awaited: a slow store is no reason to hold an answer back. */
      const settle = (sent: boolean) => {
        pacer.settle(permit, sent).catch(() => emit({ type: 'store_failed', step: 'settle' }));
      };
      // The abort may have come between the permit and this line.
      if (signal?.aborted || closing.signal.aborted) {
        settle(false);
        throw signal?.aborted ? abortedError(signal) : closedError();
      }
      attempts += 1;
      const sending = sendInTime(host, {
        url: client.baseUrl + operation.path,
        apiKey,
        headers: { accept: 'application/json', 'user-agent': client.userAgent },
        signal,
        timeoutMs: Math.max(1, Math.min(timeoutMs, deadline - host.now())),
        maxBytes,
      });
      const response = await unlessAborted(sending, signal).catch((error: unknown) => {
        // After an abort the host may need a moment longer, and until then the request is in flight.
        sending.then(
          () => settle(true),
          (failure: unknown) => settle(!isOrderLicenseError(failure) || failure.sent !== false),
        );
        throw error;
      });
      try {
        const answer = operation.check(openEnvelope(response, apiKey, operation.notFound));
        const paths = await client.findDeviations?.(operation.name, answer);
        if (paths?.length) emit({ type: 'deviation', operation: operation.name, paths });
        return answer;
      } catch (error) {
        // The pause has to be in place before the permit is settled, which wakes whoever is next.
        if (isRateLimitError(error)) {
          const pauseMs = error.retryAfterMs + client.guardMs;
          await pacer.pause(pauseMs).catch(() => emit({ type: 'store_failed', step: 'pause' }));
          emit({ type: 'rate_limited', operation: operation.name, pauseMs });
        }
        throw error;
      } finally {
        settle(true);
      }
    };

    /** Failures of one call on the way: a walk outlasts a restart of the service, somebody who waits does not want to. */
    const retryLimits = (): RetryLimits => {
      const { bulkRetryMs } = client;
      if (priority === 'interactive' || retries === 0) return { retries, leftMs: 0 };
      retryUntil ??= host.now() + bulkRetryMs;
      return { retries, leftMs: retryUntil - host.now() };
    };

    const leave = closing.enter();
    try {
      for (;;) {
        try {
          return await attempt();
        } catch (thrown) {
          const error = readError(thrown, signal, closing);
          error.attempts = attempts;
          const before = failed.at(-1);
          failed.push(error);
          const delayMs = delayBeforeRetry(failed, retryLimits());
          if (delayMs === undefined || delayMs >= deadline - host.now() || closing.signal.aborted)
            throw heldBack(error, before);
          const { code, status, retryAfterMs } = error;
          if (retryAfterMs !== undefined && delayMs > maxWaitMs) throw error;
          emit({ type: 'retry', operation: operation.name, attempt: attempts, delayMs, code, status });
          if (delayMs > 0) await sleep(host, delayMs, signal, closing, attempts);
        }
      }
    } finally {
      leave();
    }
  };
};

/** Whatever was thrown, as an error of this library. A stranger's message is dropped: it could hold the key. */
const readError = (thrown: unknown, signal: AbortSignal | undefined, closing: Closing): OrderLicenseError => {
  if (signal?.aborted) return abortedError(signal);
  if (closing.signal.aborted && isOrderLicenseError(thrown) && thrown.code === 'aborted') return closedError();
  return isOrderLicenseError(thrown) ? thrown : connectionError();
};

/** No turn in time after a 429 of the service: then it is the service that holds this call back, not the pacer. */
const heldBack = (error: OrderLicenseError, before: OrderLicenseError | undefined): OrderLicenseError => {
  if (!isRateLimitError(error) || error.source === 'server' || !isRateLimitError(before)) return error;
  const { status, serverText } = before;
  const held = new RateLimitError('server', error.retryAfterMs, { status, serverText });
  held.attempts = error.attempts;
  return held;
};

const sleep = async (
  host: Host,
  ms: number,
  signal: AbortSignal | undefined,
  closing: Closing,
  attempts: number,
): Promise<void> => {
  try {
    await host.sleep(ms, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);
  } catch (error) {
    if (!signal?.aborted && !closing.signal.aborted) throw error;
    const aborted = signal?.aborted ? abortedError(signal) : closedError();
    aborted.attempts = attempts;
    throw aborted;
  }
};
