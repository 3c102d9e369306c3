import type { HttpResponse } from './host.ts';

const pauseMs = 60_000;
const longestPauseMs = 300_000;

/**
 * How long to stay away after a 429: 60 s (§8), or what a sane `Retry-After` says, in seconds or as a date.
 * @returns milliseconds, from 1,000 to 300,000
 */
export const retryAfterMs = (headers: HttpResponse['headers']): number => {
  const header = [headers['retry-after']].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(header)) return bounded(Number(header) * 1000);
  // The date is by the server's clock, so it is held against the server's own `Date` where there is one.
  const sent = Date.parse([headers.date].flat()[0] ?? '');
  return bounded(Date.parse(header) - (Number.isNaN(sent) ? Date.now() : sent));
};

const bounded = (ms: number): number => (ms >= 1000 ? Math.min(ms, longestPauseMs) : pauseMs);
