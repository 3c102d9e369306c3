import { tryToParseDateTime } from 'n8n-workflow';

/** An ISO 8601 calendar date, optionally with a time (after `T` or a space) and an offset. */
const isoText = /^\d{4}-\d\d-\d\d([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-][01]\d(:?[0-5]\d)?)?)?$/;

/**
 * Reads a date that n8n evaluated: a Date, a Luxon DateTime or an ISO 8601 string. A string without an offset is in the
 * workflow's time zone.
 * @returns undefined for anything else
 */
export const readDate = (value: unknown, timezone: string): Date | undefined => {
  const text = typeof value === 'string' ? value.trim().replace(' ', 'T') : undefined;
  if (text === undefined ? typeof value !== 'object' || Array.isArray(value) : !isoText.test(text)) return undefined;
  try {
    const read = tryToParseDateTime(text ?? value, timezone);
    // n8n tries several interpretations, and turns 30 February into 2 March.
    return text === undefined || read.toISODate() === text.slice(0, 10) ? read.toJSDate() : undefined;
  } catch {
    return undefined;
  }
};
