import { expect, test } from 'vitest';
import type { OrderSummary } from '../model/order.ts';
import { combineGroups, sumOrders, type TotalsGroup } from './sum-orders.ts';

const order = (id: number, gesamtpreis_brutto: unknown, waehrung: unknown = 'EUR'): OrderSummary => {
  const state = { status: 'bezahlt', zahlungsstatus: 'offen', lieferstatus: null };
  return { id, gesamtpreis_brutto, waehrung, ...state } as never;
};

test.each<[string, unknown, string | undefined]>([
  ['119', 119, '119.00'],
  ['-0.1', -0.1, '-0.10'],
  ['1234567.89', 1234567.89, '1234567.89'],
  ['the largest number that is not rounded', 9_999_999_999_999.99, '9999999999999.99'],
  ['a number that is rounded', 10_000_000_000_000, undefined],
  ['0.125', 0.125, undefined],
  ['119.005', 119.005, undefined],
  ['null', null, undefined],
  ['the text 119', '119', undefined],
  ['the text 119,00', '119,00', undefined],
  ['a million digits, which take seconds to add to', `${'9'.repeat(1_000_000)}.00`, undefined],
])(
  'adds an amount to the sum only if it is exact, and otherwise lists it as unreadable: %s [U-22]',
  (_, value, sum) => {
    const { groups, unreadable } = sumOrders([order(1, value)]);
    expect(groups).toMatchObject([{ count: 1, sum: sum ?? '0.00', unreadable: sum === undefined ? 1 : 0 }]);
    const listed = { id: 1, field: 'gesamtpreis_brutto', value: expect.anything() };
    expect(unreadable).toEqual(sum === undefined ? [value === null ? { ...listed, value } : listed] : []);
  },
);

const state = { zahlungsstatus: 'bezahlt', lieferstatus: 'offen', unreadable: 0 };
const groups: TotalsGroup[] = [
  { ...state, waehrung: 'EUR', status: 'bezahlt', sum: '0.10', count: 2 },
  { ...state, waehrung: 'USD', status: 'bezahlt', sum: '5.00', count: 1 },
  { ...state, waehrung: 'EUR', status: 'storniert', sum: '-2.50', count: 1 },
  { ...state, waehrung: null, status: 'bezahlt', sum: '0.00', count: 1 },
];

test('adds up the groups of each currency exactly [S-20]', () => {
  expect(combineGroups(groups)).toEqual([
    { waehrung: 'EUR', count: 3, sum: '-2.40', unreadable: 0 },
    { waehrung: 'USD', count: 1, sum: '5.00', unreadable: 0 },
    { waehrung: null, count: 1, sum: '0.00', unreadable: 0 },
  ]);
});

test('keeps sums separate for each requested state and for a missing currency', () => {
  const separate = groups.map(({ waehrung, status, count, sum }) => ({ waehrung, status, count, sum, unreadable: 0 }));
  expect(combineGroups(groups, ['status'])).toEqual(separate);
});
