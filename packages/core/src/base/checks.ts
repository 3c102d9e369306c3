import { argumentError, configurationError } from './errors.ts';

/** @throws `configuration` unless `value` is a number from `min` to `max` */
export const checkNumber = (name: string, value: unknown, min: number, max: number): number => {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw configurationError(`\`${name}\` must be a number ${range}`);
};

/**
 * @throws `bad_request` unless `value` is a whole number from 1 to `max`; without `max`, any positive whole number is
 * valid
 */
export const checkWhole = (name: string, value: number, max = Infinity): number => {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  const numbers = max === Infinity ? 'positive whole number' : `whole number from 1 to ${max}`;
  throw argumentError(`\`${name}\` must be a ${numbers}`);
};

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects in a list, or an empty list for any other value. */
export const objectsIn = <Found = Record<string, unknown>>(value: unknown): Found[] =>
  Array.isArray(value) ? (value.filter(isObject) as Found[]) : [];

/** Returns a value of a response as text. `String` throws for an object such as `{ "toString": null }`. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Returns what a percent-encoded text stands for; undefined if it is malformed. */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the code of an error of the system, Node or Bun, such as `ENOENT` or `ConnectionRefused`; undefined if it has
 * none. Never returns its message, which could contain a key.
 */
export const codeOf = (error: unknown): string | undefined => {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  // undici's error for a response that isn't HTTP has no code.
  if (name === 'HTTPParserError') return name;
  return typeof code === 'string' && /^[A-Z]\w{2,39}$/.test(code) ? code : undefined;
};
