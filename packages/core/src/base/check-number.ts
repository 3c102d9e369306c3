import { configurationError } from './errors.ts';

/** @throws `configuration` unless `value` is a number from `min` to `max` */
export const checkNumber = (name: string, value: unknown, min: number, max: number): number => {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw configurationError(`\`${name}\` must be a number ${range}`);
};
