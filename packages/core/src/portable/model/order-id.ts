/** An order ID (§4.3): a whole number from 1 to 2^53 - 1, or up to 30 decimal digits. */
export type OrderId = number | string;

/** The digits of an order ID that can be asked for, as the source of a regular expression without anchors. */
export const orderIdPattern = '[1-9]\\d{0,29}';

const wholeId = new RegExp(`^${orderIdPattern}$`);

/** The digits of an order ID, white space around them dropped; undefined for anything that cannot be asked for. */
export const readOrderId = (id: unknown): string | undefined => {
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  const digits = String(id).trim();
  return wholeId.test(digits) ? digits : undefined;
};

/** Past 2^53 JSON.parse rounds, and a rounded ID belongs to another order. */
export const isRounded = (id: unknown): boolean => typeof id === 'number' && !Number.isSafeInteger(id);

/** An ID that an answer may hold: one that cannot be asked for, such as 0, is no reason to refuse a whole list. */
export const isAnsweredId = (id: unknown): boolean =>
  (typeof id === 'number' && !isRounded(id)) || (typeof id === 'string' && /^\d+$/.test(id));
