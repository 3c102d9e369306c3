import { expect, test } from 'vitest';
import type { OrderList } from '../model/order.ts';
import { createOrderFinder } from './find-order.ts';
import { at, listOf, orderOf, walked } from './moving-list.fixture.ts';
import type { ReadPage, Slice } from './slice.ts';
import { totals } from './totals.ts';
import type { WalkOptions } from './walk.ts';

interface Shop {
  /** Replaces the slice that the shop returns for a request. */
  serve?(slice: Slice): Slice;
  /** Removes rows from a response, or replaces it. */
  change?(list: OrderList): OrderList;
  /** How many orders `total` and `pages` count. */
  counted?: number;
  ignoresFilter?: boolean;
}

/** Seconds of the order at an index of the list, 0 for the newest. */
const secondAt = (index: number): number => 1_000 - index;

/** A shop with `count` orders, whose pages come from a cache or are short. A third of the orders are cancelled. */
const shop = (count: number, { serve = (slice) => slice, change, counted, ignoresFilter }: Shop = {}) => {
  const all = Array.from({ length: count }, (_, index) =>
    orderOf(count - index, secondAt(index), { status: index % 3 === 2 ? 'storniert' : 'bezahlt' }),
  );
  let requests = 0;
  const read: ReadPage = async ({ status, ...slice }) => {
    requests += 1;
    const rows = all.filter((order) => ignoresFilter || !status || order.status === status);
    const list = listOf(rows, serve(slice), counted);
    return change?.(list) ?? list;
  };
  return { read, requests: () => requests };
};

const since = (oldest: number): WalkOptions => ({ createdFrom: at(secondAt(oldest)) });
const oldRange: WalkOptions = { ...since(300), createdBefore: at(secondAt(209)) };
const paid: WalkOptions = { status: 'bezahlt' };

const firstForFourth: Shop = { serve: (slice) => (slice.page === 4 ? { ...slice, page: 1 } : slice) };
const hundredRows: Shop = { serve: ({ page }) => ({ page, perPage: 100 }) };
const firstForAny: Shop = { serve: (slice) => ({ ...slice, page: 1 }) };
const changing = (fieldsOf: (id: number) => object): Shop => ({
  change: (list) => ({ ...list, orders: list.orders.map((order) => ({ ...order, ...fieldsOf(order.id) })) }),
});
const unsorted = changing((id) => ({ created_at: orderOf(0, id > 70 ? id - 50 : id).created_at }));
const undated = changing((id) => (id === 1 ? { created_at: '' } : {}));
const oneChanged = changing((id) => (id === 99 ? { status: 'abgeschlossen' } : {}));
const undocumented = changing((id) => ({ status: id % 4 === 0 ? 'teilbezahlt' : null }));
const shortThird: Shop = {
  change: (list) => (list.pagination.page === 3 ? { ...list, orders: list.orders.slice(0, 30) } : list),
};

test.each<[string, number, Shop, WalkOptions, number, string[]]>([
  ['nothing is missing', 100, {}, since(99), 100, []],
  ['a cache keeps replacing a page [U-05]', 320, firstForFourth, {}, 270, ['unseen']],
  ['a cache returns page 1 for every page [U-05]', 480, firstForAny, {}, 50, ['unseen']],
  ['a cache ignores the query for an old range [U-05 U-63]', 320, firstForAny, oldRange, 0, ['ties', 'unseen']],
  ['a page in the middle of the list is short [U-10]', 320, shortThird, {}, 300, ['unseen']],
  ['a page in the middle of a range is short [U-10]', 320, shortThird, since(250), 251, ['unseen']],
  ['pages have more orders than requested [S-89 U-02]', 320, hundredRows, {}, 320, ['unseen']],
  ['pages of a filtered list are too long [S-89 U-02]', 320, hundredRows, paid, 214, ['unseen']],
  ['pages of a range are too long [S-89 U-02]', 320, hundredRows, since(250), 251, ['unseen']],
  ['pages are too long, and a limit ends the walk [S-89 U-02]', 320, hundredRows, { limit: 150 }, 150, ['unseen']],
  ['pages are too long, but the first suffices [S-89 U-02]', 320, hundredRows, { limit: 60 }, 60, []],
  ['the API counts more orders than it returns [U-63]', 100, { counted: 140 }, since(99), 100, ['unseen']],
  ['each page is sorted, but the list is not [U-63]', 120, unsorted, since(999), 120, ['unsorted']],
  ['an order of a range has no date [U-24]', 101, undated, since(100), 101, ['undated']],
  ['the API ignores the filter [U-11]', 120, { ignoresFilter: true }, { status: 'storniert' }, 40, ['unseen']],
  ['a single order changed its status [U-10]', 120, oneChanged, paid, 79, []],
  ['orders have an undocumented status or none [U-54]', 120, undocumented, paid, 80, []],
])(
  'a walk reads all it can and reports whether orders may be missing: %s',
  async (_, count, from, options, read, gaps) => {
    const found = await walked(shop(count, from).read, options);
    expect(found.ids).toHaveLength(read);
    expect(found.gaps).toEqual(gaps);
  },
);

test('a page that a cache replaces once is requested again, and leaves no gap [U-05]', async () => {
  let replaced = 0;
  const serve = (slice: Slice): Slice => (slice.page === 4 && ++replaced === 1 ? { ...slice, page: 1 } : slice);
  const { read, requests } = shop(320, { serve });
  expect(await walked(read)).toMatchObject({ ids: { length: 320 }, gaps: [] });
  expect(requests()).toBe(8);
});

test('a gap makes sums incomplete, and a number `not_located` instead of `not_found` [U-05]', async () => {
  expect(await totals(shop(320, firstForFourth).read, {})).toMatchObject({ complete: false, orders: 270 });
  expect(await totals(shop(320, firstForAny).read, oldRange)).toMatchObject({ complete: false, orders: 0 });
  for (const cache of [firstForFourth, firstForAny]) {
    const { find } = createOrderFinder(() => shop(170, cache).read);
    await expect(find('X', { maxRequests: 20 })).rejects.toMatchObject({ code: 'not_located' });
  }
});

test('walks ignore the letter case of statuses, and whether an ID is a number or text', async () => {
  const { read } = shop(120, {
    change: (list) => ({
      ...list,
      orders: list.orders.map((order) => ({
        ...order,
        status: order.status.toUpperCase(),
        id: list.pagination.page % 2 === 0 ? (String(order.id) as never) : order.id,
      })),
    }),
  });
  for (const status of ['bezahlt', ['bezahlt', 'ausstehend']] as const) {
    const { orders } = await walked(read, { status });
    expect(orders.map((order) => order.status)).toEqual(Array(80).fill('bezahlt'));
    expect(new Set(orders.map(({ id }) => String(id))).size).toBe(80);
  }
});
