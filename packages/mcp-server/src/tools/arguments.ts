import * as z from 'zod';

/**
 * A whole number from 1 to `max`; also accepted as a string of digits, because some models quote numbers.
 * @param error what to say about anything else
 */
export const wholeNumber = (error: string, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^[1-9]\d*$/.test(value.trim()) ? Number(value) : value),
    z.int({ error }).min(1, { error }).max(max, { error }),
  );
