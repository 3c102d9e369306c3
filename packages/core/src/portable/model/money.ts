/**
 * An amount (§2.2: a decimal string with two fraction digits) in hundredths of its currency, exact at any size.
 * @throws {TypeError} when `amount` has another form, without guessing
 */
export const toMinorUnits = (amount: string): bigint => {
  if (typeof amount !== 'string' || !/^-?\d+\.\d{2}$/.test(amount)) {
    throw new TypeError('The amount is not a decimal string with two fraction digits, such as "119.00".');
  }
  return BigInt(amount.replace('.', ''));
};
