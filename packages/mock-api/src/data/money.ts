import { numberText } from '../json.ts';
import type { Settings } from '../settings/settings.ts';

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

/** Reads an amount such as `12.34`, `12,3`, `1.234,50` or 12 to cents; `undefined` for everything else. */
export const centsOf = (amount: unknown): bigint | undefined => {
  const text = typeof amount === 'string' ? amount : (numberText(amount) ?? '');
  const ungrouped = /^-?\d{1,3}(\.\d{3})+,\d+$/.test(text) ? text.replaceAll('.', '') : text;
  const [, whole, cents = ''] = /^(-?\d+)(?:[.,](\d\d?)0*)?$/.exec(ungrouped) ?? [];
  return whole === undefined ? undefined : BigInt(whole + cents.padEnd(2, '0'));
};
