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
