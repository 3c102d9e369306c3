import type { IExecuteFunctions } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';
import { inputError } from './operation';

/** As the service writes `created_at` (§2.2), which is UTC. */
const serviceText = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;
/** A calendar date of ISO 8601; time of day and zone may follow. */
const isoText = /^\d{4}-\d\d-\d\d(T\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-][01]\d(:?[0-5]\d)?)?)?$/;

/**
 * The time in 'Created After': an ISO 8601 text, a Date or a DateTime of n8n, or a `created_at` as it came. Without a
 * zone it is in the time zone of the workflow, but a `created_at` is UTC. Undefined without the filter, and where the editor left it blank.
 * @throws {NodeOperationError} for a value that is missing or no date
 */
export const readCreatedAfter = (
  context: IExecuteFunctions,
  filters: { createdAfter?: unknown },
  item: number,
): Date | undefined => {
  if (!('createdAfter' in filters) || filters.createdAfter === '') return undefined;
  const { createdAfter } = filters;
  if (createdAfter === undefined || createdAfter === null) {
    throw inputError(
      context,
      item,
      "'Created After' is empty",
      'Its expression gave no value. Give a date, or remove the filter to read orders of any date.',
    );
  }
  const date = dateOf(createdAfter, context.getTimezone());
  if (date) return date;
  throw inputError(
    context,
    item,
    "'Created After' is not a date",
    'Give a day that exists, in ISO 8601, such as 2026-01-31 or 2026-01-31T08:00:00Z. In an expression, $now.minus({ days: 7 }) and its like work too.',
  );
};

const dateOf = (value: unknown, timezone: string): Date | undefined => {
  const text = typeof value === 'string' ? value.trim().replace(serviceText, '$1T$2Z') : undefined;
  if (text === undefined ? typeof value !== 'object' || Array.isArray(value) : !isoText.test(text)) return undefined;
  try {
    const read = tryToParseDateTime(text ?? value, timezone);
    // n8n tries one reading after another, until 30 February becomes 2 March.
    return text === undefined || read.toISODate() === text.slice(0, 10) ? read.toJSDate() : undefined;
  } catch {
    return undefined;
  }
};
