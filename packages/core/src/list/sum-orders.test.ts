import { expect, test } from 'vitest';
import type { OrderSummary } from '../model/order.ts';
import { combineGroups, sumOrders, type TotalsGroup } from './sum-orders.ts';

const order = (id: number, gesamtpreis_brutto: unknown, waehrung: unknown = 'EUR'): OrderSummary => {
  const state = { status: 'bezahlt', zahlungsstatus: 'offen', lieferstatus: null };
  return { id, gesamtpreis_brutto, waehrung, ...state } as never;
};

test('an amount of a million digits is unreadable, because adding to it takes seconds', () => {
  const { groups, unreadable } = sumOrders([order(1, `${'9'.repeat(1_000_000)}.00`), order(2, '1.00')]);
  expect(groups).toMatchObject([{ count: 2, sum: '1.00', unreadable: 1 }]);
  expect(unreadable).toMatchObject([{ id: 1, field: 'gesamtpreis_brutto' }]);
});

test.each([
  [119, '119.00'],
  [-0.1, '-0.10'],
  [1234567.89, '1234567.89'],
  [9_999_999_999_999.99, '9999999999999.99'],
  [10_000_000_000_000, undefined],
  [0.125, undefined],
])('adds up the number %d only if it was not rounded [U-22]', (amount, sum) => {
  const { groups, unreadable } = sumOrders([order(1, amount)]);
  expect(groups).toMatchObject([{ count: 1, sum: sum ?? '0.00' }]);
  expect(unreadable).toHaveLength(sum === undefined ? 1 : 0);
});

test('adds up orders by currency and state, and lists unreadable ones [S-20 U-22]', () => {
  const orders = [order(1, '0.10'), order(2, '0.20'), order(3, '5.00', 'USD'), order(4, '7'), order(5, '1.00', null)];
  const state = { status: 'bezahlt', zahlungsstatus: 'offen', lieferstatus: null };
  expect(sumOrders(orders)).toEqual({
    groups: [
      { waehrung: 'EUR', ...state, count: 3, sum: '0.30', unreadable: 1 },
      { waehrung: 'USD', ...state, count: 1, sum: '5.00', unreadable: 0 },
      { waehrung: null, ...state, count: 1, sum: '0.00', unreadable: 1 },
    ],
    unreadable: [
      { id: 4, field: 'gesamtpreis_brutto', value: '7' },
      { id: 5, field: 'waehrung', value: null },
    ],
  });
});

const group = (waehrung: string | null, status: string, sum: string, count = 1): TotalsGroup => ({
  ...{ waehrung, status, zahlungsstatus: 'bezahlt', lieferstatus: 'offen', count, sum, unreadable: 0 },
});

test('adds up the groups of each currency exactly [S-20]', () => {
  const groups = [
    group('EUR', 'bezahlt', '0.10', 2),
    group('USD', 'bezahlt', '5.00'),
    group('EUR', 'storniert', '0.20'),
  ];
  expect(combineGroups(groups)).toEqual([
    { waehrung: 'EUR', count: 3, sum: '0.30', unreadable: 0 },
    { waehrung: 'USD', count: 1, sum: '5.00', unreadable: 0 },
  ]);
});

test('keeps sums separate for each requested state and for a missing currency', () => {
  const groups = [group('EUR', 'bezahlt', '1.00'), group('EUR', 'storniert', '-2.50'), group(null, 'bezahlt', '0.00')];
  expect(combineGroups(groups, ['status'])).toEqual([
    { waehrung: 'EUR', status: 'bezahlt', count: 1, sum: '1.00', unreadable: 0 },
    { waehrung: 'EUR', status: 'storniert', count: 1, sum: '-2.50', unreadable: 0 },
    { waehrung: null, status: 'bezahlt', count: 1, sum: '0.00', unreadable: 0 },
  ]);
});
