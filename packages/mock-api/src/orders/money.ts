import { numberText, wholeNumber } from '../settings/json.ts';
import type { Settings } from '../settings/settings.ts';

/** Formats cents according to the setting `money`. Default: `1234.50` (§2). */
export const money = (cents: bigint, style: Settings['money'] = 'string'): string | number | null => {
  const minus = cents < 0n ? '-' : '';
  const digits = String(cents).slice(minus.length).padStart(3, '0');
  const [whole, rest] = [digits.slice(0, -2), digits.slice(-2)];
  const text = `${minus}${whole}.${rest}`;
  switch (style) {
    case 'string':
      return text;
    case 'number':
      return Number(text);
    case 'oneDigit':
      return text.replace(/0$/, '');
    case 'integer':
      return text.replace(/\.00$/, '');
    case 'comma':
      return text.replace('.', ',');
    case 'dotComma':
      return `${minus}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${rest}`;
    case 'negative':
      return `-${whole}.${rest}`;
    case 'null':
      return null;
  }
};

/** Converts an amount such as `12.34`, `12,3`, `1.234,50` or 12 to cents; returns `undefined` for anything else. */
export const centsOf = (amount: unknown): bigint | undefined => {
  const text = typeof amount === 'string' ? amount : (numberText(wholeNumber(amount)) ?? '');
  const ungrouped = /^-?\d{1,3}(\.\d{3})+,\d+$/.test(text) ? text.replaceAll('.', '') : text;
  const [, whole, cents = ''] = /^(-?\d+)(?:[.,](\d\d?)0*)?$/.exec(ungrouped) ?? [];
  return whole === undefined ? undefined : BigInt(whole + cents.padEnd(2, '0'));
};
