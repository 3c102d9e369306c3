import { expect, test } from 'vitest';
import { isOrderLicenseError, OrderLicenseError } from '../base/errors.ts';
import type { Order } from '../model/order.ts';
import { createOrderFinder } from './find-order.ts';
import { createMovingList, type MovingListOptions } from './moving-list.fixture.ts';
import { orderDetails } from './order-details.ts';
import { totals } from './totals.ts';
import { walkPages } from './walk.ts';

const refuse = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'refused', status });
const movingList = (options: MovingListOptions) => createMovingList(options, refuse);
const random = (seed: number) => {
  let state = seed * 2_654_435_761;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
};

test.each(['bezahlt', undefined] as const)(
  'totals of a list with ties in random order are right or not complete (%s)',
  async (status) => {
    let wrong = 0;
    for (let n = 1; n <= 200; n++) {
      const list = movingList({ orders: 200 + n, changes: [], sameTimes: true, shufflesTies: true });
      const sums = await totals(list.read, { status });
      const right = status ? list.stood().length : list.listed().length;
      if (sums.complete && sums.orders !== right) wrong += 1;
    }
    expect(wrong).toBe(0);
  },
);

test('a walk loses no order when others are removed, and totals say that they are not complete', async () => {
  let [lost, said] = [0, 0];
  for (let n = 1; n <= 200; n++) {
    const below = random(n);
    const changes = Array.from({ length: 12 }, () =>
      below(3) ? [] : [{ kind: 'remove' as const, place: below(400), count: 1 + below(3) }],
    );
    const list = movingList({ orders: 400, changes });
    const ids = new Set<number>();
    for await (const page of walkPages(list.read, {})) for (const { id } of page.orders) ids.add(id);
    if (list.listed().some((id) => !ids.has(id))) lost += 1;
    const other = movingList({ orders: 400, changes });
    const sums = await totals(other.read, {});
    if (sums.complete && sums.orders !== other.listed().length) said += 1;
  }
  expect([lost, said]).toEqual([0, 0]);
});

test('a listed order is not `not_found` when others are removed while the list is read', async () => {
  for (let n = 1; n <= 100; n++) {
    const below = random(n);
    const changes = Array.from({ length: 4 }, () => [{ kind: 'remove' as const, place: 100 + below(90) }]);
    const list = movingList({ orders: 190, changes });
    const wanted = 1 + below(95);
    const finder = createOrderFinder(() => ({ read: list.read, waitForTurn: (turn) => turn }));
    const outcome = await finder.find(`B-${wanted}`).catch((error: unknown) => error);
    if (isOrderLicenseError(outcome)) expect(outcome.code).not.toBe('not_found');
  }
});

const still = (numbers: string[], pagination: object = {}) => {
  const all = numbers.map((bestellnummer, n) => ({ id: n + 1, bestellnummer, created_at: `2026-01-01 00:00:00` }));
  return createOrderFinder(() => ({
    waitForTurn: (turn) => turn,
    read: async ({ page, perPage }) => ({
      orders: all.slice((page - 1) * perPage, page * perPage) as never,
      pagination: { page, per_page: perPage, total: all.length, pages: Math.ceil(all.length / perPage), ...pagination },
    }),
  }));
};

test('a `total` that disagrees with `pages` does not prove that a number is missing', async () => {
  const numbers = Array.from({ length: 300 }, (_, n) => `X ${(n * 7) % 311}`);
  expect(
    await still(numbers, { total: 50 })
      .find(numbers[280] ?? '')
      .catch((error: unknown) => error),
  ).toMatchObject({ summary: { id: 281 } });
});

test('one number out of sequence on page 1 does not hide older orders, and case is ignored', async () => {
  const numbers = Array.from({ length: 5_000 }, (_, n) => `B-${10_000 - n}`);
  numbers[7] = 'B-17';
  expect(
    await still(numbers)
      .find('b-6000')
      .catch((error: unknown) => error),
  ).toMatchObject({ summary: { id: 4_001 } });
});

const reads = (list: ReturnType<typeof movingList>, readOrder: (id: number) => Promise<Order>) => ({
  readPage: list.read,
  readOrder,
  onFailure: () => undefined,
  checkDeadline: () => undefined,
});

test('a resumed walk over details keeps its product', async () => {
  const list = movingList({ orders: 30, changes: [] });
  const readOrder = async (id: number) => ({ id, items: [{ product_name: id % 2 ? 'A' : 'B' }] }) as unknown as Order;
  const walk = orderDetails(reads(list, readOrder), { productName: 'A' });
  await walk.toArray({ limit: 3 });
  const rest = await orderDetails(reads(list, readOrder), {
    position: JSON.parse(JSON.stringify(walk.position)),
  }).toArray({ limit: 99 });
  expect(rest.every(({ summary }) => summary.id % 2 === 1)).toBe(true);
});

test('an outage turns no order into an entry with an error', async () => {
  const list = movingList({ orders: 60, changes: [] });
  let isDown = false;
  let count = 0;
  const readOrder = async (id: number) => {
    count += 1;
    isDown = count > 20 && count < 36;
    if (isDown) throw new OrderLicenseError('server', { detail: 'down', status: 503 });
    return { id, items: [] } as unknown as Order;
  };
  const given: number[] = [];
  let position: never | undefined;
  for (let run = 0; run < 40; run++) {
    const walk = orderDetails(reads(list, readOrder), position ? { position } : {});
    try {
      for await (const { summary, order } of walk) if (order) given.push(summary.id);
      break;
    } catch {
      position = JSON.parse(JSON.stringify(walk.position));
    }
  }
  expect(given.toSorted((a, b) => a - b)).toEqual(list.listed());
});
