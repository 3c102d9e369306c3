import { shown } from '../settings/check.ts';

/** Formats a time as `YYYY-MM-DD HH:MM:SS` (§2.2). @param ms since 1970, up to the year 9999 */
export const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Parses a UTC time as `YYYY-MM-DD HH:MM:SS` (§2.2), a time in ISO 8601 with `Z` or an offset, or a day.
 * @returns ms since 1970, in whole seconds; `undefined` if the text is invalid
 */
export const parseTime = (text: string): number | undefined => {
  const form = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)|(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)))?$/;
  const [, day = '', spaced = '00:00:00', iso = `T${spaced}Z`] = form.exec(text) ?? [];
  const midnight = Date.parse(day);
  const ms = Date.parse(day + iso);
  // Date.parse accepts 30 February.
  return ms >= 0 && utcText(midnight).startsWith(day) ? Math.floor(ms / 1000) * 1000 : undefined;
};

/**
 * Reads the date of a given order.
 * @returns ms since 1970 in whole seconds; `undefined` if the date is `null`, empty or all zeros
 * @throws Error that begins with `name`
 */
export const readDate = (name: string, value: unknown): number | undefined => {
  if (value === null || value === '' || value === '0000-00-00 00:00:00') return undefined;
  const ms = typeof value === 'string' ? parseTime(value) : undefined;
  if (ms !== undefined) return ms;
  throw new Error(`${name} must be a date such as 2026-03-31 14:05:00 in UTC, or null, not ${shown(value)}`);
};
