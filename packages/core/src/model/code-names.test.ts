import { expect, test } from 'vitest';
import { missingCodes, namedCodes } from './code-names.ts';
import type { Order } from './order.ts';

const orderWith = (items: unknown): Order => ({ id: 1, items }) as Order;
const namesOf = (items: unknown) => namedCodes(orderWith(items)).map(({ name }) => name);

test('identifies a code by its line item and ID', () => {
  const itemOf = (id: number, ...codes: unknown[]) => ({ id, license_codes: codes.map((id) => ({ id })) });
  expect(namesOf([itemOf(1, 7, '8'), itemOf(2, 7)])).toEqual(['1:7', '1:8', '2:7']);
});

test('identifies each code of an order uniquely, whatever its ID [U-59]', () => {
  const codes = [{ id: 7 }, { id: 7 }, { id: 0 }, { id: 0 }, { id: null }, {}, { id: 'code' }, { id: 'KEY-1' }];
  const items = [{ id: 1 }, { id: 1 }, {}, { id: null }, { id: 0 }, { id: 2 }, { id: 3 }];
  const names = namesOf(items.map((item) => ({ ...item, license_codes: codes })));
  expect(new Set(names).size).toBe(items.length * codes.length);
  expect(names.join()).not.toContain('KEY-1');
});

const missingOf = (status: string, items: unknown) => missingCodes({ id: 1, status, items } as Order);
const itemWith = (menge: unknown, count: number) => ({
  id: 1,
  menge,
  license_codes: Array.from({ length: count }, (_, id) => ({ id })),
});

test('counts the units of a paid order that have no code, whatever form the quantity has [U-59]', () => {
  for (const two of [2, '2', '2.00', '2,00', ' 2 Stück']) {
    const missing = [0, 1, 2, 3].map((codes) => missingOf('bezahlt', [itemWith(two, codes)]));
    expect(missing).toEqual([2, 1, 0, 0]);
  }
});

test('counts an item with an odd quantity as one unit [U-53 U-59]', () => {
  const noText = JSON.parse('[[{"toString": null}]]'); // cannot be converted to text
  for (const odd of [0, -1, null, undefined, 'x', noText]) {
    expect([0, 1].map((codes) => missingOf('abgeschlossen', [itemWith(odd, codes)]))).toEqual([1, 0]);
  }
});

test('adds up the items of an order, even if they have no list of codes', () => {
  expect(missingOf('bezahlt', [itemWith(3, 1), itemWith(1, 2), { id: 2, menge: 4, license_codes: null }])).toBe(6);
});

test('counts no missing codes for an order that can have none [S-37]', () => {
  for (const status of ['ausstehend', 'storniert', 'in_pruefung']) {
    expect(missingOf(status, [itemWith(3, 0)])).toBe(0);
  }
});
