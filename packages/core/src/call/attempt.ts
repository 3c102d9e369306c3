import type { CallLimits } from '../base/call-options.ts';
import { isOrderLicenseError, isRateLimitError, type OrderLicenseError, withText } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host, HttpResponse } from '../base/host.ts';
import { connectionError, timeoutError } from '../base/host-errors.ts';
import { type Closing, type Stops, stopError, unlessAborted } from '../base/stops.ts';
import type { Pacer } from '../pace/pacer.ts';
import type { PermitRequest } from '../pace/permit-request.ts';
import type { KeySource } from './api-key.ts';
import { openEnvelope } from './envelope.ts';
import type { Operation } from './operations.ts';
import { pauseAll } from './pause-after-429.ts';
import { requestIdIn } from './request-id.ts';

/** 32 MiB, enough for an order with 100,000 license codes. */
const maxBytes = 32 * 1024 * 1024;

/** Settings and state that all calls of a client share. */
export interface Caller {
  host: Pick<Host, 'now' | 'sleep'>;
  /** Sends one request. Always settles, at the latest a moment after the request's time limit. */
  send: Host['send'];
  /** Returns the current pacer of a key. */
  pacerOf(apiKey: string): Pacer;
  baseUrl: string;
  apiKey: KeySource;
  userAgent: string;
  /** Time added to each pause, ms. */
  guardMs: number;
  /** The client's limits, which apply to calls that set none. */
  limits: CallLimits;
  closing: Closing;
  /** Never throws. */
  emit: OnEvent;
  /** Whether the client has an `onEvent`. Without it, results are neither reported nor compared with the API docs. */
  hasListener: boolean;
}

/** The settings of one call, with all defaults. Times are on the host's clock. */
export interface CallSettings extends CallLimits, Omit<PermitRequest, 'patientUntil' | keyof Stops>, Stops {
  /** Name of the call's consumer, if set. */
  name: string | undefined;
  /** Never throws. */
  emit: OnEvent;
  /** Number of requests sent so far. */
  attempts: number;
}

/**
 * Waits for a permit, sends one request, and returns its validated result.
 * @param settings the function adds 1 to `attempts` just before it sends the request
 */
export const attempt = async <Result>(
  client: Caller,
  operation: Operation<Result>,
  settings: CallSettings,
): Promise<Result> => {
  const { host, apiKey: source } = client;
  const { priority, signal, deadline, deadlineMs, emit } = settings;
  const leftMs = (): number => Math.min(settings.timeoutMs, deadline - host.now());

  const apiKey = typeof source === 'string' ? source : await source(Math.max(1, leftMs()), settings);
  const pacer = client.pacerOf(apiKey);
  const queuedAt = host.now();
  const permit = await pacer.acquire({
    ...settings,
    patientUntil: Math.min(queuedAt + settings.maxWaitMs, deadline),
    onWait: (waitMs) => emit({ type: 'wait', operation: operation.name, priority, waitMs }),
  });
  /** Not awaited: a slow store must not delay a response. */
  const settle = (sent: boolean): void => {
    pacer.settle(permit, sent).catch(() => emit({ type: 'store_failed', step: 'settle' }));
  };
  const startedAt = host.now();
  const timeoutMs = leftMs();
  // The call may have been aborted or run out of time while it waited for the key and the permit.
  const stopped = stopError(settings);
  if (stopped || timeoutMs < 1) {
    settle(false);
    throw stopped ?? timeoutError(deadlineMs, { sent: false });
  }
  settings.attempts += 1;
  // The caller's signal may be that of jsdom or a polyfill, which `fetch` rejects.
  const ending = signal && new AbortController();
  const sending = client.send({
    url: client.baseUrl + operation.path,
    apiKey,
    headers: { accept: 'application/json', 'user-agent': client.userAgent },
    signal: ending?.signal,
    timeoutMs,
    maxBytes,
  });
  let response: HttpResponse | undefined;
  let endedAt: number | undefined;
  const report = (error?: OrderLicenseError): void => {
    const requestId = response && requestIdIn(response.headers, apiKey);
    if (error && requestId) withText(error, { requestId });
    emit({
      type: 'request',
      operation: operation.name,
      orderId: operation.orderId,
      priority,
      consumer: settings.name,
      attempt: settings.attempts,
      waitMs: Math.round(startedAt - queuedAt),
      durationMs: Math.round((endedAt ?? host.now()) - startedAt),
      status: response?.status,
      ...(requestId !== undefined && { requestId }),
      code: error?.code,
      sent: error?.sent !== false,
    });
  };
  try {
    response = await unlessAborted(sending, signal);
    endedAt = host.now();
    const result = operation.check(openEnvelope(response, apiKey, operation.notFound));
    if (client.hasListener) report();
    return result;
  } catch (thrown) {
    const error = readError(thrown, settings);
    report(error);
    // Pause before settling: settling wakes the next request, which must not be sent during the pause.
    if (isRateLimitError(thrown)) {
      pauseAll(thrown, { pacer, guardMs: client.guardMs, operation: operation.name, emit });
    }
    throw error;
  } finally {
    if (signal?.aborted) ending?.abort(signal.reason);
    // After an abort, the host may take a moment to end the request, which counts as in flight until then.
    sending.then(
      () => settle(true),
      (failure: unknown) => settle(!isOrderLicenseError(failure) || failure.sent !== false),
    );
  }
};

/**
 * Converts anything thrown to an error of this library. An unknown error's message is dropped: it could contain the
 * key.
 */
export const readError = (thrown: unknown, stops: Stops): OrderLicenseError => {
  const known = isOrderLicenseError(thrown) ? thrown : undefined;
  if (known && (known.code === 'aborted' || !stops.signal?.aborted)) return known;
  return stopError(stops) ?? connectionError();
};
