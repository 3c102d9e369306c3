import * as z from 'zod';

/** An order ID as core accepts it: a whole number, or its digits where a service sends strings. */
export const orderId = z.union([z.int(), z.string()]);

/** A field on which core does not lean: it may be missing or of any type, and is given on as it came. */
export const field = (description?: string) => {
  const anything = z.unknown().optional();
  return description === undefined ? anything : anything.describe(description);
};
