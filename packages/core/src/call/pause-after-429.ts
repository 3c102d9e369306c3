import { RateLimitError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { HttpResponse } from '../base/host.ts';
import type { Pacer } from '../pace/pacer.ts';
import { retryAfterMs } from './retry-after.ts';

/** How long to wait after a 429 without a usable `Retry-After` (§8), ms: a whole window. */
const defaultPauseMs = 60_000;
/** Maximum number of 429s that one call waits out. With pacing, a 429 is rare. */
const maxPauses = 3;

/** Creates the error for a response with status 429, with the time for which the API asks. */
export const errorOf429 = (
  { status, headers }: HttpResponse,
  fields: Pick<RateLimitError, 'serverText' | 'received'>,
): RateLimitError => new RateLimitError('server', retryAfterMs(headers) ?? defaultPauseMs, { ...fields, status });

/**
 * Pauses all requests with the key for the time that the API asks for plus the guard, since the API and this machine may
 * round times differently. A slow store must not delay the response, so nothing waits for it.
 */
export const pauseAll = (
  { retryAfterMs }: RateLimitError,
  { pacer, guardMs, operation, emit }: { pacer: Pacer; guardMs: number; operation: string; emit: OnEvent },
): void => {
  const pauseMs = retryAfterMs + guardMs;
  pacer.pause(pauseMs).catch(() => emit({ type: 'store_failed', step: 'pause' }));
  emit({ type: 'rate_limited', operation, pauseMs });
};

/**
 * Whether a call that was rate limited requests another permit. After a 429, it does: the pacer grants the permit when
 * the pause is over, so the call adds no delay of its own.
 * @param count how often the call has been rate limited
 * @param longestMs how long the call can wait
 */
export const isWaitedOut = ({ source, retryAfterMs }: RateLimitError, count: number, longestMs: number): boolean =>
  source === 'server' && retryAfterMs <= longestMs && count <= maxPauses;
