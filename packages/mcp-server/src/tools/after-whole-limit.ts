import { isRateLimitError, RateLimitError } from '@order-license/core/portable';
import type { ToolCall } from './tool.ts';

/** After this time without a request, the whole limit is available, ms. */
const wholeLimitMs = 61_000;

/**
 * For a search that the limit cut off before it had an answer: the same error, with the time at which the whole limit is
 * available. With the few permits that return first, the next call would end in the same place, and so on for ever.
 */
export const afterWholeLimit = (error: unknown, { requests }: ToolCall): unknown => {
  if (!isRateLimitError(error) || error.source !== 'local' || requests() === 0) return error;
  const { reason, page, position, retryAfterMs } = error;
  return Object.assign(new RateLimitError('local', Math.max(wholeLimitMs, retryAfterMs), { reason }), {
    page,
    position,
  });
};
