import { isRawJSON, numberText, wholeNumber } from './json.ts';

/**
 * Checks a given value and returns it.
 * @throws Error that begins with `name`
 */
export type Reader<Value> = { (name: string, value: unknown): Value; isOptional?: true };

/** The objects that these readers accept. Any field can be omitted. */
export type Given<Readers> = {
  [Name in keyof Readers]?: (Readers[Name] extends Reader<infer Value> ? Value : never) | undefined;
};

/** Returns a reader that also accepts `undefined`. */
export const optional = <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  Object.assign((name: string, value: unknown) => (value === undefined ? undefined : read(name, value)), {
    isOptional: true as const,
  });

/**
 * Reads the fields of an object. Rejects unknown fields, since they are probably typos.
 * @param what names the object in errors
 * @param suffix follows the field's name in errors
 * @returns the fields that are given
 * @throws Error that names the field
 */
export const readFields = <Value extends object>(
  what: string,
  given: unknown,
  readers: { [Name in keyof Value]-?: Reader<Value[Name]> },
  suffix = '',
): Value => {
  rejectUnknownFields(what, given, Object.keys(readers));
  const fields: Record<string, unknown> = {};
  for (const [name, read] of Object.entries<Reader<unknown>>(readers)) {
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined && !read.isOptional) throw new Error(`${name}${suffix} is missing`);
    const found = read(name + suffix, value);
    if (found !== undefined) fields[name] = found;
  }
  return fields as Value;
};

/** @throws Error that lists the known fields, unless `given` is an object with only those */
export const rejectUnknownFields = (what: string, given: unknown, known: readonly string[]): void => {
  if (!isObject(given)) throw new Error(`${what} must be an object with ${known.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${what} has no "${unknown}"; use one of ${known.join(', ')}`);
};

/** Whether a value is an object other than an array and `null`. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Quotes a value for an error. */
export const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null && !isRawJSON(value)
    ? 'an array or an object'
    : `"${numberText(value) ?? String(value)}"`;

/** Returns a reader for a whole number from `min` to `max`. */
export const whole =
  (min = 0, max = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (name, value) => {
    const number = wholeNumber(value) as number;
    if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new Error(`${name} must be a whole number ${range}, not ${shown(value)}`);
  };

/**
 * Returns a reader for the values that `isValid` accepts.
 * @param about completes "must be" in the error
 */
export const valid =
  <Value>(about: string, isValid: (value: unknown) => boolean): Reader<Value> =>
  (name, value) => {
    if (isValid(value)) return value as Value;
    throw new Error(`${name} must be ${about}, not ${shown(value)}`);
  };

export const flag = valid<boolean>('true or false', (value) => typeof value === 'boolean');

export const text: Reader<string> = (name, value) => {
  if (typeof value === 'string') return value;
  throw new Error(`${name} must be a string`);
};

/** Accepts only a non-empty string. */
export const nameText: Reader<string> = (name, value) => {
  if (text(name, value) === '') throw new Error(`${name} must be a non-empty string`);
  return value as string;
};

/**
 * Returns a reader for a string that matches `form`.
 * @param about completes "must be" in the error
 */
export const matching = (form: RegExp, about: string): Reader<string> =>
  valid(about, (value) => typeof value === 'string' && form.test(value));

export const oneOf = <Value extends string>(values: readonly Value[]): Reader<Value> =>
  valid(`one of ${values.join(', ')}`, (value) => values.includes(value as Value));
