import { argumentError } from '../base/errors.ts';
import { trimmedText } from './order-id.ts';

/**
 * Normalizes an order number, so that its spellings are equal. Ignores case, invisible characters, and signs around the
 * number such as `#`, quotes or a dot; turns every dash into a hyphen.
 */
export const foldOrderNumber = (number: string): string => {
  const text = number
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()
    .toLowerCase();
  return text.replace(/^[#("'`\p{Pi}\p{Pf}\p{Ps}]+|["'`.,\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+$/gu, '') || text;
};

/**
 * Checks an order number to search for.
 * @throws `bad_request` for an empty or invisible number, and for characters that no order number has
 */
export const checkOrderNumber = (value: unknown): string => {
  const number = trimmedText(value);
  const advice = 'Pass one complete order number such as `B-2026-000042`.';
  const folded = foldOrderNumber(number);
  if (folded === '') throw argumentError('The order number is empty or not text', advice);
  const odd = /[\p{Cc}"'`*?%=,;<>|\\{}]/u.exec(folded)?.[0];
  if (odd === undefined) return number;
  throw argumentError(`${JSON.stringify(odd)} cannot be part of an order number`, advice);
};

/**
 * Compares two order numbers by their runs of digits, such as `B-2026-000042` with `B-2025-009999`.
 * @returns 1 if `a` is higher, -1 if it is lower, 0 if they are the same except for leading zeros; undefined if the
 * text around their digits differs, or if they have no digits
 */
export const compareOrderNumbers = (a: string, b: string): number | undefined => {
  if (a === b) return 0;
  return /\d/.test(a) && shapeOf(a) === shapeOf(b) ? Math.sign(byNumber.compare(a, b)) : undefined;
};

const byNumber = new Intl.Collator('en', { numeric: true });

const shapeOf = (number: string): string => number.replace(/\d+/g, '0');
