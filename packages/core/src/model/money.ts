import { argumentError } from '../base/errors.ts';

/**
 * An amount (§2.2: a decimal string with two fraction digits) in hundredths of its currency, exact at any size.
 * @throws `bad_request` if `amount` has any other form
 */
export const toMinorUnits = (amount: string): bigint => {
  if (typeof amount !== 'string' || !/^-?\d+\.\d{2}$/.test(amount)) {
    throw argumentError('The amount is not a decimal string with two fraction digits, such as "119.00"');
  }
  return BigInt(amount.replace('.', ''));
};

/** Hundredths as an amount: a decimal string with two fraction digits (§2.2). */
export const fromMinorUnits = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(3, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
