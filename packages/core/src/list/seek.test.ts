import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { compareOrderNumbers } from '../model/order-number.ts';
import { type ReadWindow, type SeekTarget, seek } from './seek.ts';
import { createSeenOrders, type IsInOrder } from './seen-orders.ts';

/** An order created at a second since the year 2020. */
const order = (id: number, second: number, number: string): OrderSummary => ({
  id,
  bestellnummer: number,
  status: 'bezahlt',
  zahlungsstatus: 'bezahlt',
  gesamtpreis_brutto: '1.00',
  waehrung: 'EUR',
  created_at: new Date(Date.UTC(2020, 0, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' '),
  lieferstatus: 'offen',
});

/** A list, passed oldest first, to which `arrivals` orders are added before each answer. */
const growingList = (orders: readonly OrderSummary[], arrivals = 0) => {
  const all = [...orders];
  let requests = 0;
  return {
    requests: () => requests,
    async read({ page, perPage }: { page: number; perPage: number }): Promise<OrderList> {
      requests += 1;
      for (let n = 0; n < arrivals; n++) {
        all.push({ ...order(1_000_000 + all.length, 0, `B-2099-${all.length}`), created_at: '2099-01-01 00:00:00' });
      }
      const from = (page - 1) * perPage;
      const pages = Math.ceil(all.length / perPage);
      return {
        orders: all.toReversed().slice(from, from + perPage),
        pagination: { page, per_page: perPage, total: all.length, pages },
      };
    },
  };
};

interface Place extends SeekTarget {
  isInOrder: IsInOrder;
}

const byDate = (before: string): Place => ({
  side: ({ created_at }) => (created_at >= before ? 1 : -1),
  isInOrder: (above, below) => above.created_at >= below.created_at,
  scale: {
    of: ({ created_at }) => Date.parse(`${created_at}Z`),
    at: Date.parse(`${before}Z`),
    steady: 9 * 3_600_000,
  },
});
const byNumber = (wanted: string): Place => ({
  side: ({ bestellnummer }) => compareOrderNumbers(bestellnummer, wanted),
  isInOrder: (above, below) => compareOrderNumbers(above.bestellnummer, below.bestellnummer) === 1,
});
const search = (read: ReadWindow, place: Place) => seek(createSeenOrders(place.isInOrder), place, { read });

const maxRequests = (orders: number): number => Math.ceil(Math.log2(Math.max(1, orders / 50))) + 2;

/** Orders with busy and empty days, and a number sequence with gaps that restarts each year. */
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
    let year = 2020;
    let sequence = 0;
    for (let round = 0; round < repeat; round++) {
      for (const [scale, pause, gap] of steps) {
        second += pause * 10 ** scale;
        const now = new Date(Date.UTC(2020, 0, 1) + second * 1000).getUTCFullYear();
        sequence = now === year ? sequence + gap : 1;
        year = now;
        orders.push(order(orders.length + 1, second, `B-${year}-${String(sequence).padStart(6, '0')}`));
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
      expect(result).toMatchObject({ isComplete: true });
    }),
  );
});

test('finds the two orders a date lies between, in at most ⌈log2 pages⌉ + 2 requests', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), fc.integer({ min: -1, max: 1 }), async ({ orders, arrivals }, place, off) => {
      const { created_at } = orders[place % orders.length] as OrderSummary;
      const before = new Date(Date.parse(`${created_at}Z`) + off * 1000).toISOString().slice(0, 19).replace('T', ' ');
      const list = growingList(orders, arrivals);
      const result = await search(list.read, byDate(before));
      const older = orders.filter((order) => order.created_at < before);
      expect(result?.below?.order.id).toBe(older.at(-1)?.id);
      if (result?.above) expect(result.above.rank).toBe(older.length + 1);
      expect(list.requests()).toBeLessThanOrEqual(maxRequests(orders.length + arrivals));
    }),
  );
});

test('an unused number lies between the two next to it', async () => {
  const orders = Array.from({ length: 1_000 }, (_, n) => order(n + 1, n, `B-2020-${n * 2}`));
  const result = await search(growingList(orders).read, byNumber('B-2020-601'));
  expect(result).toMatchObject({
    hit: undefined,
    above: { order: { bestellnummer: 'B-2020-602' } },
    below: { order: { bestellnummer: 'B-2020-600' } },
  });
});

test('checks pages that were already read first', async () => {
  const orders = Array.from({ length: 10_000 }, (_, n) => order(n + 1, n, `B-2020-${n}`));
  const list = growingList(orders);
  const seen = createSeenOrders(byNumber('').isInOrder);
  await seek(seen, byNumber('B-2020-4321'), list);
  const requests = list.requests();
  const again = await seek(seen, byNumber('B-2020-4320'), list);
  expect(again?.hit?.id).toBe(4321);
  expect(list.requests() - requests).toBeLessThanOrEqual(1);
});

test.each([
  [
    'an order of another kind of number',
    (orders: OrderSummary[]) => orders.map((one) => ({ ...one, bestellnummer: `${one.id % 2 ? 'A' : 'B'}-${one.id}` })),
  ],
  [
    'numbers in no order',
    (orders: OrderSummary[]) => orders.map((one) => ({ ...one, bestellnummer: `B-${(one.id * 7919) % 1009}` })),
  ],
])('does not search a list with %s', async (_, change) => {
  const orders = change(Array.from({ length: 1_000 }, (_, n) => order(n + 1, n, '')));
  const result = await search(growingList(orders).read, byNumber('B-500'));
  expect(result?.hit?.bestellnummer ?? 'B-500').toBe('B-500');
  if (!result?.hit) expect(result).toBeUndefined();
});

test('does not search if the service returns another page or size, or no total', async () => {
  const orders = Array.from({ length: 1_000 }, (_, n) => order(n + 1, n, `B-${n}`));
  const { read } = growingList(orders);
  const changed =
    (change: Partial<OrderList['pagination']>): ReadWindow =>
    async (window) => {
      const list = await read(window);
      return { ...list, pagination: { ...list.pagination, ...change } };
    };
  expect(await search(changed({ page: 3 }), byNumber('B-5'))).toBeUndefined();
  expect(await search(changed({ total: undefined as unknown as number }), byNumber('B-5'))).toBeUndefined();
  expect(await search(({ page }) => read({ page, perPage: 20 }), byNumber('B-5'))).toBeUndefined();
});

test('abandons a list whose ranks change, instead of requesting forever', async () => {
  const orders = Array.from({ length: 10_000 }, (_, n) => order(n + 1, n, `B-${n}`)).reverse();
  let requests = 0;
  const read: ReadWindow = async ({ page, perPage }) => {
    requests += 1;
    if (requests > 100) throw new Error('asked for ever');
    // The newer half of the list leaves after the first answer.
    const rows = requests === 1 ? orders : orders.slice(5_000);
    const from = (page - 1) * perPage;
    const total = rows.length;
    return {
      orders: rows.slice(from, from + perPage),
      pagination: { page, per_page: perPage, total, pages: Math.ceil(total / perPage) },
    };
  };
  expect(await search(read, byNumber('B-6000'))).toBeUndefined();
  expect(requests).toBeLessThanOrEqual(maxRequests(10_000) + 4);
});
