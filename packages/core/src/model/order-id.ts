/** An order ID (§4.3): a whole number from 1 to 2^53 - 1, or up to 30 decimal digits. */
export type OrderId = number | string;

/** Source of a regular expression, without anchors, for the digits of an order ID that can be requested. */
export const orderIdPattern = '[1-9]\\d{0,29}';

const wholeId = new RegExp(`^${orderIdPattern}$`);

/** Returns the digits of an order ID, without surrounding white space; undefined for an ID that cannot be requested. */
export const readOrderId = (id: unknown): string | undefined => {
  const digits = trimmedText(id);
  return wholeId.test(digits) ? digits : undefined;
};

/**
 * Returns a string or whole number as text without surrounding white space; an empty string for anything else. Some
 * APIs and programs send strings in place of numbers, or numbers in place of strings.
 */
export const trimmedText = (value: unknown): string =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value).trim() : '';
