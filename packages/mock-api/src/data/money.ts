import type { Settings } from '../settings/settings.ts';
import { shown } from '../validate/values.ts';

/** An amount in cents; a bigint where a number might lose precision. */
export type Cents = number | bigint;

/** Formats cents under the settings. Default: `1234.50` (§2). */
export const money = (cents: Cents, style: Settings['money']): string | number | null => {
  const minus = cents < 0 ? '-' : '';
  const digits = cents.toString().slice(minus.length).padStart(3, '0');
  const whole = minus + digits.slice(0, -2);
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
      return `${minus ? '' : '-'}${whole}.${rest}`;
    case 'null':
      return null;
  }
};

/** Parses `12.34` to cents. @throws Error that begins with `name` unless it has two fraction digits (§2.2) */
export const amountOf = (name: string, amount: unknown): bigint => {
  if (typeof amount === 'string' && /^-?\d+\.\d\d$/.test(amount)) return BigInt(amount.replace('.', ''));
  throw new Error(`${name} must be an amount in a string like "12.34", not ${shown(amount)}`);
};
