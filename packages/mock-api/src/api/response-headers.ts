import type { Verdict } from '../limit/limiter.ts';
import { rateHeaders } from '../limit/rate-headers.ts';
import type { Settings } from '../settings/settings.ts';
import type { MockResponse } from './http.ts';

/** Headers that a fault adds. */
export interface ExtraHeaders {
  /** Retry-After in seconds, unless the rate limit sets it. */
  retryAfter?: number;
  /** These replace headers of the same name. */
  headers?: Readonly<Record<string, string>>;
}

/** Adds the headers of the rate limit and of a fault. */
export const addResponseHeaders = (
  { headers }: MockResponse,
  verdict: Verdict | undefined,
  settings: Settings,
  now: number,
  extra?: ExtraHeaders,
): void => {
  if (verdict) Object.assign(headers, rateHeaders(verdict, settings, now));
  if (extra?.retryAfter !== undefined) headers['retry-after'] ??= String(extra.retryAfter);
  Object.assign(headers, extra?.headers);
};
