import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order.ts';
import { createMovingList } from './moving-list.fixture.ts';
import { type OrderPage, walkOrders, walkPages } from './walk.ts';
import type { WalkOptions } from './walk-options.ts';
import type { ReadPage } from './walk-progress.ts';

const order = (id: number, day = 20): OrderSummary =>
  ({ id, status: 'bezahlt', created_at: `2026-03-${day} 12:00:00` }) as OrderSummary;

const answer = (orders: OrderSummary[], page: number, pages: number) => ({
  orders,
  pagination: { page, per_page: 50, total: pages * 50, pages },
});

/** Walks until an error ends it. */
const failing = async (read: ReadPage, options: WalkOptions) => {
  const pages: OrderPage[] = [];
  let calls = 0;
  const reading: ReadPage = async (query) => {
    calls += 1;
    if (calls === 1) return read(query);
    throw Object.assign(new OrderLicenseError('server', { detail: 'down', status: 500 }), { page: query.resumePage });
  };
  try {
    for await (const page of walkPages(reading, options)) pages.push(page);
  } catch (error) {
    return { pages, page: (error as OrderLicenseError).page };
  }
  throw new Error('It did not fail.');
};

test('the page of an error counts pages of 50 orders, whatever the page size of the requests', async () => {
  const list = createMovingList({ orders: 120, changes: [], largestPage: 20 }, () => new Error('past the end'));
  const asked: number[] = [];
  const read: ReadPage = (query) => {
    asked.push(query.perPage);
    return list.read(query);
  };
  const { pages, page } = await failing(read, { limit: 30 });
  expect(asked).toEqual([30]);
  expect(pages).toMatchObject([{ page: 1, read: 20 }]);
  expect(page).toBe(1);
});

test('a walk with `createdFrom` and a small limit, restarted at the page of its error, skips nothing [U-63]', async () => {
  const all = Array.from({ length: 120 }, (_, n) => order(120 - n, n % 10 === 5 ? 20 : 10));
  const read: ReadPage = async ({ page, perPage }) =>
    answer(all.slice((page - 1) * perPage, page * perPage), page, Math.ceil(120 / perPage));
  const createdFrom = new Date('2026-03-15T00:00:00Z');
  const { pages, page } = await failing(read, { createdFrom, limit: 10 });
  const given = pages.flatMap(({ orders }) => orders.map(({ id }) => id));
  for await (const { id } of walkOrders(walkPages(read, { createdFrom, startPage: page }))) given.push(id);
  const wanted = all.filter(({ created_at }) => created_at > '2026-03-15').map(({ id }) => id);
  expect(wanted.filter((id) => !given.includes(id))).toEqual([]);
});

test('a page that repeats newer orders does not end a walk with `createdFrom` [U-63]', async () => {
  const newer = Array.from({ length: 149 }, (_, n) => order(1_000 - n));
  const older = order(5, 10);
  const pages = [newer.slice(0, 50), [...newer.slice(1, 50), older], newer.slice(50, 100), newer.slice(100)];
  const read: ReadPage = async ({ page }) => answer(pages[page - 1] ?? [], page, pages.length);
  const createdFrom = new Date('2026-03-15T00:00:00Z');
  const given = await walkOrders(walkPages(read, { createdFrom, limit: 1_000 })).toArray({ limit: 1_000 });
  expect(given).toHaveLength(149);
});

test('only a full page of older orders ends a walk with `createdFrom`, even with a small limit [U-63]', async () => {
  const all = Array.from({ length: 60 }, (_, n) => order(60 - n, n === 40 ? 20 : 10));
  const read: ReadPage = async ({ page, perPage }) =>
    answer(all.slice((page - 1) * perPage, page * perPage), page, Math.ceil(60 / perPage));
  expect(
    await walkOrders(walkPages(read, { createdFrom: new Date('2026-03-15T00:00:00Z'), limit: 1 })).toArray({
      limit: 1,
    }),
  ).toHaveLength(1);
});

test.each([1, 50])(
  'an endless list with %i orders per page soon ends the walk with the page to resume from [U-05]',
  async (size) => {
    const list = Array.from({ length: size }, (_, n) => order(n + 1));
    let requests = 0;
    const read: ReadPage = async ({ page }) => {
      requests += 1;
      return answer(list, page, 1e9);
    };
    const error = await walkOrders(walkPages(read, { limit: 100 }))
      .toArray({ limit: 100 })
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid_response', page: requests });
    expect(requests).toBeLessThan(30);
  },
);

test('a list that repeats itself but has a last page is not endless [U-05]', async () => {
  const read: ReadPage = async ({ page }) => answer([order(1)], page, 22);
  expect(await walkOrders(walkPages(read, { limit: 100 })).toArray({ limit: 100 })).toHaveLength(1);
});

test('a walk that pauses while as many orders arrive as it has read continues to the end [U-10]', async () => {
  const total = 4_000;
  let putIn = 0;
  const read: ReadPage = async ({ page }) => {
    const start = (page - 1) * 7;
    const length = Math.max(0, Math.min(7, total + putIn - start));
    const orders = Array.from({ length }, (_, n) => order(total + putIn - start - n));
    return answer(orders, page, Math.ceil((total + putIn) / 7));
  };
  const walk = walkOrders(walkPages(read, {}));
  const given: number[] = [];
  for await (const { id } of walk) {
    given.push(id);
    if (given.length === 2_100) putIn = 2_100;
  }
  expect(given).toEqual(Array.from({ length: total }, (_, n) => total - n));
});

test('returns a page of 200,000 orders in full', async () => {
  const list = Array.from({ length: 200_000 }, (_, n) => order(n + 1));
  const read: ReadPage = async ({ page }) => answer(list, page, 1);
  let given = 0;
  for await (const _ of walkOrders(walkPages(read, {}))) given += 1;
  expect(given).toBe(200_000);
  expect(await walkOrders(walkPages(read, { limit: 1_000_000 })).toArray({ limit: 1_000_000 })).toHaveLength(200_000);
});
