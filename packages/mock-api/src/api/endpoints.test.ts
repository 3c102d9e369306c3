import { afterAll, expect, test } from 'vitest';
import { statuses } from '../orders/statuses.ts';
import { listen } from '../server/listen.ts';
import { ask, type Json, walk } from '../test-client.fixture.ts';

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

test('invalid parameters return 400 with the error envelope [S-72 U-01 U-02 U-03 U-04]', async () => {
  const pages = ['0', '-1', 'abc', '', '1.5', '1e1', '%2B2', '+2', '0x10', '%EF%BC%92', '9'.repeat(30)];
  const queries = [
    ...pages.map((value) => `page=${value}`),
    ...['0', '51', '1000', '-5', 'x', ''].map((value) => `per_page=${value}`),
    ...['', 'BEZAHLT', 'offen', 'bezahlt,storniert', ' bezahlt'].map((value) => `status=${value}`),
  ];
  for (const query of queries) {
    const { status, body } = await ask(mock, `/orders?${query}`);
    expect(status, query).toBe(400);
    expect(Object.keys(body).sort()).toEqual(['error', 'status']);
  }
  expect((await list('?page=01')).pagination.page).toBe(1);
});

test('a page past the end is empty, an empty list has 0 pages, and the last value of a repeated parameter counts [U-05 U-06 U-07 U-08]', async () => {
  expect(await list('?page=9&per_page=50')).toEqual({
    orders: [],
    pagination: { page: 9, per_page: 50, total: 120, pages: 3 },
  });
  expect((await list('?page=1&page=2')).pagination.page).toBe(2);
  expect((await list('?foo=bar')).orders).toEqual(all.slice(0, 20));
  const empty = await listen({ orders: 0 });
  expect((await ask(empty, '/orders')).body.data).toEqual({
    orders: [],
    pagination: { page: 1, per_page: 20, total: 0, pages: 0 },
  });
  await empty.close();
});

test('each setting for list parameters changes the response [U-01 U-04 U-05 U-06 U-07 U-08 U-11]', async () => {
  const own = await listen({ limit: 'off', orders: 30 });
  const answerWith = async (set: object, query: string) => {
    own.setProfile('strict', set);
    const { status, body } = await ask(own, `/orders?${query}`);
    return status === 200 ? [body.data.pagination, body.data.orders.length] : status;
  };
  const page = (number: number, size = 20) => ({
    page: number,
    per_page: size,
    total: 30,
    pages: Math.ceil(30 / size),
  });
  expect(await answerWith({ params: 'clamp' }, 'page=-3&per_page=1000')).toEqual([page(1, 50), 30]);
  expect(await answerWith({ params: 'clamp' }, 'page=2abc&per_page=0')).toEqual([page(2, 1), 1]);
  expect(await answerWith({ params: 'default' }, 'page=abc&per_page=51')).toEqual([page(1), 20]);
  expect(await answerWith({ perPageMax: 10 }, 'per_page=50')).toEqual([page(1, 10), 10]);
  expect(await answerWith({ unknownStatus: 'ignore' }, 'status=offen')).toEqual([page(1), 20]);
  expect(await answerWith({ unknownStatus: 'empty' }, 'status=offen')).toEqual([
    { page: 1, per_page: 20, total: 0, pages: 0 },
    0,
  ]);
  expect(await answerWith({}, 'status=')).toBe(400);
  expect(await answerWith({ unknownStatus: 'ignore' }, 'status=')).toEqual([page(1), 20]);
  expect(await answerWith({ pageBeyondLast: '404' }, 'page=3')).toBe(404);
  expect(await answerWith({ pageBeyondLast: '400' }, 'page=3')).toBe(400);
  expect(await answerWith({ pageBeyondLast: 'clamp' }, 'page=3')).toEqual([page(2), 10]);
  expect(await answerWith({}, 'page=1&page=2')).toEqual([page(2), 10]);
  expect(await answerWith({}, 'foo=bar')).toEqual([page(1), 20]);
  expect(await answerWith({ emptyPages: '1', unknownStatus: 'empty' }, 'status=offen')).toEqual([
    { page: 1, per_page: 20, total: 0, pages: 1 },
    0,
  ]);
  const [pagination] = (await answerWith({ totalIgnoresFilter: 'on' }, 'status=storniert')) as [Json];
  expect(pagination).toEqual(page(1));
  await own.close();
});

test('settings can reverse or shuffle orders with equal dates, and sort the list by a hidden date [U-09 U-63]', async () => {
  const own = await listen({ limit: 'off' });
  own.setProfile('strict', { tieBreak: 'idAsc' });
  const ascending = await walk(own, 'per_page=7');
  const tied = ascending.filter((order, n) => ascending[n + 1]?.created_at === order.created_at);
  expect(tied.length).toBeGreaterThan(10);
  for (const order of tied) expect(ascending[ascending.indexOf(order) + 1].id).toBeGreaterThan(order.id);
  const ids = (orders: Json[]) => orders.map((order) => order.id);
  expect(ids(ascending).toSorted()).toEqual(ids(all).toSorted());

  own.setProfile('strict', { tieBreak: 'shuffle' });
  const shuffles = new Set<string>();
  for (let n = 0; n < 5; n++)
    shuffles.add(JSON.stringify(ids((await ask(own, '/orders?per_page=50')).body.data.orders)));
  expect(shuffles.size).toBeGreaterThan(1);

  own.setProfile('strict', { sortDate: 'other' });
  const other = await walk(own);
  expect(ids(other)).toEqual(ids(all));
  expect(other.some((order, n) => n > 0 && other[n - 1].created_at < order.created_at)).toBe(true);
  await own.close();
});
