import { argumentError } from './errors.ts';

/** @throws `bad_request` unless `value` is a whole number from 1 to `max` */
export const checkWhole = (name: string, value: unknown, max: number): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw argumentError(
    max === Number.MAX_SAFE_INTEGER
      ? `\`${name}\` must be a whole number from 1 up`
      : `\`${name}\` must be a whole number from 1 to ${max}`,
  );
};
