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
export const fromMinorUnits = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(3, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
