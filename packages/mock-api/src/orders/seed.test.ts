import { expect, test } from 'vitest';
import { createInnerMock, type InnerMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { send } from '../test-client.fixture.ts';
import { seededGiven, seededOrders } from './seed.ts';
import { isEligible, statuses } from './statuses.ts';

const text = (mock: InnerMock, path: string): string => send(mock, path).text;

const everything = (options: MockOptions): string => {
  const mock = createInnerMock({ limit: 'off', ...options });
  const lists = [1, 2, 3].map((page) => text(mock, `/orders?per_page=50&page=${page}`));
  const ids = lists.flatMap((list) => JSON.parse(list).data.orders.map((order: { id: number }) => order.id));
  return [JSON.stringify(mock.keys), text(mock, '/me'), ...lists, ...ids.map((id) => text(mock, `/orders/${id}`))].join(
    '\n',
  );
};

test('the same seed produces the same bytes on any day; another seed does not [S-02]', () => {
  const first = everything({ seed: 5 });
  expect(everything({ seed: 5, frozenAt: Date.UTC(2031, 0, 1) })).toBe(first);
  expect(everything({ seed: 6 })).not.toBe(first);
});

test('an order with a small ID gets a unique order number', () => {
  const { state } = createInnerMock();
  const numbers = [1, 5, 10_000].map((id) => state.insertOrder('business', { id }).bestellnummer);
  expect(numbers.map((number) => number.replace(/\d{4}/, 'YYYY'))).toEqual([
    'A-YYYY-000001',
    'A-YYYY-000005',
    'A-YYYY-010000',
  ]);
});

test.each([1, 5, 120, 5000])(
  'the dates of %i orders never increase, some are equal, and all are in range [S-45 U-09]',
  (count) => {
    const dates = seededOrders({ seed: 3, account: 'otherAccount', number: 1, count }).map(
      ({ createdAt }) => createdAt,
    );
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(dates.every((date) => date % 1000 === 0)).toBe(true);
    expect(dates[0]).toBeLessThanOrEqual(Date.UTC(2026, 5, 30, 18));
    expect(dates.at(-1)).toBeGreaterThan(Date.UTC(2021, 0, 1));
    if (count >= 120) expect(count - new Set(dates).size).toBeGreaterThan(count / 10);
  },
);

test('IDs have gaps and differ between accounts [S-18 S-62]', () => {
  const ids = [0, 1, 2, 3].flatMap((number) =>
    seededOrders({ seed: 9, account: 'business', number, count: 1000 }).map(({ id }) => id),
  );
  expect(new Set(ids).size).toBe(4000);
  expect(Math.min(...ids)).toBeGreaterThanOrEqual(10_001);
});

test('all four statuses are common, and paid orders have items [S-19]', () => {
  const orders = seededOrders({ seed: 4, account: 'business', number: 0, count: 2000 });
  for (const { id, index = 0, status } of orders)
    if (isEligible(status)) expect(seededGiven(4, { id, index }).detail.items).not.toHaveLength(0);
  for (const status of statuses) expect(orders.filter((order) => order.status === status).length).toBeGreaterThan(100);
});

test('reading 100000 orders by page, filter or ID uses constant memory [U-60]', () => {
  const before = process.memoryUsage();
  const mock = createInnerMock({ orders: 100_000, limit: 'off' });
  const page = (query: string) => JSON.parse(text(mock, `/orders?per_page=50&${query}`)).data;
  const { pagination } = page('page=1');
  expect(pagination).toEqual({ page: 1, per_page: 50, total: 100_000, pages: 2000 });
  let newest = '9';
  for (let number = 1; number <= 2000; number += 7) {
    const { orders } = page(`page=${number}`);
    expect(orders.length).toBe(50);
    expect(orders[0].created_at <= newest).toBe(true);
    newest = orders[49].created_at;
  }
  const counts = statuses.map((status) => {
    const middle = page(`status=${status}&page=50`);
    expect(middle.orders.every((order: { status: string }) => order.status === status)).toBe(true);
    return middle.pagination.total;
  });
  expect(counts.reduce((a, b) => a + b)).toBe(100_000);
  const [{ id }] = page('page=1234').orders;
  expect(JSON.parse(text(mock, `/orders/${id}`)).data.id).toBe(id);
  const after = process.memoryUsage();
  const grown = after.arrayBuffers - before.arrayBuffers + Math.max(0, after.rss - before.rss);
  expect(grown / 1e6).toBeLessThan(150); // storing all orders as objects would need far more memory
});

test('lists stay correct after insertions and changes [U-10]', () => {
  const { state } = createInnerMock({ orders: 50 });
  const orders = state.orders('business');
  const middle = orders.page(25, 1)[0];
  const { id } = state.insertOrder('business', { status: 'bezahlt', created_at: middle?.list.created_at as string });
  expect(state.order(id)).toMatchObject({ id, status: 'bezahlt' });
  expect(orders.page(25, 1)[0]?.id).toBe(id); // the inserted order has the highest ID of its date
  state.setStatus(id, 'ausstehend');
  expect(orders.page(0, 60, 'ausstehend').map((order) => order.id)).toContain(id);
  expect(orders.count()).toBe(51);
  state.removeOrder(id);
  expect(orders.count()).toBe(50);
  expect(() => state.order(id)).toThrow(/no order with the id/);
});

test('an inserted order does not get the ID of a removed one', () => {
  const { state } = createInnerMock({ orders: 3 });
  const ids = state
    .orders('business')
    .page(0, 3)
    .map(({ id }) => id);
  state.removeOrders('business');
  expect(ids).not.toContain(state.insertOrder('business').id);
  const { id } = state.insertOrder('business');
  state.removeOrder(id);
  expect(state.insertOrder('business').id).not.toBe(id);
});
