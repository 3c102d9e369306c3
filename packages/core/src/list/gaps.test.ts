import { expect, test } from 'vitest';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import { countByStatus } from './count-by-status.ts';
import { createOrderFinder } from './find-order.ts';
import type { ReadPage, Slice } from './slice.ts';
import { totals } from './totals.ts';
import type { WalkOptions } from './walk.ts';
import { walkOrders, walkPages } from './walk.ts';

const newest = Date.UTC(2026, 5, 1);
/** Creation time of the order at an index of the list, 0 for the newest: one order a minute. */
const timeAt = (index: number): Date => new Date(newest - index * 60_000);
const text = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ');

const orderAt = (index: number, count: number): OrderSummary =>
  ({
    id: count - index,
    bestellnummer: `B-${String(count - index).padStart(6, '0')}`,
    status: index % 3 === 2 ? 'storniert' : 'bezahlt',
    zahlungsstatus: 'bezahlt',
    lieferstatus: 'geliefert',
    gesamtpreis_brutto: '1.00',
    waehrung: 'EUR',
    created_at: text(timeAt(index)),
  }) as OrderSummary;

interface Shop {
  /** Replaces the slice that the shop returns for a request; the n-th request has the number n. */
  serve?(slice: Slice, request: number): Slice;
  /** Removes rows from a response, or replaces it. */
  change?(list: OrderList): OrderList;
  /** How many orders `total` and `pages` count. */
  counted?: number;
  ignoresFilter?: boolean;
}

/** A shop with `count` orders, whose pages come from a cache or are short. */
const shop = (count: number, { serve = (slice) => slice, change, counted, ignoresFilter }: Shop = {}) => {
  const all = Array.from({ length: count }, (_, index) => orderAt(index, count));
  let requests = 0;
  const read: ReadPage = async ({ page, perPage, status }) => {
    requests += 1;
    const rows = all.filter((order) => ignoresFilter || !status || order.status === status);
    const served = serve({ page, perPage }, requests);
    const total = counted ?? rows.length;
    const list: OrderList = {
      orders: rows.slice((served.page - 1) * served.perPage, served.page * served.perPage),
      pagination: { page: served.page, per_page: served.perPage, total, pages: Math.ceil(total / served.perPage) },
    };
    return change?.(list) ?? list;
  };
  return { read, requests: () => requests };
};

const walk = async (read: ReadPage, options: WalkOptions = {}) => {
  const orders = walkOrders(walkPages(read, options));
  const read50 = await orders.toArray({ limit: 1_000 });
  return { count: read50.length, gaps: orders.gaps };
};
const find = (read: ReadPage, orderNumber: string, maxRequests = 20) =>
  createOrderFinder(() => ({ read, waitForTurn: (turn) => turn })).find(orderNumber, { maxRequests });

/** Page 1 in place of page 4. */
const firstForFourth = (slice: Slice): Slice => (slice.page === 4 ? { ...slice, page: 1 } : slice);
const firstForAny = (slice: Slice): Slice => ({ ...slice, page: 1 });
/** Twenty rows of page 3 are missing. */
const shortThird = (list: OrderList): OrderList =>
  list.pagination.page === 3 ? { ...list, orders: list.orders.slice(0, 30) } : list;

test('an order behind a cached count is in walks, sums and searches, without a gap [U-10]', async () => {
  const cached = { counted: 100 };
  expect(await walk(shop(103, cached).read)).toEqual({ count: 103, gaps: [] });
  expect(await totals(shop(103, cached).read, {})).toMatchObject({ complete: true, orders: 103 });
  expect((await find(shop(103, cached).read, 'B-000002')).summary.id).toBe(2);
});

test('a page that a cache has replaced once is asked for again, and leaves no gap [U-05]', async () => {
  let replaced = 0;
  const once = (slice: Slice): Slice => (slice.page === 4 && ++replaced === 1 ? { ...slice, page: 1 } : slice);
  const { read, requests } = shop(320, { serve: once });
  expect(await walk(read)).toEqual({ count: 320, gaps: [] });
  expect(requests()).toBe(8);
});

test('a page that a cache keeps replacing is a gap, and the walk goes on behind it [U-05]', async () => {
  expect(await walk(shop(320, { serve: firstForFourth }).read)).toEqual({ count: 270, gaps: ['unseen'] });
  expect(await totals(shop(320, { serve: firstForFourth }).read, {})).toMatchObject({ complete: false, orders: 270 });
  await expect(find(shop(170, { serve: firstForFourth }).read, 'X')).rejects.toMatchObject({ code: 'not_located' });
});

test('a cache that ignores the query never makes an old range complete [U-05 U-63]', async () => {
  const range = { createdFrom: timeAt(300), createdBefore: timeAt(210) };
  const { read } = shop(320, { serve: firstForAny });
  expect(await walk(read, range)).toEqual({ count: 0, gaps: ['unseen'] });
  expect(await totals(shop(320, { serve: firstForAny }).read, range)).toMatchObject({ complete: false, orders: 0 });
  await expect(find(shop(320, { serve: firstForAny }).read, 'B-000100')).rejects.toMatchObject({ code: 'not_located' });
});

test.each<[string, WalkOptions, number]>([
  ['the whole list', {}, 300],
  ['a range', { createdFrom: timeAt(250) }, 231],
])('a short page in the middle of %s is a gap, and the walk goes on [U-10]', async (_, options, count) => {
  expect(await walk(shop(320, { change: shortThird }).read, options)).toEqual({ count, gaps: ['unseen'] });
});

test('orders that an ignored filter lets through are left out, and are a gap [U-11]', async () => {
  const ignored = { ignoresFilter: true };
  expect(await walk(shop(120, ignored).read, { status: 'storniert' })).toEqual({ count: 40, gaps: ['unseen'] });
  expect(await totals(shop(120, ignored).read, { status: 'storniert' })).toMatchObject({
    complete: false,
    orders: 40,
  });
  const counts: Record<StatusFilter, number> = { ausstehend: 0, bezahlt: 80, abgeschlossen: 0, storniert: 40 };
  const counted = await countByStatus(shop(120, ignored).read, shop(120, ignored).read, {});
  expect(counted).toMatchObject({ counts, source: 'walk', complete: true });
});

test('a single order whose status changed meanwhile is left out without a gap [U-10]', async () => {
  const changed = (list: OrderList): OrderList => ({
    ...list,
    orders: list.orders.map((order) => (order.id === 99 ? { ...order, status: 'abgeschlossen' } : order)),
  });
  expect(await walk(shop(120, { change: changed }).read, { status: 'bezahlt' })).toEqual({ count: 79, gaps: [] });
});

test('orders with an undocumented status or none stay in a filtered list [U-54]', async () => {
  const unknown = (list: OrderList): OrderList => ({
    ...list,
    orders: list.orders.map((order) => ({ ...order, status: order.id % 4 === 0 ? 'teilbezahlt' : (null as never) })),
  });
  expect(await walk(shop(120, { change: unknown }).read, { status: 'bezahlt' })).toEqual({ count: 80, gaps: [] });
});

test('statuses in other letters are the documented ones in walks and filters, and ids are compared as text', async () => {
  const loud = (list: OrderList): OrderList => ({
    ...list,
    orders: list.orders.map((order) => ({
      ...order,
      status: order.status.toUpperCase(),
      id: list.pagination.page % 2 === 0 ? (String(order.id) as never) : order.id,
    })),
  });
  for (const status of ['bezahlt', ['bezahlt', 'ausstehend']] as const) {
    const orders = await walkOrders(walkPages(shop(120, { change: loud }).read, { status })).toArray({ limit: 200 });
    expect(orders.map((order) => order.status)).toEqual(Array(80).fill('bezahlt'));
    expect(new Set(orders.map(({ id }) => String(id))).size).toBe(80);
  }
});
