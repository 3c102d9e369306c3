import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getMe, getOrder, listOrders } from './operations.ts';

const refused = (make: () => unknown, words: string) =>
  expect(make).toThrow(
    expect.objectContaining({ code: 'bad_request', attempts: 0, message: expect.stringContaining(words) }),
  );

test('S-40 /me takes no query', () => {
  expect(getMe.path).toBe('/me');
});

test('U-03 the list is asked for in plain decimal, with only what was given', () => {
  expect(listOrders({}).path).toBe('/orders');
  expect(listOrders({ page: 3 }).path).toBe('/orders?page=3');
  expect(listOrders({ page: 1, perPage: 50, status: 'bezahlt' }).path).toBe(
    '/orders?page=1&per_page=50&status=bezahlt',
  );
  expect(listOrders({ page: Number.MAX_SAFE_INTEGER }).path).toBe('/orders?page=9007199254740991');
});

test('S-48 U-01 U-02 pages and page sizes out of range are refused before anything is sent', () => {
  const notWhole = fc.oneof(fc.integer({ max: 0 }), fc.constantFrom(1.5, Number.NaN, Infinity, 2 ** 53, '1', null));
  fc.assert(
    fc.property(notWhole, (value) => {
      refused(() => listOrders({ page: value as number }), '`page`');
      refused(() => listOrders({ perPage: value as number }), '`perPage` has to be a whole number from 1 to 50');
    }),
  );
  refused(() => listOrders({ perPage: 51 }), 'from 1 to 50');
});

test('S-33 U-04 only the four states are filters', () => {
  for (const status of ['paid', 'BEZAHLT', '', 'bezahlt,storniert', null]) {
    refused(() => listOrders({ status: status as never }), 'ausstehend, bezahlt, abgeschlossen, storniert');
  }
});

test('S-56 U-26 an ID is a whole number from 1 up; anything else is refused before anything is sent', () => {
  expect(getOrder(42).path).toBe('/orders/42');
  expect(getOrder(' 42 ').path).toBe('/orders/42');
  expect(getOrder('90071992547409931').path).toBe('/orders/90071992547409931');
  for (const id of [
    '',
    'B-2026-0042',
    '1.5',
    '1e3',
    '0',
    '-1',
    '01',
    '%31',
    '1/../me',
    '４２',
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    [42],
    Object.create(null),
  ]) {
    refused(() => getOrder(id as never), 'not its order number');
  }
});
