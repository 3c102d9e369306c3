/**
 * An order number (`bestellnummer`) as text without spaces around it; some services and programs have it as a number.
 * @returns an empty string for what cannot be an order number
 */
export const orderNumberText = (value: unknown): string =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value).trim() : '';
