import { expect, test } from 'vitest';
import type { OrderSummary } from '../model/order-list.ts';
import { findOrder } from './find-order.ts';
import type { ReadPage } from './walk-progress.ts';

const listOf = (...numbers: unknown[]) => {
  let requests = 0;
  const orders = numbers.map((bestellnummer, n) => ({ id: n + 1, bestellnummer }) as OrderSummary);
  const read: ReadPage = async ({ page }) => {
    requests += 1;
    return { orders, pagination: { page, per_page: 50, total: orders.length, pages: 1 } };
  };
  return { read, requests: () => requests };
};

test('order numbers are compared as text, also where the service or the program has them as numbers', async () => {
  for (const listed of [20260042, '20260042']) {
    for (const wanted of [20260042, '20260042', ' 20260042 ']) {
      const { order } = await findOrder(listOf('B-1', listed).read, wanted as string, {});
      expect(order?.id).toBe(2);
    }
  }
  expect((await findOrder(listOf(null, undefined, {}).read, 'null', {})).order).toBeUndefined();
});

test('what cannot be an order number, or options, is refused before anything is read', async () => {
  const { read, requests } = listOf('B-1');
  for (const wanted of ['', '  ', null, undefined, {}, Number.NaN, 1.5]) {
    await expect(findOrder(read, wanted as string, {})).rejects.toMatchObject({ code: 'bad_request' });
  }
  for (const options of [null, 5]) {
    await expect(findOrder(read, 'B-1', options as never)).rejects.toMatchObject({ code: 'bad_request' });
  }
  expect(requests()).toBe(0);
});

const numbered = (count: number, numberOf: (n: number) => string) => {
  let requests = 0;
  // Newest first.
  const all = Array.from(
    { length: count },
    (_, n) => ({ id: n + 1, bestellnummer: numberOf(n), created_at: String(n) }) as OrderSummary,
  );
  const read: ReadPage = async ({ page, perPage }) => {
    requests += 1;
    const orders = all.slice((page - 1) * perPage, page * perPage);
    return { orders, pagination: { page, per_page: perPage, total: count, pages: Math.ceil(count / perPage) } };
  };
  return { read, requests: () => requests };
};

test('finds an order of a long list by the order of the numbers', async () => {
  const list = numbered(50_000, (n) => `B-${50_000 - n}`);
  const found = await findOrder(list.read, 'B-777', {});
  expect(found).toMatchObject({ order: { bestellnummer: 'B-777' }, requests: list.requests() });
  expect(list.requests()).toBeLessThanOrEqual(12);
});

test('names the orders between which a missing number would stand, and does not say that all were looked at', async () => {
  const list = numbered(5_000, (n) => `B-${(5_000 - n) * 10}`);
  const found = await findOrder(list.read, 'B-12345', {});
  expect(found).toMatchObject({
    order: undefined,
    between: { above: { bestellnummer: 'B-12350' }, below: { bestellnummer: 'B-12340' } },
    total: 5_000,
    nextPage: 2,
  });
});

test('looks page by page where the numbers are in no order, and never spends more than `maxRequests`', async () => {
  const numberOf = (n: number) => `B-${(n * 7919) % 5_003}`;
  const near = numbered(5_000, numberOf);
  expect(await findOrder(near.read, numberOf(260), {})).toMatchObject({ order: { id: 261 } });
  expect(near.requests()).toBeLessThanOrEqual(14);
  const far = numbered(5_000, numberOf);
  const missed = await findOrder(far.read, numberOf(4_900), {});
  expect(missed).toMatchObject({ order: undefined, requests: 14 });
  expect(missed.between).toBeUndefined();
  expect(missed.nextPage).toBeGreaterThan(1);
  expect(far.requests()).toBe(14);
});

test('knows of a short list that a number is not in it', async () => {
  const list = numbered(200, (n) => `B-${1_000 - n}`);
  expect(await findOrder(list.read, 'B-5', {})).toMatchObject({ order: undefined, searched: 200, nextPage: undefined });
  expect(list.requests()).toBe(4);
});
