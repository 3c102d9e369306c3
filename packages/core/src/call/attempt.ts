import {
  abortedError,
  closedError,
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
} from '../base/errors.ts';
import type { Pacer } from '../pace/pacer.ts';
import type { PermitRequest } from '../pace/permit-request.ts';
import type { Permit } from '../pace/store.ts';
import type { CallerOptions } from './caller-options.ts';
import { openEnvelope } from './envelope.ts';
import type { Operation } from './operations.ts';
import { sendInTime, unlessAborted } from './send-in-time.ts';

/** 32 MiB: an order with 100,000 license codes fits. */
const maxBytes = 32 * 1024 * 1024;

/** What an attempt needs from its call. */
export interface AttemptedCall<Answer> extends Pick<PermitRequest, 'signal' | 'priority' | 'consumer'> {
  readonly client: CallerOptions;
  readonly operation: Operation<Answer>;
  readonly closing: AbortSignal;
  readonly apiKey: string;
  readonly pacer: Pacer | undefined;
  readonly timeoutMs: number;
  /** When the call joined the queue, on the host's clock. */
  readonly queuedAt: number;
  /** Requests so far; an attempt adds itself. */
  attempts: number;
  leftMs(): number;
  readError(thrown: unknown): OrderLicenseError;
}

/** One request with its permit, and its validated answer. */
export const attempt = async <Answer>(call: AttemptedCall<Answer>, permit: Permit): Promise<Answer> => {
  const { client, operation, signal, closing, apiKey, pacer } = call;
  const { host, emit } = client;
  /** Not awaited: a slow store must not delay an answer. */
  const settle = (sent: boolean) => {
    pacer?.settle(permit, sent).catch(() => emit({ type: 'store_failed', step: 'settle' }));
  };
  // An abort may have occurred between the permit and this line.
  if (signal?.aborted || closing.aborted) {
    settle(false);
    throw signal?.aborted ? abortedError(signal) : closedError();
  }
  call.attempts += 1;
  const startedAt = host.now();
  const report = (status: number | undefined, endedAt: number, error?: OrderLicenseError): void => {
    const { priority, consumer, attempts, queuedAt } = call;
    emit({
      type: 'request',
      operation: operation.name,
      orderId: operation.orderId,
      priority,
      consumer: typeof consumer === 'string' ? consumer : undefined,
      attempt: attempts,
      waitMs: Math.round(startedAt - queuedAt),
      durationMs: Math.round(endedAt - startedAt),
      status,
      code: error?.code,
      sent: error?.sent !== false,
    });
  };
  const sending = sendInTime(host, {
    url: client.baseUrl + operation.path,
    apiKey,
    headers: { accept: 'application/json', 'user-agent': client.userAgent },
    signal,
    timeoutMs: Math.max(1, Math.min(call.timeoutMs, call.leftMs())),
    maxBytes,
  });
  const response = await unlessAborted(sending, signal).catch((thrown: unknown) => {
    // After an abort the host may take a moment to settle, and until then the request is in flight.
    sending.then(
      () => settle(true),
      (failure: unknown) => settle(!isOrderLicenseError(failure) || failure.sent !== false),
    );
    const error = call.readError(thrown);
    report(undefined, host.now(), error);
    throw error;
  });
  const endedAt = host.now();
  client.isReached = true;
  let answer: Answer;
  try {
    answer = operation.check(openEnvelope(response, apiKey, operation.notFound));
  } catch (thrown) {
    report(response.status, endedAt, call.readError(thrown));
    // Record the pause before settling the permit, which wakes the next request.
    if (isRateLimitError(thrown)) {
      const pauseMs = thrown.retryAfterMs + client.guardMs;
      await pacer?.pause(pauseMs).catch(() => emit({ type: 'store_failed', step: 'pause' }));
      emit({ type: 'rate_limited', operation: operation.name, pauseMs });
    }
    throw thrown;
  } finally {
    settle(true);
  }
  report(response.status, endedAt);
  const paths = await client.findDeviations?.(operation.name, answer);
  if (paths?.length) emit({ type: 'deviation', operation: operation.name, paths });
  return answer;
};
