import { argumentError } from '@order-license/core/host';
import type { IExecuteFunctions, INodeProperties, INodePropertyOptions, IPollFunctions } from 'n8n-workflow';
import { adviceForModel, type FieldContext, isTool } from './as-tool';
import { readDate, timezoneOf } from './date';

/**
 * Reads a field and checks its value against the field's own description, because an expression can return anything:
 *
 * - boolean: true or false; also as text
 * - number: a whole number of at least 1; also as text
 * - options: one of the options
 * - multiOptions: an array of options, in their order; also a comma-separated string or a JSON array
 * - dateTime: a Date
 * - string: text, trimmed, not empty; also a number
 * - collection: the values of the fields that were added, each checked like the others
 *
 * A tool uses the default for a blank value, because models leave fields blank on purpose.
 *
 * @param itemIndex the input item; undefined in a trigger
 * @throws `bad_request` for any other value, before anything is sent
 */
export const readField = <Value>(context: FieldContext, field: INodeProperties, itemIndex?: number): Value => {
  const { name, default: fallback } = field;
  const given: unknown =
    itemIndex === undefined
      ? (context as IPollFunctions).getNodeParameter(name, fallback)
      : (context as IExecuteFunctions).getNodeParameter(name, itemIndex, fallback);
  const value = isTool(context) && isBlank(given) ? fallback : given;
  return checkValue(value, { context, field }) as Value;
};

interface Given {
  context: FieldContext;
  field: INodeProperties;
}

interface Kind {
  /** Returns the value; undefined if the field cannot have it. */
  read: (value: unknown, given: Given) => unknown;
  /** What is wrong with any other value. */
  otherwise: string;
  /** What to do; by default, the advice names the options. */
  advice?: string;
}

const checkValue = (value: unknown, given: Given): unknown => {
  const { type } = given.field;
  if (type === 'collection') return checkCollection(value, given);
  const { read, otherwise, advice = `Choose from ${choicesOf(given).join(', ')}.` } = kinds[type] ?? textKind;
  const checked = read(value, given);
  if (checked !== undefined) return checked;
  throw wrong(given, isBlank(value) ? 'is empty' : otherwise, advice);
};

const wrong = ({ context, field }: Given, what: string, advice: string) =>
  argumentError(`'${field.displayName}' ${what}`, adviceForModel(field, context) ?? advice);

const readCount = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
};

const choicesOf = ({ field }: Given) => (field.options ?? []).map((option) => (option as INodePropertyOptions).value);

const readChoices = (value: unknown, given: Given): unknown[] | undefined => {
  const choices = choicesOf(given);
  const list: unknown[] = typeof value === 'string' ? value.replace(/[[\]"]/g, '').split(',') : [value].flat();
  const wanted = list.filter((one) => !isBlank(one)).map((one) => (typeof one === 'string' ? one.trim() : one));
  const isKnown = wanted.every((one) => choices.includes(one as string));
  if (!isKnown || (wanted.length === 0 && given.field.required)) return undefined;
  return choices.filter((choice) => wanted.includes(choice));
};

const textKind: Kind = {
  read: (value) => ((typeof value === 'string' || typeof value === 'number') && String(value).trim()) || undefined,
  otherwise: 'is not text',
  advice: 'Enter text.',
};

const kinds: Partial<Record<INodeProperties['type'], Kind>> = {
  boolean: {
    read: (value) => [true, false].find((one) => String(one) === String(value).trim().toLowerCase()),
    otherwise: 'is neither true nor false',
    advice: 'Set it to true or false.',
  },
  number: {
    read: readCount,
    otherwise: 'is not a whole number of at least 1',
    advice: 'Set a number such as 50.',
  },
  options: {
    read: (value, given) => choicesOf(given).find((choice) => choice === value),
    otherwise: 'has an unknown value',
  },
  multiOptions: { read: readChoices, otherwise: 'has an unknown value' },
  dateTime: {
    // A date with a UTC offset needs no time zone.
    read: (value, { context }) => readDate(value, context.getTimezone()) ?? readDate(value, timezoneOf(context)),
    otherwise: 'is not a date',
    advice:
      'Set a valid ISO 8601 date, such as 2026-01-31 or 2026-01-31T08:00:00Z. Expressions such as $now.minus({ days: 7 }) also work.',
  },
};

/**
 * Checks each field that the user added; n8n removes all others, and an expression for the whole collection. A blank value
 * is an error, so that a blank filter does not read all orders; in a tool, it means no filter.
 */
const checkCollection = (value: unknown, given: Given): Record<string, unknown> => {
  const added = value as Record<string, unknown>;
  const checked: Record<string, unknown> = {};
  for (const field of given.field.options as INodeProperties[]) {
    const { name, displayName } = field;
    if (!(name in added)) continue;
    if (!isBlank(added[name])) checked[name] = checkValue(added[name], { ...given, field });
    else if (!isTool(given.context)) {
      const advice = `Set a value, or remove '${displayName}'. An expression must return a value.`;
      throw wrong({ ...given, field }, 'is empty', advice);
    }
  }
  return checked;
};

/** Whether a value is missing, empty or white space, or an array of such texts. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || [value].flat().every((one) => typeof one === 'string' && one.trim() === '');
