import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getMe, getOrder, listOrders } from './operations.ts';

const rejected = (make: () => unknown, words: string) =>
  expect(make).toThrow(
    expect.objectContaining({ code: 'bad_request', attempts: 0, message: expect.stringContaining(words) }),
  );

test('sends no query parameters to /me [S-40]', () => {
  expect(getMe.path).toBe('/me');
});

test('sends only the list parameters that were set, as plain decimals [U-03]', () => {
  expect(listOrders({}).path).toBe('/orders');
  expect(listOrders({ page: 3 }).path).toBe('/orders?page=3');
  expect(listOrders({ page: 1, perPage: 50, status: 'bezahlt' }).path).toBe(
    '/orders?page=1&per_page=50&status=bezahlt',
  );
  expect(listOrders({ page: Number.MAX_SAFE_INTEGER }).path).toBe('/orders?page=9007199254740991');
});

test('rejects pages and page sizes out of range before anything is sent [S-48 U-01 U-02]', () => {
  const notWhole = fc.oneof(fc.integer({ max: 0 }), fc.constantFrom(1.5, Number.NaN, Infinity, 2 ** 53, '1', null));
  fc.assert(
    fc.property(notWhole, (value) => {
      rejected(() => listOrders({ page: value as number }), '`page`');
      rejected(() => listOrders({ perPage: value as number }), '`perPage` must be a whole number from 1 to 50');
    }),
  );
  rejected(() => listOrders({ perPage: 51 }), 'from 1 to 50');
});

test('accepts only the four statuses as filters [S-33 U-04]', () => {
  for (const status of ['paid', 'BEZAHLT', '', 'bezahlt,storniert', null]) {
    rejected(
      () => listOrders({ status: status as never }),
      'ausstehend (pending), bezahlt (paid), abgeschlossen (completed), storniert (cancelled)',
    );
  }
});

test('accepts only positive whole numbers as IDs, and rejects others before anything is sent [S-56 U-26]', () => {
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
    rejected(() => getOrder(id as never), 'not its order number');
  }
});
