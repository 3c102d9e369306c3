import { isRawJSON, numberText } from '../data/exact-json.ts';

/** Quotes a value for an error. */
export const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null && !isRawJSON(value)
    ? 'an array or an object'
    : `"${numberText(value) ?? String(value)}"`;

// Each of the following functions returns the value, or throws an Error that names the field.

/** Checks for a whole number from `min` to `max`. */
export const wholeNumber = (name: string, value: unknown, max = Number.MAX_SAFE_INTEGER, min = 0): number => {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`;
  throw new Error(`${name} must be a whole number ${range}, not ${shown(value)}`);
};

export const text = (name: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new Error(`${name} must be a string`);
};

/** Checks for a non-empty string. */
export const nameText = (name: string, value: unknown): string => {
  if (text(name, value) === '') throw new Error(`${name} must be a non-empty string`);
  return value as string;
};

export const oneOf = <Value extends string>(name: string, value: unknown, values: readonly Value[]): Value => {
  if (values.includes(value as Value)) return value as Value;
  throw new Error(`${name} must be one of ${values.join(', ')}, not ${shown(value)}`);
};
