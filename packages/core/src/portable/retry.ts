import { isRateLimitError, type OrderLicenseError } from './errors.ts';

/** A 429 in spite of pacing is waited out this often per call. */
const mostPauses = 3;
const firstDelayMs = 1_000;
const longestDelayMs = 8_000;

/**
 * Whether a failed attempt is followed by another, and when: 429 by the pacer's pause alone, failures of the service,
 * the network or the clock after a growing delay of which half is random. Nothing else would change by asking again.
 * @param failed what has gone wrong in this call so far, the last one last
 * @param retries attempts after the first that failures other than 429 may cost
 * @returns milliseconds to wait before asking for a permit again, or undefined for no further attempt
 */
export const delayBeforeRetry = (failed: readonly OrderLicenseError[], retries: number): number | undefined => {
  const last = failed.at(-1);
  if (!last?.retryable) return undefined;
  const pauses = failed.filter(isRateLimitError).length;
  if (isRateLimitError(last)) return pauses <= mostPauses && last.source === 'server' ? 0 : undefined;
  const others = failed.length - pauses;
  if (others > retries) return undefined;
  const delayMs = Math.min(firstDelayMs * 2 ** (others - 1), longestDelayMs);
  return delayMs / 2 + (Math.random() * delayMs) / 2;
};
