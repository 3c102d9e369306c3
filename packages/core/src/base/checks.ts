import type { CallOptions } from './call-options.ts';
import { argumentError, configurationError } from './errors.ts';

/** @throws `configuration` unless `value` is a number from `min` to `max` */
export const checkNumber = (name: string, value: unknown, min: number, max: number): number => {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw configurationError(`\`${name}\` must be a number ${range}`);
};

/** @throws `bad_request` unless `value` is a whole number from 1 to `max` */
export const checkWhole = (name: string, value: unknown, max: number): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw argumentError(
    max === Number.MAX_SAFE_INTEGER
      ? `\`${name}\` must be a whole number from 1 up`
      : `\`${name}\` must be a whole number from 1 to ${max}`,
  );
};

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of all options; the type ensures that none is missing. */
export type OptionNames<Options> = Record<keyof Options, true>;

export const callOptionNames: OptionNames<CallOptions> = {
  signal: true,
  maxWaitMs: true,
  deadlineMs: true,
  timeoutMs: true,
  retries: true,
  priority: true,
  consumer: true,
  useReserve: true,
};

/** False for arrays, and for objects such as an `AbortSignal`, which has no own properties to check. */
const hasOptions = (options: unknown): boolean => Object.prototype.toString.call(options) === '[object Object]';

/** What is wrong with the names of `options`: detail and advice. */
export const unknownOption = (options: object, names: Record<string, true>): [string, string] | undefined => {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  const quoted = /^\w{1,40}$/.test(unknown) ? ` \`${unknown}\`` : '';
  return [`Unknown option${quoted}`, `Options: ${Object.keys(names).join(', ')}.`];
};

/**
 * @param names all option names, so that a misspelled one is not ignored
 * @throws `bad_request` if `options` is not an object or has an unknown name
 */
export const checkOptions = <T extends object>(options: T, names: OptionNames<T>): T => {
  if (!hasOptions(options)) throw argumentError('The options must be an object, such as `{ limit: 10 }`');
  const problem = unknownOption(options, names);
  if (problem) throw argumentError(...problem);
  return options;
};
