import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine, type MockEngine } from '../engine.ts';
import type { MockOptions } from '../mock-options.ts';
import { isEligible, statuses, sumUp } from './order.ts';
import { createOrderStore } from './orders.ts';
import { createdAtOf, idOf, type OrderSeed, seedOrder, statusOf } from './seed.ts';

const text = (mock: MockEngine, path: string, key = mock.keys.business): string => {
  const rawHeaders = ['Authorization', `Bearer ${key}`, 'Accept', 'application/json'];
  return mock.answer({ method: 'GET', target: `/api/v1${path}`, rawHeaders, secure: false }).response.body as string;
};

const everything = (options: MockOptions): string => {
  const mock = createEngine({ limit: 'off', ...options });
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

test('an order with a small ID gets a unique number', () => {
  const { state } = createEngine();
  const numbers = [1, 5, 10_000].map((id) => state.insertOrder('business', { id }).bestellnummer);
  expect(numbers.map((number) => number.replace(/\d{4}/, 'YYYY'))).toEqual([
    'A-YYYY-000001',
    'A-YYYY-000005',
    'A-YYYY-010000',
  ]);
});

test('order dates never increase with the index, some are equal, and none is after the newest date [S-45 U-09]', () => {
  for (const count of [1, 5, 120, 5000]) {
    const source: OrderSeed = { seed: 3, account: 1, count };
    let equal = 0;
    let last = Date.UTC(2026, 5, 30, 18);
    for (let index = 0; index < count; index++) {
      const date = createdAtOf(source, index);
      expect(date % 1000).toBe(0);
      expect(date).toBeLessThanOrEqual(last);
      if (date === last) equal++;
      last = date;
    }
    if (count >= 120) expect(equal).toBeGreaterThan(count / 10);
    expect(last).toBeGreaterThan(Date.UTC(2021, 0, 1));
  }
});

test('IDs have gaps and differ between accounts [S-18 S-62]', () => {
  const ids = new Set<number>();
  for (const account of [0, 1, 2, 3]) {
    const source: OrderSeed = { seed: 9, account, count: 1000 };
    for (let running = 0; running < 1000; running++) ids.add(idOf(source, running));
  }
  expect(ids.size).toBe(4000);
  expect(Math.min(...ids)).toBeGreaterThanOrEqual(10_001);
});

test('seeded statuses match the orders, and all four are common [S-19]', () => {
  const source: OrderSeed = { seed: 4, account: 0, count: 2000 };
  const found = new Map<string, number>();
  for (let index = 0; index < source.count; index++) {
    const order = seedOrder(source, index);
    expect(order.status).toBe(statusOf(source, index));
    found.set(order.status, (found.get(order.status) ?? 0) + 1);
    if (isEligible(order.status)) expect(order.lines.length).toBeGreaterThan(0);
  }
  for (const status of statuses) expect(found.get(status)).toBeGreaterThan(100);
});

test('the amount and code count of a summary match its lines [S-18 S-20]', () => {
  const source = fc.record({
    seed: fc.nat(2 ** 31 - 1),
    account: fc.nat(3),
    count: fc.integer({ min: 1, max: 100_000 }),
  });
  fc.assert(
    fc.property(source, fc.nat(), (source, dice) => {
      for (const index of [dice % source.count, dice % Math.min(source.count, 20)]) {
        const { lines, ...summary } = seedOrder(source, index);
        const { totalCents, plannedCodes } = sumUp(lines);
        expect([summary.totalCents, summary.plannedCodes]).toEqual([totalCents, plannedCodes]);
      }
    }),
    { numRuns: 300 },
  );
});

test('reading 100000 orders by page, filter or ID uses constant memory [U-60]', () => {
  const before = process.memoryUsage();
  const mock = createEngine({ orders: 100_000, limit: 'off' });
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
  expect(grown / 1e6).toBeLessThan(150); // storing order objects would need far more
});

test('lists stay correct after insertions and changes [U-10]', () => {
  const store = createOrderStore({ seed: 1, account: 0, count: 50 });
  const middle = store.page(25, 1)[0];
  const id = store.freeId(store.has);
  store.insert({ id, status: 'bezahlt', createdAt: middle?.createdAt ?? 0, given: { list: {}, detail: {} } });
  expect(store.find(id)).toMatchObject({ id, status: 'bezahlt' });
  const ranked = store.page(0, 51);
  expect(ranked.map((order) => order.createdAt)).toEqual(
    ranked.map((order) => order.createdAt).toSorted((a, b) => b - a),
  );
  expect(ranked.findIndex((order) => order.id === id)).toBe(25); // highest ID among equal dates
  store.change(id, { list: {}, detail: {}, setStatus: 'ausstehend' });
  expect(store.page(0, 60, 'ausstehend').map((order) => order.id)).toContain(id);
  expect(store.count()).toBe(51);
  store.remove(id);
  expect([store.count(), store.find(id)]).toEqual([50, undefined]);
});
