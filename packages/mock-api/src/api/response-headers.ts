import type { Verdict } from '../limit/limiter.ts';
import type { Settings } from '../settings/settings.ts';
import type { MockResponse } from './http.ts';

/** Headers that a fault adds. */
export interface ExtraHeaders {
  /** Retry-After in seconds, unless the rate limit sets it. */
  retryAfter?: number | undefined;
  /** Headers that replace those with the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Adds the rate-limit headers and the headers from a fault. */
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

/** Returns the headers that the setting `rateHeaders` adds to a response. @param now ms since 1970 */
export const rateHeaders = (verdict: Verdict, settings: Settings, now: number): Record<string, string> => {
  const seconds = Math.max(0, Math.ceil(verdict.resetMs / 1000));
  const { limit, remaining } = verdict;
  const isLimited = Number.isFinite(limit);
  switch (settings.rateHeaders) {
    case 'none':
      return {};
    case 'retryAfter':
      return verdict.allowed ? {} : { 'retry-after': String(seconds) };
    case 'retryAfterDate':
      // HTTP dates are in whole seconds, so round up.
      return verdict.allowed
        ? {}
        : { 'retry-after': new Date(Math.ceil((now + verdict.resetMs) / 1000) * 1000).toUTCString() };
    case 'x':
      if (!isLimited) return {};
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil((now + verdict.resetMs) / 1000)),
      };
    case 'draft':
      if (!isLimited) return {};
      return {
        'ratelimit-policy': `"default";q=${limit};w=${Math.ceil(settings.windowMs / 1000)}`,
        ratelimit: `"default";r=${remaining};t=${seconds}`,
      };
  }
};
