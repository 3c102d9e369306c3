import type { OrderList, OrderSummary } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { addSeen, beginWith, isStillNew, newOnPage, trimSeen } from './recent-orders';

const order = (id: number, created_at: string | null): OrderSummary => ({ id, created_at }) as OrderSummary;
const at = (second: number): string => new Date(Date.UTC(2030, 0, 1) + second * 1000).toISOString();
const list = (orders: OrderSummary[], pages = 1): OrderList => {
  return { orders, pagination: { page: 1, per_page: 50, pages, total: orders.length * pages } };
};
const idsOf = ({ fresh }: { fresh: OrderSummary[] }) => fresh.map(({ id }) => id);

test('orders listed above the baseline are new', () => {
  const recent = beginWith(list([order(2, at(20)), order(1, at(10))], 9));
  const page = newOnPage(recent, [order(3, at(30)), order(2, at(20)), order(1, at(10))]);
  expect(idsOf(page)).toEqual([3]);
  expect(page.reached).toBe(true);
});

test('an order that appears late is new, even if a newer one was already listed', () => {
  const recent = beginWith(list([order(3, at(30)), order(1, at(10))], 9));
  expect(idsOf(newOnPage(recent, [order(3, at(30)), order(2, at(20)), order(1, at(10))]))).toEqual([2]);
});

test('an order as old as the last one on the first page is not new', () => {
  const recent = beginWith(list([order(3, at(30)), order(1, at(10))], 9));
  expect(idsOf(newOnPage(recent, [order(3, at(30)), order(1, at(10)), order(9, at(10))]))).toEqual([]);
});

test('if the first page has all orders, any other order is new, however old', () => {
  const recent = beginWith(list([order(3, at(30))]));
  expect(idsOf(newOnPage(recent, [order(3, at(30)), order(1, at(-900))]))).toEqual([1]);
});

test('uses the position in the list if dates cannot be read [U-24]', () => {
  const recent = beginWith(list([order(2, null), order(1, null)], 9));
  expect(idsOf(newOnPage(recent, [order(3, null), order(2, null), order(1, null), order(0, null)]))).toEqual([3]);
});

test('an order with an older date listed above the others is new [U-63]', () => {
  const recent = beginWith(list([order(2, at(20)), order(1, at(10))], 9));
  expect(idsOf(newOnPage(recent, [order(3, at(-900)), order(2, at(20))]))).toEqual([3]);
});

test('keeps the newest hundred orders, and all created in the same second', () => {
  const recent = beginWith(list([]));
  for (let id = 1; id <= 300; id++) addSeen(recent, order(id, at(id)));
  trimSeen(recent);
  expect(recent.seen.size).toBe(100);
  expect(isStillNew(recent, order(200, at(200)))).toBe(false);
  expect(isStillNew(recent, order(900, at(201)))).toBe(true);
  for (let id = 1_000; id <= 1_500; id++) addSeen(recent, order(id, at(900)));
  trimSeen(recent);
  expect(recent.seen.size).toBe(501);
});
