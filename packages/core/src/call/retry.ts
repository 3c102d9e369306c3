import { isRateLimitError, type OrderLicenseError } from '../base/errors.ts';
import { canRetryAfter429 } from './pause-after-429.ts';

const firstDelayMs = 1_000;
const maxDelayMs = 8_000;

/** How far a call retries failures. */
export interface RetryLimits {
  /** Attempts after the first that a failure of the API, the network or the clock allows. */
  retries: number;
  /** Beyond `retries`, such a failure is retried until then, on the host's clock. */
  retryUntil: number;
  /** When the call ends in any case. */
  deadline: number;
  /** The longest wait that the caller accepts from the API, ms. */
  maxWaitMs: number;
}

/**
 * Whether and when to retry a failed attempt: after a 429, when the pacer's pause is over; after a failure of the API,
 * the network or the clock, after a growing delay, half of it random, or the longer one that the API asks for. Other
 * errors would repeat.
 * @param failed the errors of this call so far, the last one last
 * @param now on the host's clock
 * @returns milliseconds to wait before requesting a permit again, or undefined for no further attempt
 */
export const delayBeforeRetry = (
  failed: readonly OrderLicenseError[],
  { retries, retryUntil, deadline, maxWaitMs }: RetryLimits,
  now: number,
): number | undefined => {
  const last = failed.at(-1);
  if (!last?.retryable) return undefined;
  if (isRateLimitError(last)) return canRetryAfter429(failed) ? 0 : undefined;
  const others = failed.filter((error) => !isRateLimitError(error)).length;
  const ownMs = Math.min(firstDelayMs * 2 ** (others - 1), maxDelayMs);
  const delayMs = Math.max(Math.ceil(ownMs / 2 + (Math.random() * ownMs) / 2), last.retryAfterMs ?? 0);
  if (others > retries && now + delayMs > retryUntil) return undefined;
  if (last.retryAfterMs !== undefined && delayMs > maxWaitMs) return undefined;
  return now + delayMs < deadline ? delayMs : undefined;
};
