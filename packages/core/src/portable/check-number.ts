import { configurationError } from './errors.ts';

/** @throws `configuration` unless `value` is a number from `least` to `most` */
export const checkNumber = (name: string, value: unknown, least: number, most: number): number => {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw configurationError(`\`${name}\` has to be a number ${range}.`);
};
