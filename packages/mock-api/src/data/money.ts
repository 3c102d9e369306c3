import type { Settings } from '../settings/settings.ts';

/** An amount in whole cents; a bigint wherever a number might not be exact. */
export type Cents = number | bigint;

/** Cents as the settings write an amount; `1234.50` unless they say otherwise (§2). */
export const money = (cents: Cents, style: Settings['money']): string | number | null => {
  const digits = cents.toString().padStart(3, '0');
  const whole = digits.slice(0, -2);
  const rest = digits.slice(-2);
  switch (style) {
    case 'string':
      return `${whole}.${rest}`;
    case 'number':
      return Number(`${whole}.${rest}`);
    case 'oneDigit':
      return `${whole}.${rest.replace(/0$/, '')}`;
    case 'integer':
      return rest === '00' ? whole : `${whole}.${rest}`;
    case 'comma':
      return `${whole},${rest}`;
    case 'dotComma':
      return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${rest}`;
    case 'negative':
      return `-${whole}.${rest}`;
    case 'null':
      return null;
  }
};

/** `12.34` in cents. @throws RangeError unless it is an amount with two fraction digits */
export const centsOf = (amount: string): bigint => {
  if (!/^\d+\.\d\d$/.test(amount)) throw new RangeError(`an amount is written like 12.34, not "${amount}"`);
  return BigInt(amount.replace('.', ''));
};
