import { expect, test } from 'vitest';
import { checkOrder, checkOrderList, getMe, getOrder, listOrders } from './operations.ts';

const fails = (make: () => unknown, code: string, words: string) =>
  expect(make).toThrow(expect.objectContaining({ code, attempts: 0, message: expect.stringContaining(words) }));
/** Expects the arguments of an operation to be rejected. */
const rejected = (make: () => unknown, words: string) => fails(make, 'bad_request', words);
/** Expects a response to be rejected because of the value at this path. */
const rejects = (check: () => unknown, path: string) => fails(check, 'invalid_response', `\`${path}\``);

test.each([
  ['/me', getMe],
  ['/orders', listOrders({})],
  ['/orders?page=3', listOrders({ page: 3 })],
  ['/orders?page=1&per_page=50&status=bezahlt', listOrders({ page: 1, perPage: 50, status: 'bezahlt' })],
  ['/orders?page=9007199254740991', listOrders({ page: Number.MAX_SAFE_INTEGER })],
])('sends only the parameters that were set, as plain decimals: %s [S-40 U-03]', (path, operation) => {
  expect(operation.path).toBe(path);
});

const odd = [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '1', null] as number[];
const statuses = 'ausstehend (pending), bezahlt (paid), abgeschlossen (completed), storniert (cancelled)';

test.each<[object, string]>([
  ...odd.map((page): [object, string] => [{ page }, '`page` must be a positive whole number']),
  ...[...odd, 51].map((perPage): [object, string] => [{ perPage }, '`perPage` must be a whole number from 1 to 50']),
  ...['paid', 'BEZAHLT', '', 'bezahlt,storniert', null].map((status): [object, string] => [{ status }, statuses]),
])('rejects the query %o before anything is sent [S-33 S-48 U-01 U-02 U-04]', (query, words) => {
  rejected(() => listOrders(query), words);
});

test('accepts only positive whole numbers as IDs, and rejects others before anything is sent [S-56 U-26]', () => {
  expect(getOrder(42).path).toBe('/orders/42');
  expect(getOrder(' 42 ').path).toBe('/orders/42');
  rejected(() => getOrder('B-2026-0042'), 'not its order number');
});

const list = (id: unknown, pages: unknown = 1) => ({ orders: [{ id: 1 }, { id }], pagination: { pages } });

test('accepts only the order that was requested [U-25]', () => {
  expect(checkOrder({ id: 42, more: true }, '42')).toEqual({ id: 42, more: true });
  expect(checkOrder({ id: '42' }, '42')).toEqual({ id: '42' });
  rejects(() => checkOrder({ id: 43 }, '42'), 'data.id');
  rejects(() => checkOrder({ id: 9007199254740992 }, '9007199254740993'), 'data.id');
  rejects(() => checkOrder({}, '42'), 'data.id');
});

test('rejects a rounded ID anywhere in the response, and names its path [U-25]', () => {
  const rounded = 9007199254740992;
  rejects(() => checkOrderList(list(rounded)), 'data.orders[1].id');
  rejects(() => checkOrder({ id: 1, items: [{ id: 2 }, { id: rounded }] }, '1'), 'data.items[1].id');
  const codes = [{ id: 3 }, { id: rounded }];
  rejects(
    () => checkOrder({ id: 1, items: [{ id: 2, license_codes: codes }] }, '1'),
    'data.items[0].license_codes[1].id',
  );
});

test('requires the list of orders, their IDs and the number of pages [S-25 S-50 S-89]', () => {
  expect(checkOrderList(list('90071992547409931'))).toEqual(list('90071992547409931'));
  for (const id of [null, undefined, 1.5, 'B-1', {}, true])
    rejects(() => checkOrderList(list(id)), 'data.orders[1].id');
  for (const pages of [null, -1, 1.5, '', '1.5', 'x'])
    rejects(() => checkOrderList(list(1, pages)), 'data.pagination.pages');
  rejects(() => checkOrderList({ orders: {}, pagination: { pages: 1 } }), 'data.orders');
  rejects(() => checkOrderList({ orders: [null], pagination: { pages: 1 } }), 'data.orders[0]');
  rejects(() => checkOrderList({ orders: [] }), 'data.pagination');
});

test('reads the counts of a list that arrive as text [S-25 U-25]', () => {
  const { pagination } = checkOrderList({
    orders: [{ id: '7' }],
    pagination: { page: '1', per_page: '50', total: '60', pages: '2', more: 'x' },
  });
  expect(pagination).toEqual({ page: 1, per_page: 50, total: 60, pages: 2, more: 'x' });
});

test('a list may contain IDs that cannot be requested [U-25]', () => {
  for (const id of [0, '007', -1]) expect(checkOrderList(list(id))).toEqual(list(id));
});

test('accepts items, codes and addresses in any form [U-12 U-15 U-17]', () => {
  for (const items of [undefined, null, [], {}, [null], [{ license_codes: null }], [{ license_codes: {} }]]) {
    expect(checkOrder({ id: 1, items, billing_address: [] }, '1')).toMatchObject({ id: 1 });
  }
});
