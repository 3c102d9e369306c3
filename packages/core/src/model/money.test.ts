import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMinorUnits } from './money.ts';

test('amounts are exact at any size [S-20]', () => {
  expect(toMinorUnits('90071992547409.93')).toBe(9007199254740993n);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (cents) => {
      const digits = cents.toString().padStart(3, '0');
      const amount = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
      expect([toMinorUnits(amount), toMinorUnits(`-${amount}`)]).toEqual([cents, -cents]);
    }),
  );
});

test.each(['119', '119,00', '1.234,00', '1,234.00', '1.5', '1.234', '', ' 1.00', '1e2', null, 119])(
  'rejects %j instead of guessing [U-22]',
  (amount) => {
    expect(() => toMinorUnits(amount as string)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  },
);
