import { argumentError } from '@order-license/core/host';
import { tryToParseDateTime } from 'n8n-workflow';
import type { FieldContext } from './as-tool';

/** An ISO 8601 calendar date, optionally with a time (after `T` or a space) and an offset. */
const isoText = /^\d{4}-\d\d-\d\d([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-][01]\d(:?[0-5]\d)?)?)?$/;

/**
 * Reads the value of a date field: a Date, a Luxon DateTime or an ISO 8601 string. A string without a UTC offset is in
 * the workflow's time zone. If a time occurs twice because clocks are set back, it is read as the first of the two, so
 * that a day begins at its first midnight.
 * @returns undefined for any other value
 */
export const readDate = (value: unknown, timezone: string): Date | undefined => {
  const text = typeof value === 'string' ? value.trim().replace(' ', 'T') : undefined;
  if (text === undefined ? typeof value !== 'object' || Array.isArray(value) : !isoText.test(text)) return undefined;
  try {
    const read = tryToParseDateTime(text ?? value, timezone);
    if (text === undefined) return read.toJSDate();
    // n8n's parser accepts invalid dates: it converts 30 February to 2 March.
    return read.toISODate() === text.slice(0, 10) ? read.getPossibleOffsets()[0]?.toJSDate() : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the workflow's time zone.
 * @throws `bad_request` if that zone is unknown: n8n accepts any text in GENERIC_TIMEZONE, even an empty one
 */
export const timezoneOf = (context: FieldContext): string => {
  const timeZone = context.getTimezone();
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    throw argumentError(
      "The workflow's time zone is unknown",
      "Choose a 'Timezone' in the workflow's settings, or set n8n's environment variable GENERIC_TIMEZONE to a name such as Europe/Berlin.",
    );
  }
};
