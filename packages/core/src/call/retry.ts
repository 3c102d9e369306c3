import { isRateLimitError, type OrderLicenseError } from '../base/errors.ts';
import { isWaitedOut } from './pause-after-429.ts';

const firstDelayMs = 1_000;
const maxDelayMs = 8_000;

/** Limits within which a call retries failures. */
export interface RetryLimits {
  /** Maximum number of retries after a failure of the API, the network or the clock. */
  retries: number;
  /** Until this time on the host's clock, such a failure is retried even beyond `retries`. */
  retryUntil: number;
  deadline: number;
  /** The longest wait that the caller accepts from the API, ms. */
  maxWaitMs: number;
}

/**
 * Decides whether and when to retry a failed attempt. After a failure of the API, the network or the clock, a call
 * retries after a growing delay, half of which is random, or after the longer delay that the API asks for. It does not
 * retry after other errors, which would occur again.
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
  if (isRateLimitError(last)) return isWaitedOut(failed, last) ? 0 : undefined;
  const failures = failed.filter((error) => !isRateLimitError(error)).length;
  const ownMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  const delayMs = Math.max(Math.ceil(ownMs / 2 + (Math.random() * ownMs) / 2), last.retryAfterMs ?? 0);
  if (failures > retries && now + delayMs > retryUntil) return undefined;
  if (last.retryAfterMs !== undefined && delayMs > maxWaitMs) return undefined;
  return now + delayMs < deadline ? delayMs : undefined;
};
