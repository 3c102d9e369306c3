import { shown } from '../settings/check.ts';

/** Formats a time as `YYYY-MM-DD HH:MM:SS` (§2.2). @param ms since 1970, up to the year 9999 */
export const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Parses a UTC time as `YYYY-MM-DD HH:MM:SS` (§2.2), or as ISO 8601 with `T` and `Z`.
 * @returns ms since 1970, in whole seconds; `undefined` if the text is invalid
 */
export const parseUtcText = (text: string): number | undefined => {
  const [, day = '', spaced, iso] =
    /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)|T(\d\d:\d\d:\d\d)(?:\.\d+)?Z)$/.exec(text) ?? [];
  const clock = spaced ?? iso ?? '';
  const ms = Date.parse(`${day}T${clock}Z`);
  // Comparing the text with the formatted result rejects dates such as 30 February.
  return ms >= 0 && utcText(ms) === `${day} ${clock}` ? ms : undefined;
};

/**
 * Reads the date of a given order: in the documented format, as ISO 8601 with `Z` or an offset, or as a day.
 * @returns ms since 1970 in whole seconds; `undefined` if the date is `null`, empty or all zeros
 * @throws Error that begins with `name`
 */
export const readDate = (name: string, value: unknown): number | undefined => {
  if (value === null || value === '' || value === '0000-00-00 00:00:00') return undefined;
  const known = typeof value === 'string' ? parseUtcText(value) : undefined;
  if (known !== undefined) return known;
  const isForm =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  // Date.parse accepts 30 February.
  const isDay = isForm && parseUtcText(`${value.slice(0, 10)} 00:00:00`) !== undefined;
  const ms = isDay ? Date.parse(value) : Number.NaN;
  if (ms >= 0) return Math.floor(ms / 1000) * 1000;
  throw new Error(`${name} must be a date such as 2026-03-31 14:05:00 in UTC, or null, not ${shown(value)}`);
};
