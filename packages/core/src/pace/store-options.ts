import { type OptionNames, unknownOption } from '../base/check-options.ts';
import { configurationError } from '../base/errors.ts';
import type { SharedStoreOptions } from './shared-store.ts';

export const sharedOptionNames: OptionNames<SharedStoreOptions> = {
  baseUrl: true,
  apiKey: true,
  requests: true,
  windowMs: true,
  guardMs: true,
  now: true,
  onEvent: true,
};

/** @throws `configuration` for an unknown name: with a misspelled `path`, this process would use a different file */
export const checkStoreOptions = <T extends SharedStoreOptions>(options: T, names: OptionNames<T>): T => {
  const problem = unknownOption(options, names);
  if (problem) throw configurationError(...problem);
  return options;
};
