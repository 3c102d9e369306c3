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
export const waitsOutPause = (failed: readonly OrderLicenseError[]): boolean => {
  const last = failed.at(-1);
  return isRateLimitError(last) && last.source === 'server' && failed.filter(isRateLimitError).length <= maxPauses;
};

/** After a 429, a permit that comes too late is the API's delay, not the pacer's. */
export const afterPause = (error: OrderLicenseError, before: OrderLicenseError | undefined): OrderLicenseError => {
  if (!isRateLimitError(error) || error.source === 'server' || !isRateLimitError(before)) return error;
  const { status, serverText } = before;
  return new RateLimitError('server', error.retryAfterMs, { status, serverText });
};
