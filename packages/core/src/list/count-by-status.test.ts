import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import { countByStatus } from './count-by-status.ts';
import type { ReadPage } from './slice.ts';

const order = (id: number, status: string): OrderSummary =>
  ({
    id,
    bestellnummer: `B-${id}`,
    status,
    zahlungsstatus: 'offen',
    gesamtpreis_brutto: '1.00',
    waehrung: 'EUR',
    created_at: '2026-01-01 00:00:00',
    lieferstatus: 'offen',
  }) as OrderSummary;

/** Creates a list with this many orders of each status. `change` can modify its responses. */
const listOf = (
  counts: Record<string, number>,
  change: (list: OrderList, status: StatusFilter | undefined, perPage: number) => OrderList = (list) => list,
): ReadPage => {
  const all = Object.entries(counts).flatMap(([status, count]) =>
    Array.from({ length: count }, (_, index) => order(index + 1000 * status.length, status)),
  );
  return async ({ page, perPage, status }) => {
    const rows = all.filter((one) => status === undefined || one.status === status);
    const orders = rows.slice((page - 1) * perPage, page * perPage);
    const pagination = { page, per_page: perPage, total: rows.length, pages: Math.ceil(rows.length / perPage) };
    return change({ orders, pagination }, status, perPage);
  };
};
const count = (read: ReadPage) => countByStatus(read, read, {});

const some = { ausstehend: 3, bezahlt: 40, abgeschlossen: 70, storniert: 0 };
const even = { ausstehend: 9, bezahlt: 9, abgeschlossen: 9, storniert: 9 };

test.each([
  ['an empty list', { ausstehend: 0, bezahlt: 0, abgeschlossen: 0, storniert: 0 }, 5],
  ['a list with different counts', some, 5],
  ['a list with equal counts', even, 5],
])('counts the orders by status in %s (%o) with %i requests', async (_, counts, requests) => {
  expect(await count(listOf(counts))).toEqual({ counts, source: 'total', complete: true, requests });
});

test.each<[string, (list: OrderList, status: StatusFilter | undefined, perPage: number) => OrderList]>([
  [
    'counts all orders under every filter',
    (list) => ({ ...list, pagination: { ...list.pagination, total: 113, pages: 113 } }),
  ],
  [
    'has `pages` that disagree with `total`',
    (list) => ({ ...list, pagination: { ...list.pagination, pages: list.pagination.pages * 2 } }),
  ],
  ['returns an order outside the filter', (list, status) => (status ? { ...list, orders: [order(1, 'x')] } : list)],
  ['returns no `total`', (list) => ({ ...list, pagination: { ...list.pagination, total: undefined as never } })],
  [
    'rejects the page size',
    (list, _, perPage) => {
      if (perPage === 1) throw new OrderLicenseError('bad_request', { detail: 'rejected', status: 400 });
      return list;
    },
  ],
])('walks the list if the API %s [U-11]', async (_, change) => {
  const walked: ReadPage = listOf(some);
  const result = await countByStatus(listOf(some, change), walked, {});
  expect(result).toMatchObject({ counts: some, source: 'walk', complete: true });
});

test('asks for the whole list once more if the counts do not add up to it, and then says whether they do', async () => {
  for (const [totals, complete] of [
    [[114, 113], true],
    [[114, 114], false],
  ] as const) {
    const left = [...totals];
    const read = listOf(some, (list, status) => {
      if (status) return list;
      const total = left.shift() ?? 0;
      return { ...list, pagination: { ...list.pagination, total, pages: total } };
    });
    expect(await count(read)).toEqual({ counts: some, source: 'total', complete, requests: 6 });
  }
});

test('a known total of the whole list saves a request', async () => {
  const read = listOf(some);
  expect(await countByStatus(read, read, { total: 113 })).toMatchObject({ complete: true, requests: 4 });
});

test('counts statuses in other letters as the documented ones', async () => {
  const read = listOf(some, (list) => ({
    ...list,
    orders: list.orders.map((one) => ({ ...one, status: one.status.toUpperCase() })),
  }));
  expect(await count(read)).toMatchObject({ counts: some, source: 'total', complete: true });
});

test('a walk also counts orders with an undocumented status [U-54]', async () => {
  const counts = { ...some, in_pruefung: 2 };
  const read = listOf(counts, (list, status) => (status ? { ...list, orders: [] } : list));
  expect((await count(read)).counts).toEqual(counts);
});

test('with `walk: false`, does not walk the list if `total` cannot be trusted [U-11]', async () => {
  const change = (list: OrderList) => ({ ...list, pagination: { ...list.pagination, total: 113, pages: 113 } });
  const walked: ReadPage = async () => {
    throw new Error('It was walked.');
  };
  await expect(countByStatus(listOf(some, change), walked, { walk: false })).rejects.toMatchObject({
    code: 'invalid_response',
    reason: 'untrusted_total',
  });
  expect((await countByStatus(listOf(some), walked, { walk: false })).counts).toEqual(some);
});

test('an error other than a rejected page size ends the count', async () => {
  const failing: ReadPage = async () => {
    throw new OrderLicenseError('authentication', { detail: 'no', status: 401 });
  };
  await expect(count(failing)).rejects.toMatchObject({ code: 'authentication' });
});

test('counts a status whose name is a property of Object.prototype', async () => {
  const read = listOf(JSON.parse('{ "bezahlt": 1, "constructor": 2, "__proto__": 3 }'), (list) => ({
    ...list,
    pagination: { ...list.pagination, total: -1 },
  }));
  const { counts } = await count(read);
  expect(Object.entries(counts)).toEqual(
    expect.arrayContaining([
      ['constructor', 2],
      ['__proto__', 3],
    ]),
  );
});
