import { isObject } from './fields.ts';

const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): value is { rawJSON: string } };

/** A number in the digits of the file that it stood in; `undefined` for all other values. */
export const numberText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return isRawJSON(value) ? value.rawJSON : undefined;
};

/** A value as an error quotes it. */
export const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null && !isRawJSON(value)
    ? 'an array or an object'
    : `"${numberText(value) ?? String(value)}"`;

// Each of the following gives the value back, or throws an Error whose sentence names the field.

/** A whole number from `min` to `max`. */
export const wholeNumber = (name: string, value: unknown, max = Number.MAX_SAFE_INTEGER, min = 0): number => {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`;
  throw new Error(`${name} must be a whole number ${range}, not ${shown(value)}`);
};

export const text = (name: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new Error(`${name} must be a string`);
};

/** A text that can serve as a name: it is not empty. */
export const nameText = (name: string, value: unknown): string => {
  if (text(name, value) === '') throw new Error(`${name} must be a non-empty string`);
  return value as string;
};

export const oneOf = <Value extends string>(name: string, value: unknown, values: readonly Value[]): Value => {
  if (values.includes(value as Value)) return value as Value;
  throw new Error(`${name} must be one of ${values.join(', ')}, not ${shown(value)}`);
};

export const textOrNull = (name: string, value: unknown): string | null => {
  if (value === null || typeof value === 'string') return value;
  throw new Error(`${name} must be a string or null`);
};

export const objectValue = (name: string, value: unknown): Readonly<Record<string, unknown>> => {
  if (isObject(value)) return value as Record<string, unknown>;
  throw new Error(`${name} must be an object`);
};
