import type { CallLimits } from '../base/call-options.ts';
import { isRateLimitError, type OrderLicenseError } from '../base/errors.ts';
import { isWaitedOut } from './pause-after-429.ts';

const firstDelayMs = 1_000;
const maxDelayMs = 8_000;

/** Maximum number of retries by default. */
const defaultRetries = 2;
/** By default, a call that outlasts an outage is retried for this time at most, ms: an API may take long to restart. */
const outageMs = 120_000;

/** Limits of a call's attempts. Times are on the host's clock. */
export interface RetryLimits extends Pick<CallLimits, 'retries' | 'maxWaitMs'> {
  deadline: number;
}

/**
 * Creates the function that decides whether and when one call retries. After a failure of the API, the network or the
 * store, the call retries after a growing delay, half of which is random, or after the longer delay that the API asks
 * for. It does not retry after other errors, which would occur again.
 */
export const createRetries = ({ retries, maxWaitMs, deadline }: RetryLimits) => {
  let pauses = 0;
  let failures = 0;
  /** Time of the first failure other than a 429. */
  let failingSince = Infinity;

  /**
   * @param error why the latest attempt failed
   * @param now the time on the host's clock
   * @param outlasts whether the call outlasts an outage, if it sets no number of `retries`. A person should not wait that
   * long
   * @returns milliseconds to wait before requesting a permit again; undefined if the call fails now
   */
  return (error: OrderLicenseError, now: number, outlasts: boolean): number | undefined => {
    if (!error.retryable) return undefined;
    if (isRateLimitError(error)) {
      pauses += 1;
      return isWaitedOut(error, pauses, Math.min(maxWaitMs, deadline - now)) ? 0 : undefined;
    }
    failures += 1;
    failingSince = Math.min(failingSince, now);
    const { retryAfterMs } = error;
    const ownMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
    const delayMs = Math.max(Math.ceil((ownMs / 2) * (1 + Math.random())), retryAfterMs ?? 0);
    const isOver = retries !== undefined || !outlasts || now + delayMs > failingSince + outageMs;
    if (failures > (retries ?? defaultRetries) && isOver) return undefined;
    if (retryAfterMs !== undefined && delayMs > maxWaitMs) return undefined;
    return now + delayMs < deadline ? delayMs : undefined;
  };
};
