import * as z from 'zod';

export const maxNumberLength = 100;

/** An order number (bestellnummer); some models send digits as a number. */
export const orderNumber = z.preprocess(
  (value) => (Number.isSafeInteger(value) ? String(value) : value),
  z
    .string({ error: '`order_number` must be a string, or a whole number of at most 15 digits' })
    .trim()
    .min(1, { error: '`order_number` is empty; pass the bestellnummer of the order' })
    .max(maxNumberLength, {
      error: `\`order_number\` is longer than ${maxNumberLength} characters; pass only the bestellnummer`,
    }),
);
