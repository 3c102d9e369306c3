import { orderIdPattern } from '@order-license/core/host';
import * as z from 'zod';

/**
 * Accepts a whole number from 1 to `max`, also as a string of digits, because some models quote numbers.
 * @param error the message for any other value
 */
export const wholeNumber = (error: string, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^[1-9]\d*$/.test(value.trim()) ? Number(value) : value),
    z.int({ error }).min(1, { error }).max(max, { error }),
  );

/** Accepts true or false. */
export const flag = (name: string) => z.boolean({ error: `\`${name}\` must be true or false` });

/** An order ID as core accepts it: a whole number, or its digits if the API sends strings. */
export const orderId = z.union([z.int(), z.string()]);

const notAnId =
  '`id` must be a whole number, as in the `id` field of order_license_list_orders; pass an order number as `order_number`';

/** An order ID as a string of digits: some models quote numbers, and large IDs would not be exact as numbers. */
const digits = z
  .string()
  .trim()
  .regex(new RegExp(`^${orderIdPattern}$`), { error: notAnId });

/** A valid order ID in a request: at least 1, with at most 30 digits. */
export const askedOrderId = z.union([z.int({ error: notAnId }).min(1, { error: notAnId }), digits], {
  error: notAnId,
});

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

const notAProduct = '`product` must be part of a product name, with 1 to 200 characters';

/** A part of a product name. */
export const productName = z
  .string({ error: notAProduct })
  .trim()
  .min(1, { error: notAProduct })
  .max(200, { error: notAProduct });
