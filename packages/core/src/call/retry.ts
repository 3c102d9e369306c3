import { isRateLimitError, type OrderLicenseError, RateLimitError } from '../base/errors.ts';
import type { HttpResponse } from '../base/host.ts';

const firstDelayMs = 1_000;
const maxDelayMs = 8_000;
/** Maximum number of 429s that one call waits out. With pacing, a 429 is rare. */
const maxPauses = 3;

/** How long to wait after a 429 without `Retry-After` (§8), ms: a whole window. */
export const defaultPauseMs = 60_000;

/**
 * Returns how long all requests with a key pause after a 429, ms: the time that the API asks for plus the guard, since
 * the API and this machine may round times differently. The pacer enforces the pause.
 */
export const pauseAfter = ({ retryAfterMs }: RateLimitError, guardMs: number): number => retryAfterMs + guardMs;

/** Limits within which a call retries failures. */
export interface RetryLimits {
  /** Maximum number of retries after a failure of the API, the network or the clock. */
  retries: number;
  /**
   * Until this time on the host's clock, a failure of the API, the network or the clock is retried even beyond
   * `retries`.
   */
  retryUntil: number;
  deadline: number;
  /** The longest wait that the caller accepts from the API, ms. */
  maxWaitMs: number;
}

/**
 * Decides whether and when to retry a failed attempt. After a 429, a call retries when the pacer's pause is over. After
 * a failure of the API, the network or the clock, it retries after a growing delay, half of which is random, or after
 * the longer delay that the API asks for. It does not retry after other errors, which would occur again.
 * @param failed the errors of this call so far, in order
 * @param now the time on the host's clock
 * @returns milliseconds to wait before requesting a permit again; undefined if there is no further attempt
 */
export const delayBeforeRetry = (
  failed: readonly OrderLicenseError[],
  { retries, retryUntil, deadline, maxWaitMs }: RetryLimits,
  now: number,
): number | undefined => {
  const last = failed.at(-1);
  if (!last?.retryable) return undefined;
  const pauses = failed.filter(isRateLimitError).length;
  // The pacer enforces the pause, so the call adds no delay of its own.
  if (isRateLimitError(last)) return last.source === 'server' && pauses <= maxPauses ? 0 : undefined;
  const others = failed.length - pauses;
  const ownMs = Math.min(firstDelayMs * 2 ** (others - 1), maxDelayMs);
  const delayMs = Math.max(Math.ceil(ownMs / 2 + (Math.random() * ownMs) / 2), last.retryAfterMs ?? 0);
  if (others > retries && now + delayMs > retryUntil) return undefined;
  if (last.retryAfterMs !== undefined && delayMs > maxWaitMs) return undefined;
  return now + delayMs < deadline ? delayMs : undefined;
};

/**
 * Attributes the error to the API if, after a 429, the next permit comes too late for the caller: the API caused the
 * delay, not the pacer.
 * @param error the error that ended the call
 * @param before the previous error of the call, if any
 */
export const asApiDelay = (error: OrderLicenseError, before: OrderLicenseError | undefined): OrderLicenseError => {
  const isLate = isRateLimitError(error) && error.source === 'local' && error.reason !== 'too_many_keys';
  if (!isLate || !isRateLimitError(before)) return error;
  const { status, serverText, requestId, received } = before;
  return new RateLimitError('server', error.retryAfterMs, { status, serverText, requestId, received });
};

/** Longest plausible `Retry-After`, ms; a longer one counts as this long. */
const maxRetryAfterMs = 300_000;

/**
 * Reads how long the API asks the client to wait: a `Retry-After` in seconds, also with a fraction, or as a date.
 * @returns whole milliseconds, from 1,000 to 300,000; undefined if the header is missing or invalid, or asks for less
 * than a second
 */
export const retryAfterMs = (headers: HttpResponse['headers']): number | undefined => {
  const header = [headers['retry-after']].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(header)) return bounded(Math.ceil(Number(header) * 1000));
  // The date follows the server's clock, so it is compared with the response's `Date` header, if there is one.
  const sent = Date.parse([headers.date].flat()[0] ?? '');
  return bounded(Date.parse(header) - (Number.isNaN(sent) ? Date.now() : sent));
};

const bounded = (ms: number): number | undefined => (ms >= 1000 ? Math.min(ms, maxRetryAfterMs) : undefined);
