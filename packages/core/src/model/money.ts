import { argumentError } from '../base/errors.ts';

/**
 * Converts an amount, a decimal string with two fraction digits (§2.2), to hundredths of its currency. Exact at any
 * size.
 * @throws `bad_request` if `amount` has any other form
 */
export const toMinorUnits = (amount: string): bigint => {
  if (typeof amount !== 'string' || !/^-?\d+\.\d{2}$/.test(amount)) {
    throw argumentError('The amount is not a decimal string with two fraction digits, such as "119.00"');
  }
  return BigInt(amount.replace('.', ''));
};

/** Converts hundredths of a currency to an amount: a decimal string with two fraction digits (§2.2). */
export const fromMinorUnits = (units: bigint): string =>
  String(units)
    .replace(/\d+/, (digits) => digits.padStart(3, '0'))
    .replace(/..$/, '.$&');
