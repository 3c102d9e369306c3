import { isRateLimitError, type OrderLicenseError } from '../base/errors.ts';

/** Maximum 429s, despite pacing, that one call waits out. */
const maxPauses = 3;
const firstDelayMs = 1_000;
const maxDelayMs = 8_000;

/** How far a call retries failures other than a 429. */
export interface RetryLimits {
  /** Attempts after the first. */
  retries: number;
  /** Beyond `retries`, an attempt is made if it begins within this time, ms. */
  leftMs: number;
}

/**
 * Whether and when to retry a failed attempt: after a 429, the pacer's pause alone; after a failure of the service, the
 * network or the clock, a growing delay, half of it random, or the longer one that the service requests. Other errors
 * would repeat.
 * @param failed the errors of this call so far, the last one last
 * @returns milliseconds to wait before requesting a permit again, or undefined for no further attempt
 */
export const delayBeforeRetry = (
  failed: readonly OrderLicenseError[],
  { retries, leftMs }: RetryLimits,
): number | undefined => {
  const last = failed.at(-1);
  if (!last?.retryable) return undefined;
  const pauses = failed.filter(isRateLimitError).length;
  if (isRateLimitError(last)) return pauses <= maxPauses && last.source === 'server' ? 0 : undefined;
  const others = failed.length - pauses;
  const ownMs = Math.min(firstDelayMs * 2 ** (others - 1), maxDelayMs);
  const delayMs = Math.max(Math.ceil(ownMs / 2 + (Math.random() * ownMs) / 2), last.retryAfterMs ?? 0);
  return others <= retries || delayMs <= leftMs ? delayMs : undefined;
};
