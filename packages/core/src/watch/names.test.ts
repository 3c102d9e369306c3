import { expect, test } from 'vitest';
import type { Order } from '../model/order.ts';
import { isComplete, namedCodes } from './names.ts';

const orderWith = (items: unknown): Order => ({ id: 1, items }) as Order;
const namesOf = (items: unknown) => namedCodes(orderWith(items)).map(({ name }) => name);

test('identifies a code by its line item and ID', () => {
  expect(
    namesOf([
      { id: 1, license_codes: [{ id: 7 }, { id: '8' }] },
      { id: 2, license_codes: [{ id: 7 }] },
    ]),
  ).toEqual(['1:7', '1:8', '2:7']);
});

test('identifies each code of an order uniquely, whatever its ID [U-59]', () => {
  const codes = [{ id: 7 }, { id: 7 }, { id: 0 }, { id: 0 }, { id: null }, {}, { id: 'code' }, { id: 'KEY-1' }];
  const items = [{ id: 1 }, { id: 1 }, {}, { id: null }, { id: 0 }, { id: 2 }, { id: 3 }];
  const names = namesOf(items.map((item) => ({ ...item, license_codes: codes })));
  expect(new Set(names).size).toBe(items.length * codes.length);
  expect(names.join()).not.toContain('KEY-1');
});

test('a line item is complete when it has as many codes as its quantity, and at least one', () => {
  const withCodes = (menge: unknown, count: number) =>
    isComplete(orderWith([{ id: 1, menge, license_codes: Array.from({ length: count }, (_, id) => ({ id })) }]));
  for (const two of [2, '2', '2.00', '2,00', ' 2 Stück']) {
    expect([withCodes(two, 1), withCodes(two, 2)]).toEqual([false, true]);
  }
  for (const odd of [0, -1, null, undefined, 'x'])
    expect([withCodes(odd, 0), withCodes(odd, 1)]).toEqual([false, true]);
});
