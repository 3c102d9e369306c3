import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { compareOrderNumbers } from '../model/order-number.ts';
import { at, listOf, orderOf } from './moving-list.fixture.ts';
import { placeIn, type Seen, seek, type Target } from './search.ts';
import type { Slice } from './slice.ts';

type ReadSlice = (slice: Slice) => Promise<OrderList>;

/** A list of 50 orders a page, passed oldest first, to which `arrivals` orders are added before each response. */
const growingList = (orders: readonly OrderSummary[], arrivals = 0) => {
  const all = [...orders];
  let requests = 0;
  const read: ReadSlice = async (slice) => {
    requests += 1;
    for (let n = 0; n < arrivals; n++) {
      all.push(orderOf(1_000_000 + all.length, 1e10, { bestellnummer: `B-2399-${all.length}` }));
    }
    return listOf(all.toReversed(), slice);
  };
  return { read, requests: () => requests };
};
/** Orders with the numbers B-0, B-1 and so on, and `step` seconds between them. */
const numbered = (count: number, step = 1): OrderSummary[] =>
  Array.from({ length: count }, (_, n) => orderOf(n + 1, n * step, { bestellnummer: `B-${n}` }));

const byNumber = (wanted: string): Target => ({
  side: ({ bestellnummer }) => compareOrderNumbers(bestellnummer, wanted),
  isInOrder: (above, below) => compareOrderNumbers(above.bestellnummer, below.bestellnummer) === 1,
});
const byDate = (before: string): Target => ({
  side: ({ created_at }) => (created_at >= before ? 1 : -1),
  isInOrder: (above, below) => above.created_at >= below.created_at,
});
/** Searches until it finds an order at the target, or the two orders next to the target. */
const search = async (read: ReadSlice, target: Target) => {
  const seen: Seen = { pages: [], total: undefined };
  let hit: OrderSummary | undefined;
  const isSorted = await seek(seen, target, {
    async read(slice) {
      const list = await read(slice);
      hit ??= list.orders.find((one) => target.side(one) === 0);
      return list;
    },
    isFound: () => hit !== undefined,
  });
  return isSorted || hit ? { ...placeIn(seen, target), hit } : undefined;
};

const maxRequests = (orders: number): number => Math.ceil(Math.log2(Math.max(1, orders / 50))) + 2;

/** Orders on busy and quiet days, with numbers that have gaps and restart each year. */
const histories = fc
  .record({
    steps: fc.array(fc.tuple(fc.nat(3), fc.nat(5_000), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 40,
    }),
    repeat: fc.integer({ min: 1, max: 60 }),
    arrivals: fc.nat(1),
  })
  .map(({ steps, repeat, arrivals }) => {
    const orders: OrderSummary[] = [];
    let second = 0;
    let year = 2026;
    let sequence = 0;
    for (let round = 0; round < repeat; round++) {
      for (const [scale, pause, gap] of steps) {
        second += pause * 10 ** scale;
        const now = at(second).getUTCFullYear();
        sequence = now === year ? sequence + gap : 1;
        year = now;
        const bestellnummer = `B-${year}-${String(sequence).padStart(6, '0')}`;
        orders.push(orderOf(orders.length + 1, second, { bestellnummer }));
      }
    }
    return { orders, arrivals };
  });

test('finds every order by its number, in at most ⌈log2 pages⌉ + 2 requests', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async ({ orders, arrivals }, place) => {
      const wanted = orders[place % orders.length] as OrderSummary;
      const list = growingList(orders, arrivals);
      const result = await search(list.read, byNumber(wanted.bestellnummer));
      expect(result?.hit?.id).toBe(wanted.id);
      expect(list.requests()).toBeLessThanOrEqual(maxRequests(orders.length + arrivals));
    }),
  );
});

test('finds the two orders between which a date lies, in at most ⌈log2 pages⌉ + 2 requests', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), fc.integer({ min: -1, max: 1 }), async ({ orders, arrivals }, place, off) => {
      const { created_at } = orders[place % orders.length] as OrderSummary;
      const before = new Date(Date.parse(`${created_at}Z`) + off * 1000).toISOString().slice(0, 19).replace('T', ' ');
      const list = growingList(orders, arrivals);
      const result = await search(list.read, byDate(before));
      const older = orders.filter((order) => order.created_at < before);
      expect(result?.older?.id).toBe(older.at(-1)?.id);
      if (result?.newer && !arrivals) expect(result.newer.id).toBe((older.at(-1)?.id ?? 0) + 1);
      expect(result).toHaveProperty('next', undefined);
      expect(list.requests()).toBeLessThanOrEqual(maxRequests(orders.length + arrivals));
    }),
  );
});

test.each([
  ['numbers in two formats', (id: number) => `${id % 2 ? 'A' : 'B'}-${id}`],
  ['unsorted numbers', (id: number) => `B-${(id * 7919) % 1009}`],
])('never finds a wrong order in a list with %s', async (_, numberOf) => {
  const orders = Array.from({ length: 1_000 }, (_, n) => orderOf(n + 1, n, { bestellnummer: numberOf(n + 1) }));
  const result = await search(growingList(orders).read, byNumber('B-500'));
  if (result) expect(result.hit?.bestellnummer).toBe('B-500');
});

test('does not search if the API returns a different page or page size, or no `total`', async () => {
  const { read } = growingList(numbered(1_000));
  const changed =
    (change: Partial<OrderList['pagination']>): ReadSlice =>
    async (slice) => {
      const list = await read(slice);
      return { ...list, pagination: { ...list.pagination, ...change } };
    };
  expect(await search(changed({ page: 3 }), byNumber('B-5'))).toBeUndefined();
  expect(await search(changed({ total: undefined as unknown as number }), byNumber('B-5'))).toBeUndefined();
  expect(await search(({ page }) => read({ page, perPage: 20 }), byNumber('B-5'))).toBeUndefined();
});

test('ends after a few requests in a list that keeps changing', async () => {
  const orders = numbered(10_000).reverse();
  let requests = 0;
  const read: ReadSlice = async (slice) => {
    requests += 1;
    if (requests > 100) throw new Error('The search does not end.');
    // A fifth of the remaining list is removed after each response.
    return listOf(orders.slice(Math.floor(10_000 * (1 - 0.8 ** requests))), slice);
  };
  await search(read, byNumber('B-6000'));
  expect(requests).toBeLessThanOrEqual(maxRequests(10_000) + 4);
});
