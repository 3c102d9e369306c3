import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderList, StatusFilter } from '../model/order.ts';
import { countByStatus } from './count-by-status.ts';
import { listOf, orderOf } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';

type Change = (list: OrderList, status: StatusFilter | undefined, perPage: number) => OrderList;

/** Creates a list with this many orders of each status. `change` can modify its responses. */
const shopWith = (counts: Record<string, number>, change: Change = (list) => list): ReadPage => {
  const all = Object.entries(counts).flatMap(([status, count]) =>
    Array.from({ length: count }, (_, index) => orderOf(index + 1000 * status.length, 0, { status })),
  );
  return async ({ status, ...slice }) => {
    const rows = all.filter((one) => status === undefined || one.status === status);
    return change(listOf(rows, slice), status, slice.perPage);
  };
};
const withPagination =
  (fieldsOf: (pagination: OrderList['pagination']) => object): Change =>
  (list) => ({ ...list, pagination: { ...list.pagination, ...fieldsOf(list.pagination) } });
/** Counts the whole list for every filter. */
const ignoresFilter = withPagination(() => ({ total: 113, pages: 113 }));
const count = (read: ReadPage) => countByStatus(read, {});

const some = { ausstehend: 3, bezahlt: 40, abgeschlossen: 70, storniert: 0 };
const even = { ausstehend: 9, bezahlt: 9, abgeschlossen: 9, storniert: 9 };

test.each([
  ['an empty list', { ausstehend: 0, bezahlt: 0, abgeschlossen: 0, storniert: 0 }, 5],
  ['a list with different counts', some, 5],
  ['a list with equal counts', even, 5],
])('counts the orders by status in %s (%o) with %i requests', async (_, counts, requests) => {
  expect(await count(shopWith(counts))).toEqual({ counts, complete: true, requests });
});

test.each<[string, Change]>([
  ['counts all orders under every filter', ignoresFilter],
  ['has `pages` that disagree with `total`', withPagination(({ pages }) => ({ pages: pages * 2 }))],
  ['returns an order outside the filter', (list, status) => (status ? { ...list, orders: [orderOf(1)] } : list)],
  ['returns no `total`', withPagination(() => ({ total: undefined }))],
  [
    'rejects the page size',
    (list, _, perPage) => {
      if (perPage === 1) throw new OrderLicenseError('bad_request', { detail: 'rejected', status: 400 });
      return list;
    },
  ],
])('throws `untrusted_total` if the API %s [U-11]', async (_, change) => {
  const error = { code: 'invalid_response', reason: 'untrusted_total' };
  await expect(count(shopWith(some, change))).rejects.toMatchObject(error);
});

test.each([
  [114, 113, true],
  [114, 114, false],
])(
  'counts the whole list once more if the counts do not add up to %i, and reports whether they add up to %i',
  async (first, second, complete) => {
    const left = [first, second];
    const read = shopWith(some, (list, status) => {
      const total = status ? list.pagination.total : (left.shift() ?? 0);
      return { ...list, pagination: { ...list.pagination, total, pages: total } };
    });
    expect(await count(read)).toEqual({ counts: some, complete, requests: 6 });
  },
);

test('a known total of the whole list saves a request', async () => {
  const read = shopWith(some);
  expect(await countByStatus(read, { total: 113 })).toMatchObject({ complete: true, requests: 4 });
});

test('ignores the letter case of statuses', async () => {
  const read = shopWith(some, (list) => ({
    ...list,
    orders: list.orders.map((one) => ({ ...one, status: one.status.toUpperCase() })),
  }));
  expect(await count(read)).toMatchObject({ counts: some, complete: true });
});

test('an error other than a rejected page size ends the count', async () => {
  const failing: ReadPage = async () => {
    throw new OrderLicenseError('authentication', { detail: 'no', status: 401 });
  };
  await expect(count(failing)).rejects.toMatchObject({ code: 'authentication' });
});
