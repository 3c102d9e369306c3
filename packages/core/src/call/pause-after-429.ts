import { isRateLimitError, type OrderLicenseError, RateLimitError } from '../base/errors.ts';
import type { HttpResponse } from '../base/host.ts';
import { retryAfterMs } from './retry-after.ts';

/** How long a 429 without `Retry-After` asks to wait (§8): a whole window, ms. */
const windowMs = 60_000;

/** Maximum 429s, despite pacing, that one call waits out. */
const maxPauses = 3;

/** How long a 429 asks to wait, ms. */
export const askedPauseMs = (headers: HttpResponse['headers']): number => retryAfterMs(headers) ?? windowMs;

/**
 * How long the whole key pauses after a 429, ms.
 * @param guardMs added because the API and this machine may round differently
 */
export const pauseMsAfter = (error: RateLimitError, guardMs: number): number => error.retryAfterMs + guardMs;

/**
 * Whether a call tries again after a 429. The pacer keeps the pause, so the call adds no delay of its own.
 * @param failed the errors of this call so far, the last one last
 */
export const canRetryAfter429 = (failed: readonly OrderLicenseError[]): boolean => {
  const last = failed.at(-1);
  return isRateLimitError(last) && last.source === 'server' && failed.filter(isRateLimitError).length <= maxPauses;
};

/**
 * If the permit after a 429 comes too late for the caller, that is the API's delay, not the pacer's.
 * @param error what ended the call
 * @param before the failure before that, if there was one
 */
export const asApiDelay = (error: OrderLicenseError, before: OrderLicenseError | undefined): OrderLicenseError => {
  const isLate = isRateLimitError(error) && error.source === 'local' && error.reason !== 'too_many_keys';
  if (!isLate || !isRateLimitError(before)) return error;
  const { status, serverText } = before;
  return new RateLimitError('server', error.retryAfterMs, { status, serverText });
};
