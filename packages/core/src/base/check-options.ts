import type { CallOptions } from './call-options.ts';
import { argumentError } from './errors.ts';

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
