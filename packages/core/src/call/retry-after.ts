import type { HttpResponse } from '../base/host.ts';

/** Longest plausible pause, ms; the API can ask for more, but does not get it. */
const maxPauseMs = 300_000;

/**
 * Reads how long the API asks the client to wait: a `Retry-After` in seconds, with or without a fraction, or as a date.
 * @returns whole milliseconds, from 1,000 to 300,000; undefined if the header is missing or invalid, or asks for less
 * than a second
 */
export const retryAfterMs = (headers: HttpResponse['headers']): number | undefined => {
  const header = [headers['retry-after']].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(header)) return bounded(Math.ceil(Number(header) * 1000));
  // The date follows the server's clock, so it is compared with the response's `Date` header, if there is one.
  const sent = Date.parse([headers.date].flat()[0] ?? '');
  return bounded(Date.parse(header) - (Number.isNaN(sent) ? Date.now() : sent));
};

const bounded = (ms: number): number | undefined => (ms >= 1000 ? Math.min(ms, maxPauseMs) : undefined);
