import { afterAll, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { statuses } from '../orders/statuses.ts';
import { listen } from '../server/listen.ts';
import type { SettingInput } from '../settings/profiles.ts';
import { ask, type Json, send, walk } from '../test-client.fixture.ts';

const mock = await listen({ limit: 'off' });
const all: Json[] = await walk(mock);
afterAll(() => mock.close());

const list = async (query: string): Promise<Json> => (await ask(mock, `/orders${query}`)).body.data;

test('every created_at is a valid UTC time in the documented format, and one is in a daylight saving gap [S-22]', () => {
  for (const { created_at } of all) {
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const iso = `${created_at.replace(' ', 'T')}.000Z`;
    expect(new Date(iso).toISOString()).toBe(iso);
  }
  expect(all.map((order) => order.created_at)).toContain('2026-03-29 02:30:00');
});

test('pagination totals match the orders for every page size and filter [S-25 S-51 S-52]', async () => {
  for (const filter of ['', ...statuses]) {
    const total = all.filter((order) => filter === '' || order.status === filter).length;
    for (const size of [1, 7, 20, 50]) {
      const pages = Math.ceil(total / size);
      for (const page of [1, 2, pages - 1, pages].filter((number) => number >= 1 && number <= pages)) {
        const { orders, pagination } = await list(`?page=${page}&per_page=${size}${filter && `&status=${filter}`}`);
        expect(pagination).toEqual({ page, per_page: size, total, pages });
        expect(orders.length).toBe(page < pages ? size : total - (pages - 1) * size);
      }
    }
  }
});

test('lists are sorted newest first across pages and filters, and equal dates by descending ID [S-45 U-09]', async () => {
  for (const orders of [all, await walk(mock, 'status=abgeschlossen&per_page=7')]) {
    for (const [n, order] of orders.entries()) {
      const before = orders[n - 1];
      if (!before) continue;
      expect(before.created_at >= order.created_at).toBe(true);
      if (before.created_at === order.created_at) expect(before.id).toBeGreaterThan(order.id);
    }
  }
  expect(all[19].created_at).toBe(all[20].created_at);
});

test('page defaults to 1, per_page to 20, and parameters can be combined [S-46 S-47 S-48 S-49 S-54]', async () => {
  expect(await list('')).toEqual(await list('?page=1&per_page=20'));
  expect((await list('?per_page=1')).orders).toEqual(all.slice(0, 1));
  expect((await list('?per_page=50')).orders).toEqual(all.slice(0, 50));
  expect((await list('?page=3')).orders).toEqual(all.slice(40, 60));
  expect((await list('?page=2&per_page=7')).orders).toEqual(all.slice(7, 14));
  const paid = all.filter((order) => order.status === 'bezahlt');
  expect((await list('?status=bezahlt')).orders).toEqual(paid.slice(0, 20));
  expect((await list('?status=bezahlt&per_page=5')).orders).toEqual(paid.slice(0, 5));
  expect((await list('?status=bezahlt&page=2&per_page=5')).orders).toEqual(paid.slice(5, 10));
});

const pages = ['0', '-1', 'abc', '', '1.5', '1e1', '%2B2', '+2', '0x10', '%EF%BC%92', '9'.repeat(30)];
test.each([
  ...pages.map((value) => `page=${value}`),
  ...['0', '51', '1000', '-5', 'x', ''].map((value) => `per_page=${value}`),
  ...['', 'BEZAHLT', 'offen', 'bezahlt,storniert', ' bezahlt'].map((value) => `status=${value}`),
])('the query %j returns 400 with the error envelope [S-72 U-01 U-02 U-03 U-04]', async (query) => {
  const { status, body } = await ask(mock, `/orders?${query}`);
  expect(status).toBe(400);
  expect(Object.keys(body).sort()).toEqual(['error', 'status']);
});

test('a page past the end is empty, an empty list has 0 pages, and the last value of a repeated parameter counts [U-05 U-06 U-07 U-08]', async () => {
  expect(await list('?page=9&per_page=50')).toEqual({
    orders: [],
    pagination: { page: 9, per_page: 50, total: 120, pages: 3 },
  });
  expect((await list('?page=1&page=2')).pagination.page).toBe(2);
  expect((await list('?page=01')).pagination.page).toBe(1);
  expect((await list('?foo=bar')).orders).toEqual(all.slice(0, 20));
  expect(send(createInnerMock({ orders: 0 }), '/orders').body.data).toEqual({
    orders: [],
    pagination: { page: 1, per_page: 20, total: 0, pages: 0 },
  });
});

const paged = (page: number, per_page = 20) => ({ page, per_page, total: 30, pages: Math.ceil(30 / per_page) });
const none = { page: 1, per_page: 20, total: 0, pages: 0 };
test.each<[set: SettingInput, query: string, status: number, pagination?: object, orders?: number]>([
  [{ params: 'clamp' }, 'page=-3&per_page=1000', 200, paged(1, 50), 30],
  [{ params: 'clamp' }, 'page=2abc&per_page=0', 200, paged(2, 1), 1],
  [{ params: 'default' }, 'page=abc&per_page=51', 200, paged(1), 20],
  [{ perPageMax: 10 }, 'per_page=50', 200, paged(1, 10), 10],
  [{ unknownStatus: 'ignore' }, 'status=offen', 200, paged(1), 20],
  [{ unknownStatus: 'ignore' }, 'status=', 200, paged(1), 20],
  [{ unknownStatus: 'empty' }, 'status=offen', 200, none, 0],
  [{ unknownStatus: 'empty', emptyPages: '1' }, 'status=offen', 200, { ...none, pages: 1 }, 0],
  [{ pageBeyondLast: '404' }, 'page=3', 404],
  [{ pageBeyondLast: '400' }, 'page=3', 400],
  [{ pageBeyondLast: 'clamp' }, 'page=3', 200, paged(2), 10],
  [{ totalIgnoresFilter: 'on' }, 'status=storniert', 200, paged(1), 2],
])(
  'under the settings %j, the query %s returns %i [U-01 U-04 U-05 U-06 U-11]',
  (set, query, status, pagination, orders) => {
    const answer = send(createInnerMock({ orders: 30, set }), `/orders?${query}`);
    const { data } = answer.body;
    expect([answer.status, data?.pagination, data?.orders.length]).toEqual([status, pagination, orders]);
  },
);

const ids = (orders: Json[]) => orders.map((order) => order.id);
const listed = (set: SettingInput) => {
  const own = createInnerMock({ limit: 'off', set });
  return () => [1, 2, 3].flatMap((page): Json[] => send(own, `/orders?per_page=50&page=${page}`).body.data.orders);
};

test('settings can reverse or shuffle orders with equal dates [U-09]', () => {
  const ascending = listed({ tieBreak: 'idAsc' })();
  const tied = ascending.filter((order, n) => ascending[n + 1]?.created_at === order.created_at);
  expect(tied.length).toBeGreaterThan(10);
  for (const order of tied) expect(ascending[ascending.indexOf(order) + 1].id).toBeGreaterThan(order.id);
  expect(ids(ascending).toSorted()).toEqual(ids(all).toSorted());
  const shuffled = listed({ tieBreak: 'shuffle' });
  expect(new Set([1, 2, 3, 4, 5].map(() => JSON.stringify(ids(shuffled())))).size).toBeGreaterThan(1);
});

test('a setting sorts the list by a hidden date [U-63]', () => {
  const other = listed({ sortDate: 'other' })();
  expect(ids(other)).toEqual(ids(all));
  expect(other.some((order, n) => n > 0 && other[n - 1].created_at < order.created_at)).toBe(true);
});
