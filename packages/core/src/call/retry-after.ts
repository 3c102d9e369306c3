import type { HttpResponse } from '../base/host.ts';

const maxMs = 300_000;

/**
 * How long the API asks to wait: a `Retry-After` in seconds or as a date, if plausible.
 * @returns milliseconds, from 1,000 to 300,000; undefined without a header, or for less than a second
 */
export const retryAfterMs = (headers: HttpResponse['headers']): number | undefined => {
  const header = [headers['retry-after']].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(header)) return bounded(Number(header) * 1000);
  // The date is by the server's clock, so it is compared with the server's own `Date` if there is one.
  const sent = Date.parse([headers.date].flat()[0] ?? '');
  return bounded(Date.parse(header) - (Number.isNaN(sent) ? Date.now() : sent));
};

const bounded = (ms: number): number | undefined => (ms >= 1000 ? Math.min(ms, maxMs) : undefined);
