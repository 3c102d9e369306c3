import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMinorUnits } from './money.ts';

test('amounts are exact at any size [S-20]', () => {
  expect(toMinorUnits('0.00')).toBe(0n);
  expect(toMinorUnits('0.10')).toBe(10n);
  expect(toMinorUnits('1234567.89')).toBe(123456789n);
  expect(toMinorUnits('-19.90')).toBe(-1990n);
  expect(toMinorUnits('-0.05')).toBe(-5n);
  expect(toMinorUnits('90071992547409.93')).toBe(9007199254740993n);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (cents) => {
      const digits = cents.toString().padStart(3, '0');
      expect(toMinorUnits(`${digits.slice(0, -2)}.${digits.slice(-2)}`)).toBe(cents);
    }),
  );
});

test.each(['119', '119,00', '1.234,00', '1,234.00', '1.5', '1.234', '', ' 1.00', '1e2', null, 119])(
  'rejects %j instead of guessing [U-22]',
  (amount) => {
    expect(() => toMinorUnits(amount as string)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  },
);
