import { fullPage, orderIdPattern } from '@order-license/core/host';
import * as z from 'zod';
import { quote } from '../log/quote.ts';
import { statusReadings, withOthers } from '../read/range.ts';

/** A whole number of at least 1. */
export const wholeNumber = z.int().min(1);

/** An order ID as core accepts it: a whole number, or its digits if the API sends strings. */
export const orderId = z.union([z.int(), z.string()]);

/**
 * Returns the schema of an order ID: a whole number, or up to 30 digits as text, because large IDs would not be exact
 * as numbers.
 * @param whole the number. It has the description, because some model providers reject a schema with text next to
 * `anyOf`
 */
export const askedOrderId = (whole = wholeNumber) =>
  z.union([whole, z.string().regex(new RegExp(`^${orderIdPattern}$`))]);

/** Maximum number of `ids`: those in `continue` leave room for orders in each result. */
export const maxIds = 400;

/** An order number (bestellnummer). */
export const orderNumber = z.string().min(1).max(100);

/** A part of a product name. */
export const productName = z.string().min(1).max(200);

const anInstant =
  'a date such as 2026-11-01, or a time such as 2026-11-01 09:30:00; unless it ends with a UTC offset such as +01:00, it is in `time_zone`';
const texts = 'a text or a list of texts, as in results';

/** What the value of each argument must be. Arguments that are not named here occur only in `continue`. */
const valid: Readonly<Record<string, string>> = {
  page: 'a positive whole number',
  per_page: `a whole number from 1 to ${fullPage}`,
  status: `one of ${statusReadings}, or a list of these values; omit \`status\` to read all orders`,
  zahlungsstatus: texts,
  lieferstatus: texts,
  created_from: anInstant,
  created_before: anInstant,
  time_zone: 'an IANA name such as Europe/Berlin',
  product: 'part of a product name, with 1 to 200 characters',
  summary: 'true, false, day, week or month',
  id: 'a whole number, as in the `id` field of order_license_list_orders; pass an order number as `order_number`',
  ids: `a list of 1 to ${maxIds} whole numbers, each an \`id\` from order_license_list_orders; pass more in several calls`,
  order_number: 'a string of at most 100 characters, or a whole number of at most 15 digits',
  codes: 'true or false',
  skip: 'copied from `continue`',
  what: '`orders` or `codes`',
  csv: 'comma or semicolon',
  continue_id: withOthers,
};

/** Describes an invalid value of an argument; one in `ids` by the value itself. */
export const describeInvalid = ({ path = [], input }: z.core.$ZodRawIssue): string => {
  const [name, ...index] = path.map(String);
  if (name === 'ids' && index.length > 0) {
    return `${quote(input).slice(0, 42)} in \`ids\` is not an order ID: pass whole numbers from the \`id\` field of order_license_list_orders, and an order number as \`order_number\``;
  }
  return `\`${name}\` must be ${valid[name ?? ''] ?? 'the value in `continue` of the last result'}`;
};

/** Describes unknown arguments. */
export const noArgument = (names: readonly string[]): string =>
  `There is no argument ${names
    .slice(0, 3)
    .map((name) => quote(name.slice(0, 40)))
    .join(', ')}`;
