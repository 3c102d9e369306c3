import { isRateLimitError, RateLimitError } from '@order-license/core/portable';
import type { Call } from './call.ts';

/** After this time without a request, the whole limit is available, ms. */
const wholeLimitMs = 61_000;

/**
 * For a search that the limit stopped before it had an answer: the same error, with the time at which the whole limit is
 * available. With only the first returned permits, every further call would stop at the same place.
 */
export const afterWholeLimit = (error: unknown, { requests }: Call): unknown => {
  if (!isRateLimitError(error) || error.source !== 'local' || requests() === 0) return error;
  const { reason, position, retryAfterMs } = error;
  return Object.assign(new RateLimitError('local', Math.max(wholeLimitMs, retryAfterMs), { reason }), {
    position,
  });
};
