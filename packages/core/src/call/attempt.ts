import type { Priority } from '../base/call-options.ts';
import { isOrderLicenseError, isRateLimitError, type OrderLicenseError, stopError } from '../base/errors.ts';
import { connectionError, timeoutError } from '../base/host-errors.ts';
import type { Pacer } from '../pace/pacer.ts';
import type { Permit } from '../pace/store.ts';
import type { Caller } from './call.ts';
import { openEnvelope } from './envelope.ts';
import type { Operation } from './operations.ts';
import { pauseMsAfter } from './pause-after-429.ts';
import { sendInTime, unlessAborted } from './send-in-time.ts';

/** 32 MiB: an order with 100,000 license codes fits. */
const maxBytes = 32 * 1024 * 1024;

/** One attempt of a call that has its permit. */
export interface Attempt {
  apiKey: string;
  pacer: Pacer;
  permit: Permit;
  signal: AbortSignal | undefined;
  /** When the call ends in any case, on the host's clock, and the timeout that this stems from, ms. */
  deadline: number;
  deadlineMs: number;
  /** For this request, ms. */
  timeoutMs: number;
  priority: Priority;
  /** The caller's name, if set. */
  consumer: string | undefined;
  /** From 1. */
  number: number;
  /** When the call joined the queue, on the host's clock. */
  queuedAt: number;
  /** Called when the request is about to be sent. */
  onSend(): void;
}

/** Sends one request, and returns its validated result. */
export const attempt = async <Result>(
  client: Caller,
  operation: Operation<Result>,
  { apiKey, pacer, permit, signal, ...given }: Attempt,
): Promise<Result> => {
  const { host, emit, closing } = client;
  /** Like a pause, not awaited: a slow store must not delay a response. */
  const settle = (sent: boolean): void => {
    pacer.settle(permit, sent).catch(() => emit({ type: 'store_failed', step: 'settle' }));
  };
  const startedAt = host.now();
  const timeoutMs = Math.min(given.timeoutMs, given.deadline - startedAt);
  // An abort may have occurred between the permit and this line, or the key may have come late.
  const stopped = stopError(signal, closing.signal);
  if (stopped || timeoutMs < 1) {
    settle(false);
    throw stopped ?? timeoutError(given.deadlineMs, { sent: false });
  }
  given.onSend();
  const report = (endedAt: number, status: number | undefined, error?: OrderLicenseError): void => {
    const { priority, consumer, number, queuedAt } = given;
    emit({
      ...{ type: 'request', operation: operation.name, orderId: operation.orderId, priority, consumer },
      attempt: number,
      waitMs: Math.round(startedAt - queuedAt),
      durationMs: Math.round(endedAt - startedAt),
      ...{ status, code: error?.code, sent: error?.sent !== false },
    });
  };
  const sending = sendInTime(host, {
    url: client.baseUrl + operation.path,
    apiKey,
    headers: { accept: 'application/json', 'user-agent': client.userAgent },
    ...{ signal, timeoutMs, maxBytes },
  });
  const response = await unlessAborted(sending, signal).catch((thrown: unknown) => {
    // After an abort the host may take a moment to settle, and until then the request is in flight.
    sending.then(
      () => settle(true),
      (failure: unknown) => settle(!isOrderLicenseError(failure) || failure.sent !== false),
    );
    const error = readError(thrown, signal, closing.signal);
    report(host.now(), undefined, error);
    throw error;
  });
  const endedAt = host.now();
  const { status } = response;
  client.isReached = true;
  try {
    const result = operation.check(openEnvelope(response, apiKey, operation.notFound));
    report(endedAt, status);
    settle(true);
    return result;
  } catch (thrown) {
    const error = readError(thrown, signal, closing.signal);
    report(endedAt, status, error);
    // In this order: settling wakes the next request, which then meets the pause.
    if (isRateLimitError(thrown)) {
      const pauseMs = pauseMsAfter(thrown, client.guardMs);
      pacer.pause(pauseMs).catch(() => emit({ type: 'store_failed', step: 'pause' }));
      emit({ type: 'rate_limited', operation: operation.name, pauseMs });
    }
    settle(true);
    if (error.code === 'authentication') client.pacers.forgetRejected(apiKey);
    throw thrown;
  }
};

/**
 * Converts anything thrown to an error of this library. An unknown error's message is dropped: it could contain the
 * key.
 */
export const readError = (
  thrown: unknown,
  signal: AbortSignal | undefined,
  closing: AbortSignal,
): OrderLicenseError => {
  const known = isOrderLicenseError(thrown) ? thrown : undefined;
  if (known && (known.code === 'aborted' || !signal?.aborted)) return known;
  return stopError(signal, closing) ?? connectionError();
};
