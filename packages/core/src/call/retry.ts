import type { CallLimits } from '../base/call-options.ts';
import { isRateLimitError, type OrderLicenseError } from '../base/errors.ts';
import { isWaitedOut } from './pause-after-429.ts';

const firstDelayMs = 1_000;
const maxDelayMs = 8_000;

/** By default, a call is retried this often. */
const defaultRetries = 2;
/** By default, a call that outlasts an outage is retried for this time at most, ms: an API may take long to restart. */
const outageMs = 120_000;

/** Limits within which a call retries failures. Times are on the host's clock. */
export interface RetryLimits extends Pick<CallLimits, 'retries' | 'maxWaitMs'> {
  deadline: number;
  /** Time of the call's first failure other than a 429. */
  failingSince: number;
  /** Whether the call outlasts an outage, if it sets no number of `retries`. A person should not wait that long. */
  outlasts: boolean;
}

/**
 * Decides whether and when to retry a failed attempt. After a failure of the API, the network or the store, a call
 * retries after a growing delay, half of which is random, or after the longer delay that the API asks for. It does not
 * retry after other errors, which would occur again.
 * @param failed the errors of this call so far, in order
 * @param now the time on the host's clock
 * @returns milliseconds to wait before requesting a permit again; undefined if there is no further attempt
 */
export const delayBeforeRetry = (
  failed: readonly OrderLicenseError[],
  { retries, failingSince, outlasts, deadline, maxWaitMs }: RetryLimits,
  now: number,
): number | undefined => {
  const last = failed.at(-1);
  if (!last?.retryable) return undefined;
  if (isRateLimitError(last)) return isWaitedOut(failed, last, Math.min(maxWaitMs, deadline - now)) ? 0 : undefined;
  const failures = failed.filter((error) => !isRateLimitError(error)).length;
  const ownMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  const delayMs = Math.max(Math.ceil((ownMs / 2) * (1 + Math.random())), last.retryAfterMs ?? 0);
  const isOver = retries !== undefined || !outlasts || now + delayMs > failingSince + outageMs;
  if (failures > (retries ?? defaultRetries) && isOver) return undefined;
  if (last.retryAfterMs !== undefined && delayMs > maxWaitMs) return undefined;
  return now + delayMs < deadline ? delayMs : undefined;
};
