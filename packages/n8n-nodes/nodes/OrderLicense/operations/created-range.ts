import type { IExecuteFunctions } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';
import { isTool } from '../../shared/license-keys';
import { inputError } from './operation';

/** The service's format of `created_at` (§2.2), in UTC. */
const serviceText = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;
/** A calendar date of ISO 8601, optionally followed by a time and a zone. */
const isoText = /^\d{4}-\d\d-\d\d(T\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-][01]\d(:?[0-5]\d)?)?)?$/;

const names = { createdFrom: 'Created From', createdBefore: 'Created Before' } as const;

/** The date filters as evaluated by n8n. */
export type CreatedFilters = { [Name in keyof typeof names]?: unknown };

/** From one instant (inclusive) to another (exclusive). */
export type CreatedRange = { [Name in keyof typeof names]: Date | undefined };

/**
 * The range of 'Created From' and 'Created Before': each an ISO 8601 string, a Date or a DateTime of n8n, or an
 * unchanged `created_at`. Without a zone it is in the time zone of the workflow, but a `created_at` is UTC. Undefined
 * without the filter, and if the model that uses the node as a tool left it blank.
 * @throws {NodeOperationError} for a value that is missing or not a date, and for a range that ends before it begins
 */
export const readCreatedRange = (context: IExecuteFunctions, filters: CreatedFilters, item: number): CreatedRange => {
  const createdFrom = readDate(context, filters, 'createdFrom', item);
  const createdBefore = readDate(context, filters, 'createdBefore', item);
  if (createdFrom && createdBefore && createdFrom > createdBefore) {
    throw inputError(context, item, "'Created From' is later than 'Created Before'", 'Swap the two dates.');
  }
  return { createdFrom, createdBefore };
};

const readDate = (
  context: IExecuteFunctions,
  filters: CreatedFilters,
  name: keyof typeof names,
  item: number,
): Date | undefined => {
  const given = filters[name];
  if (!(name in filters)) return undefined;
  // n8n keeps a filter that was added and left blank, and its date picker clears text in another format.
  if (given === undefined || given === null || given === '') {
    if (isTool(context)) return undefined;
    throw inputError(
      context,
      item,
      `'${names[name]}' is empty`,
      'Choose a date, or remove the filter to read orders of any date. An expression must return a date.',
    );
  }
  const date = dateOf(given, context.getTimezone());
  if (date) return date;
  throw inputError(
    context,
    item,
    `'${names[name]}' is not a date`,
    'Set a valid ISO 8601 date, such as 2026-01-31 or 2026-01-31T08:00:00Z. Expressions such as $now.minus({ days: 7 }) work too.',
  );
};

const dateOf = (value: unknown, timezone: string): Date | undefined => {
  const text = typeof value === 'string' ? value.trim().replace(serviceText, '$1T$2Z') : undefined;
  if (text === undefined ? typeof value !== 'object' || Array.isArray(value) : !isoText.test(text)) return undefined;
  try {
    const read = tryToParseDateTime(text ?? value, timezone);
    // n8n tries several interpretations, and turns 30 February into 2 March.
    return text === undefined || read.toISODate() === text.slice(0, 10) ? read.toJSDate() : undefined;
  } catch {
    return undefined;
  }
};
