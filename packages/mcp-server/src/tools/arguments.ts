import { orderIdPattern } from '@order-license/core/host';
import * as z from 'zod';
import { quote } from '../log/quote.ts';

/**
 * Accepts a whole number from 1 to `max`.
 * @param error the message for any other value
 */
export const wholeNumber = (error: string, max = Number.MAX_SAFE_INTEGER) =>
  z.int({ error }).min(1, { error }).max(max, { error });

/** Accepts true or false. */
export const flag = (name: string) => z.boolean({ error: `\`${name}\` must be true or false` });

/** An order ID as core accepts it: a whole number, or its digits if the API sends strings. */
export const orderId = z.union([z.int(), z.string()]);

const notAnId =
  '`id` must be a whole number, as in the `id` field of order_license_list_orders; pass an order number as `order_number`';

type Message = string | ((issue: { input?: unknown }) => string);

/** The message for a value in `ids` that is not an order ID; it names the value. */
export const notInIds = ({ input }: { input?: unknown }): string =>
  `${quote(input).slice(0, 42)} in \`ids\` is not an order ID: pass whole numbers from the \`id\` field of order_license_list_orders, and an order number as \`order_number\``;

/**
 * Accepts an order ID: a whole number, or up to 30 digits as text, because large IDs would not be exact as numbers.
 * @param error the message for any other value
 * @param description in the first member of `anyOf`, because some model providers reject a schema with text beside it
 */
export const askedOrderId = (error: Message = notAnId, description?: string) => {
  const whole = z.int({ error }).min(1, { error });
  const digits = z.string().regex(new RegExp(`^${orderIdPattern}$`), { error });
  return z.union([description === undefined ? whole : whole.describe(description), digits], { error });
};

export const maxNumberLength = 100;

/** An order number (bestellnummer). */
export const orderNumber = z
  .string({ error: '`order_number` must be a string, or a whole number of at most 15 digits' })
  .min(1)
  .max(maxNumberLength, {
    error: `\`order_number\` is longer than ${maxNumberLength} characters; pass only the bestellnummer`,
  });

const notAProduct = '`product` must be part of a product name, with 1 to 200 characters';

/** A part of a product name. */
export const productName = z
  .string({ error: notAProduct })
  .min(1, { error: notAProduct })
  .max(200, { error: notAProduct });

/** Names arguments that do not exist. */
export const noArgument = (names: readonly string[]): string =>
  `There is no argument ${names
    .slice(0, 3)
    .map((name) => quote(name.slice(0, 40)))
    .join(', ')}`;
