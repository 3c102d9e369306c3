import { expect, test } from 'vitest';
import type { OrderSummary } from '../model/order.ts';
import { at, createMovingList, listOf, orderOf, walked, withOrders } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';
import { type WalkOptions, walkOrders, walkPages } from './walk.ts';

const paid = { status: 'bezahlt' } as const;
const either: WalkOptions[] = [{}, paid];

test('reads an empty list in one request, with or without a filter [U-06]', async () => {
  for (const options of either) {
    const list = createMovingList({ orders: 0 });
    expect((await walked(list.read, options)).ids).toEqual([]);
    expect(list.requests()).toBe(1);
  }
});

test.each(['used', 'asked', 'none'] as const)(
  'reads the whole list and reports a gap if pages have another size than requested (`per_page`: %s) [S-89 U-02]',
  async (reportedPerPage) => {
    for (const options of either) {
      const list = createMovingList({ orders: 90, largestPage: 20, reportedPerPage });
      const { ids, gaps } = await walked(list.read, options);
      expect(ids).toHaveLength(options.status ? 60 : 90);
      expect(gaps).toEqual(['unseen']);
      if (!options.status) expect(list.requests()).toBe(5);
    }
  },
);

test('a full last page costs one more request, which shows that no order follows', async () => {
  const list = createMovingList({ orders: 100, largestPage: 20 });
  expect((await walked(list.read)).ids).toHaveLength(100);
  expect(list.requests()).toBe(6);
});

test('ends after three pages in a row that are not the requested ones, and reports a gap [U-05]', async () => {
  const list = createMovingList({ orders: 100, pastEnd: 'last page' });
  const tooMany: ReadPage = async (query) => {
    const { orders, pagination } = await list.read(query);
    return { orders, pagination: { ...pagination, pages: 1_000 } };
  };
  const { ids, gaps } = await walked(tooMany);
  expect(ids).toHaveLength(100);
  expect(gaps).toEqual(['unseen']);
  // Each of the three pages is requested twice.
  expect(list.requests()).toBe(2 + 2 * 3);
});

test.each(either)('stops if the API returns the same orders under new page numbers (%o) [U-05]', async (options) => {
  let requests = 0;
  const read: ReadPage = async ({ page, perPage }) => {
    requests += 1;
    const orders = Array.from({ length: perPage }, (_, n) => orderOf(1_000 - n));
    return { orders, pagination: { page, per_page: perPage, pages: 1e9, total: 5e10 } };
  };
  const walk = walkOrders(walkPages(read, options));
  const given: number[] = [];
  const goOn = async () => {
    for await (const { id } of walk) given.push(id);
  };
  await expect(goOn()).rejects.toMatchObject({ code: 'invalid_response', reason: 'endless_list' });
  expect(requests).toBeLessThan(40);
  await expect(goOn()).rejects.toMatchObject({ code: 'invalid_response' });
  expect(given).toHaveLength(50);
});

test.each([
  [1, 1],
  [50, 1],
  [51, 2],
  [96, 2],
  [97, 3],
])('a walk with the limit %i sends %i requests', async (limit, requests) => {
  const list = createMovingList({ orders: 300 });
  expect(await walked(list.read, { limit })).toMatchObject({ ids: { length: limit }, gaps: [] });
  expect(list.requests()).toBe(requests);
});

test('a walk with a status filter and `limit` continues if the first order has changed its status', async () => {
  const { read } = createMovingList({ orders: 300 });
  const changed = withOrders(read, (orders) =>
    orders.map((one) => (one.id === 299 ? { ...one, status: 'storniert' } : one)),
  );
  expect((await walked(read, { ...paid, limit: 1 })).ids).toEqual([299]);
  expect((await walked(changed, { ...paid, limit: 1 })).ids).toEqual([298]);
});

test('a walk with `createdFrom` includes that time, and ends after the first page of older orders [U-63]', async () => {
  const list = createMovingList({ orders: 300 });
  expect((await walked(list.read, { createdFrom: at(225) })).ids).toHaveLength(75);
  expect(list.requests()).toBe(3);
});

test.each<[object, string]>([
  [{ limit: 0 }, '`limit`'],
  [{ limit: 1.5 }, '`limit`'],
  [{ status: 'paid' }, '`status`'],
  [{ status: ['paid'] }, '`status`'],
  [{ status: [] }, '`status`'],
  [{ createdFrom: new Date('nonsense') }, '`createdFrom`'],
  [{ createdFrom: '2026-01-31' }, '`createdFrom`'],
  [{ createdBefore: 'today' }, '`createdBefore`'],
  [{ createdFrom: at(1), createdBefore: at(0) }, 'Swap them.'],
])('rejects %o before anything is read', (options, message) => {
  const list = createMovingList({ orders: 3 });
  const failure = { code: 'bad_request', message: expect.stringContaining(message) };
  expect(() => walkPages(list.read, options)).toThrow(expect.objectContaining(failure));
  expect(list.requests()).toBe(0);
});

test('a filtered walk over an unchanging list costs at most a quarter more requests than reading page by page', async () => {
  const list = createMovingList({ orders: 6_000 });
  expect((await walked(list.read, paid)).ids).toHaveLength(4_000);
  expect(list.requests()).toBeLessThanOrEqual(100);
});

test.each<[string, (page: number) => unknown]>([
  ['is not a number', () => 'first'],
  ['is an object that cannot be converted', () => ({ toString: null })],
  ['is counted from 0', (page) => page - 1],
  ['is always 1', () => 1],
  ['is far off', (page) => page * 1e12],
  ['is missing', () => undefined],
])('a walk returns each order once and ends if the reported `page` %s [U-59]', async (_, reported) => {
  for (const options of either) {
    const list = createMovingList({ orders: 300 });
    const read: ReadPage = async (query) => {
      if (list.requests() > 50) throw new Error('It does not end.');
      const { orders, pagination } = await list.read(query);
      return { orders, pagination: { ...pagination, page: reported(query.page) as number } };
    };
    expect((await walked(read, options)).ids).toHaveLength(options.status ? 200 : 300);
  }
});

test('a walk over a month long ago sends at most 21 requests more than the month has pages, although an order arrives with every tenth request', async () => {
  const changes = Array.from({ length: 160 }, (_, n) => (n % 10 === 9 ? [{ kind: 'insert' as const, place: 0 }] : []));
  const list = createMovingList({ orders: 100_000, changes });
  for (const from of [20_000, 50_003, 71_234]) {
    const before = list.requests();
    const { ids, gaps } = await walked(list.read, { createdFrom: at(from), createdBefore: at(from + 1_850) });
    expect(ids).toHaveLength(1_850);
    expect(gaps).toEqual([]);
    // The 1,850 orders begin and end within a page, so they are on 38.
    expect(list.requests() - before).toBeLessThanOrEqual(38 + 21);
  }
});

test.each([0, 1, 2])(
  'no order is lost if the orders of one second change their sequence between two pages (`total` rises by %i) [U-09]',
  async (jump) => {
    const order = (id: number): OrderSummary => orderOf(id, id >= 49 && id <= 52 ? 500 : 1_000 - id);
    const first = Array.from({ length: 120 }, (_, n) => order(n + 1));
    // `a b | c d` become `c d | a b` between two pages of 50.
    const later = [...first.slice(0, 48), ...[51, 52, 49, 50].map(order), ...first.slice(52)];
    for (const arrived of [[], [orderOf(900, 1e8)]]) {
      for (const options of [{}, { createdFrom: new Date(0) }]) {
        let requests = 0;
        const read: ReadPage = async (slice) => {
          requests += 1;
          return requests === 1 ? listOf(first, slice) : listOf([...arrived, ...later], slice, 120 + jump);
        };
        const { ids } = await walked(read, options);
        expect(ids.filter((id) => id <= 120)).toHaveLength(120);
      }
    }
  },
);

test('a walk does not end at an old `pages` if the page above it brings no new order', async () => {
  const rows = Array.from({ length: 145 }, (_, n) => orderOf(145 - n, 145 - n));
  const arrived = Array.from({ length: 45 }, (_, n) => orderOf(190 - n, 190 - n));
  let requests = 0;
  const read: ReadPage = async (slice) => {
    requests += 1;
    const list = listOf(requests < 4 ? rows : [...arrived, ...rows], slice);
    return { ...list, pagination: { ...list.pagination, total: 130, pages: Math.ceil(130 / slice.perPage) } };
  };
  const { ids } = await walked(read, { createdFrom: at(0) });
  expect(ids.filter((id) => id <= 145)).toHaveLength(145);
});
