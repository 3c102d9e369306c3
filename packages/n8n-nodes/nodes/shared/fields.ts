import type {
  IExecuteFunctions,
  INodeProperties,
  INodePropertyCollection,
  INodePropertyOptions,
  IPollFunctions,
} from 'n8n-workflow';
import { adviceForModel, type FieldContext, isTool } from './as-tool';
import { readDate } from './date';
import { inputError } from './errors';

/**
 * Reads a field and checks its value against the field's own description, because an expression can return anything:
 *
 * - boolean: true or false; also as text
 * - number: a whole number of at least `minValue`; also as text
 * - options: one of the options
 * - multiOptions: an array of options, in their order; also a comma-separated string or a JSON array
 * - dateTime: a Date
 * - string: text, trimmed, not empty; also a number
 * - collection: an object with the values of the fields that were added, each checked like the others
 *
 * A tool uses the default for a blank value, because models leave fields blank on purpose.
 *
 * @param itemIndex the input item; undefined in a trigger
 * @throws {NodeOperationError} for any other value, before anything is sent
 */
export const readField = <Value>(context: FieldContext, field: INodeProperties, itemIndex?: number): Value => {
  const { name, default: fallback } = field;
  const given: unknown =
    itemIndex === undefined
      ? (context as IPollFunctions).getNodeParameter(name, fallback)
      : (context as IExecuteFunctions).getNodeParameter(name, itemIndex, fallback);
  const value = isTool(context) && isBlank(given) ? fallback : given;
  return checkValue(value, { context, field, itemIndex }) as Value;
};

interface Given {
  context: FieldContext;
  field: INodeProperties;
  itemIndex: number | undefined;
}

const checkValue = (value: unknown, given: Given): unknown => (checks[given.field.type] ?? checkText)(value, given);

const wrong = ({ context, field, itemIndex }: Given, what: string, advice: string) => {
  const message = `'${field.displayName}' ${what}`;
  return inputError(context, itemIndex, message, adviceForModel(field, context) ?? advice);
};

const checkSwitch = (value: unknown, given: Given): boolean => {
  const text = lowerCase(value);
  if (text === 'true' || text === 'false') return text === 'true';
  throw wrong(given, 'is neither true nor false', 'Set it to true or false.');
};

const checkNumber = (value: unknown, given: Given): number => {
  const { minValue = 0 } = given.field.typeOptions ?? {};
  const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= minValue) return number;
  const what = isBlank(value) ? 'is empty' : `is not a whole number of at least ${minValue}`;
  throw wrong(given, what, 'Set a number such as 50.');
};

const checkText = (value: unknown, given: Given): string => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw wrong(given, 'is not text', 'Enter text.');
};

const lowerCase = (value: unknown): string => (typeof value === 'object' ? '' : String(value).trim().toLowerCase());

const choicesOf = ({ options = [] }: INodeProperties) =>
  options.map((option) => (option as INodePropertyOptions).value);

const checkChoice = (value: unknown, given: Given): unknown => {
  const choices = choicesOf(given.field);
  if (choices.includes(value as string)) return value;
  throw wrong(given, 'has an unknown value', `Choose one of ${choices.join(', ')}.`);
};

const checkChoices = (value: unknown, given: Given): unknown[] => {
  const choices = choicesOf(given.field);
  const list: unknown[] = typeof value === 'string' ? value.replace(/[[\]"]/g, '').split(',') : [value].flat();
  const wanted = list.filter((one) => !isBlank(one)).map((one) => (typeof one === 'string' ? one.trim() : one));
  const isKnown = wanted.every((one) => choices.includes(one as string));
  if (isKnown && (wanted.length > 0 || !given.field.required)) {
    return choices.filter((choice) => wanted.includes(choice));
  }
  throw wrong(given, isKnown ? 'is empty' : 'has an unknown value', `Choose from ${choices.join(', ')}.`);
};

const checkDate = (value: unknown, given: Given): Date => {
  const date = readDate(value, given.context.getTimezone());
  if (date) return date;
  throw wrong(
    given,
    'is not a date',
    'Set a valid ISO 8601 date, such as 2026-01-31 or 2026-01-31T08:00:00Z. Expressions such as $now.minus({ days: 7 }) also work.',
  );
};

/**
 * Checks each field that the user added. A blank value is an error, so that a blank filter does not read all orders; in a
 * tool, it means no filter.
 */
const checkCollection = (value: unknown, given: Given): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(
      given,
      'is not an object',
      'Remove the expression, add the fields that you need, and set an expression in each of them.',
    );
  }
  const fields = given.field.options as (INodeProperties | INodePropertyCollection)[];
  const checked: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.find((one) => one.name === name) as INodeProperties | undefined;
    if (!field) {
      const names = fields.map((one) => one.name).join(', ');
      throw wrong(given, `has no field ${JSON.stringify(name)}`, `Use only these fields: ${names}.`);
    }
    if (!isBlank(inner)) checked[name] = checkValue(inner, { ...given, field });
    else if (!isTool(given.context)) {
      const advice = `Set a value, or remove '${field.displayName}' so that it does not restrict the orders. An expression must return a value.`;
      throw wrong({ ...given, field }, 'is empty', advice);
    }
  }
  return checked;
};

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || [value].flat().every((one) => typeof one === 'string' && one.trim() === '');

const checks: Partial<Record<INodeProperties['type'], (value: unknown, given: Given) => unknown>> = {
  boolean: checkSwitch,
  number: checkNumber,
  options: checkChoice,
  multiOptions: checkChoices,
  dateTime: checkDate,
  collection: checkCollection,
};
