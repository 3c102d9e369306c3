import { argumentError } from './errors.ts';

/** @throws `bad_request` unless `options` is an object */
export const checkOptions = <T extends object>(options: T): T => {
  if (typeof options === 'object' && options !== null) return options;
  throw argumentError('The options must be an object, such as `{ limit: 10 }`');
};
