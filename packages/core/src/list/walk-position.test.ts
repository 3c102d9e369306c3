import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOrderLicenseError, OrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import type { Order, OrderSummary } from '../model/order.ts';
import { anyMovingList, createMovingList, type MovingListOptions } from './moving-list.fixture.ts';
import { orderDetails } from './order-details.ts';
import type { OrderWalk } from './walk.ts';
import { walkOrders, walkPages } from './walk.ts';
import type { WalkOptions } from './walk-options.ts';
import type { ReadPage } from './window.ts';

const reject = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'rejected', status });
const down = () => new OrderLicenseError('server', { detail: 'down', status: 500 });
const movingList = (options: MovingListOptions) => createMovingList(options, reject);
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const createdAt = ({ created_at }: OrderSummary): Date => new Date(`${created_at.replace(' ', 'T')}Z`);

/** The three kinds of walk. An entry contains one or more orders. */
const walks: Record<string, (read: ReadPage, options: WalkOptions) => OrderWalk<unknown>> = {
  orders: (read, options) => walkOrders(walkPages(read, options)),
  orderPages: walkPages,
  orderDetails: (readPage, options) =>
    orderDetails(
      {
        readPage,
        readOrder: async (id) => ({ id }) as Order,
        onFailure: () => undefined,
        checkDeadline: () => undefined,
      },
      options,
    ),
};
const ordersOf = (entry: unknown): OrderSummary[] => {
  const { orders, summary } = entry as { orders?: OrderSummary[]; summary?: OrderSummary };
  return orders ?? [summary ?? (entry as OrderSummary)];
};

const throughJson = (position: WalkPosition | undefined): WalkPosition => JSON.parse(JSON.stringify(position));

const movement = anyMovingList({ maxChanges: 100, hideEvery: [0, 0, 7, 60] });
const filters = fc.record({
  status: fc.constantFrom(undefined, 'bezahlt' as const, ['bezahlt', 'storniert'] as const),
  range: fc.option(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { nil: undefined }),
});
/**
 * `error`: a request fails after `after` requests. `end`: the program ends after `after` entries. Then another walk
 * continues.
 */
const breaks = fc.array(
  fc.record({ how: fc.constantFrom('error' as const, 'end' as const), after: fc.integer({ min: 1, max: 60 }) }),
  { maxLength: 6 },
);

test.each(Object.entries(walks))(
  'a `%s` walk resumed from a stored position skips no order and returns none twice, however the list changes [U-09 U-10]',
  async (_, startWalk) => {
    await fc.assert(
      fc.asyncProperty(movement, filters, breaks, async (options, { status, range }, stops) => {
        const list = movingList(options);
        const [from, before] = range?.toSorted((a, b) => a - b) ?? [];
        const dates =
          from === undefined || before === undefined ? {} : { createdFrom: at(from), createdBefore: at(before) };
        const given: OrderSummary[] = [];
        const left = [...stops];
        let position: WalkPosition | undefined;
        for (let isDone = false; !isDone; ) {
          const stop = left.shift();
          let requests = 0;
          const read: ReadPage = async (query) => {
            requests += 1;
            if (stop?.how === 'error' && requests > stop.after) throw down();
            return list.read(query);
          };
          const walk = startWalk(read, position ? { position } : { status, ...dates });
          const store = (here: WalkPosition | undefined): void => {
            expect(here).toBeDefined();
            position = throughJson(here);
          };
          let entries = 0;
          try {
            isDone = true;
            for await (const entry of walk) {
              given.push(...ordersOf(entry));
              entries += 1;
              if (stop?.how !== 'end' || entries < stop.after) continue;
              isDone = false;
              store(walk.position);
              break;
            }
          } catch (error) {
            if (!isOrderLicenseError(error) || error.code !== 'server') throw error;
            expect(error.position).toEqual(walk.position);
            isDone = false;
            store(error.position);
          }
        }
        const ids = given.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const isWanted = (order: OrderSummary) =>
          !dates.createdFrom || (createdAt(order) >= dates.createdFrom && createdAt(order) < dates.createdBefore);
        expect(given.every(isWanted)).toBe(true);
        expect(list.stoodOrders().filter((order) => isWanted(order) && !ids.includes(order.id))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
);

test('resuming costs a search for the position, plus the remaining pages', async () => {
  const list = movingList({ orders: 50_000, changes: [] });
  const walk = walkOrders(walkPages(list.read, {}));
  await walk.toArray({ limit: 30_010 });
  const before = list.requests();
  const rest = walkOrders(walkPages(list.read, { position: throughJson(walk.position) }));
  expect((await rest.toArray({ limit: 500 })).map(({ id }) => id)).toEqual(
    Array.from({ length: 500 }, (_, index) => 19_990 - index),
  );
  expect(list.requests() - before).toBeLessThanOrEqual(12 + 11);
});

test('a walk resumed at its end returns no more orders', async () => {
  const list = movingList({ orders: 120, changes: [] });
  const walk = walkOrders(walkPages(list.read, {}));
  await walk.toArray({ limit: 1_000 });
  expect(
    await walkOrders(walkPages(list.read, { position: throughJson(walk.position) })).toArray({ limit: 9 }),
  ).toEqual([]);
});

test('applies the filters of a position when none are passed, and rejects different ones', async () => {
  const list = movingList({ orders: 300, changes: [] });
  const options: WalkOptions = { status: ['storniert', 'bezahlt'], createdFrom: at(40), createdBefore: at(200) };
  const walk = walkOrders(walkPages(list.read, options));
  const first = await walk.toArray({ limit: 20 });
  const position = throughJson(walk.position);
  const all = await walkOrders(walkPages(list.read, options)).toArray({ limit: 1_000 });
  const rest = await walkOrders(walkPages(list.read, { position, status: ['bezahlt', 'storniert'] })).toArray({
    limit: 1_000,
  });
  expect([...first, ...rest]).toEqual(all);
  for (const others of [{ status: 'bezahlt' as const }, { createdFrom: at(41) }, { createdBefore: at(201) }]) {
    expect(() => walkPages(list.read, { position, ...others })).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        advice: expect.stringContaining('omit `position` to start a new one'),
      }),
    );
  }
});

test('rejects an invalid position before anything is read', () => {
  const list = movingList({ orders: 3, changes: [] });
  const good: WalkPosition = {
    version: 1,
    owner: '',
    status: null,
    createdFrom: null,
    createdBefore: null,
    at: '2026-01-01T00:00:00.000Z',
    ids: [3],
    undatedIds: [],
    gaps: [],
  };
  expect(() => walkPages(list.read, { position: good })).not.toThrow();
  const wrong: unknown[] = [
    null,
    'text',
    JSON.stringify(good),
    [],
    {},
    { ...good, version: 2 },
    { ...good, status: [] },
    { ...good, status: ['paid'] },
    { ...good, createdFrom: '2026-01-01' },
    { ...good, at: undefined },
    { ...good, at: 'soon' },
    { ...good, ids: 3 },
    { ...good, ids: [null] },
    { ...good, undatedIds: [{}] },
    { ...good, gaps: ['none'] },
    { ...good, owner: 7 },
    { ...good, details: { productName: null, skipWithoutCodes: false, setAside: [] } },
  ];
  for (const position of wrong) {
    expect(() => walkPages(list.read, { position: position as WalkPosition })).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    );
  }
  expect(list.requests()).toBe(0);
});

test('a walk over a list that is not sorted by date has no position [U-63]', async () => {
  const list = movingList({ orders: 200, changes: [] });
  const read: ReadPage = async (query) => {
    const response = await list.read(query);
    return { ...response, orders: response.orders.toReversed() };
  };
  const walk = walkOrders(walkPages(read, {}));
  await walk.toArray({ limit: 70 });
  expect(walk.position).toBeUndefined();
  let requests = 0;
  const failing: ReadPage = (query) => {
    requests += 1;
    return requests === 3 ? Promise.reject(down()) : read(query);
  };
  const error = await walkOrders(walkPages(failing, {}))
    .toArray({ limit: 200 })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'server', position: undefined });
});

test('resumes at the top of a list that is no longer sorted, and reports that orders may be missing [U-63]', async () => {
  const list = movingList({ orders: 200, changes: [] });
  const walk = walkOrders(walkPages(list.read, {}));
  const first = await walk.toArray({ limit: 70 });
  const read: ReadPage = async (query) => {
    const response = await list.read(query);
    return { ...response, orders: response.orders.toReversed() };
  };
  const pages = await walkPages(read, { position: throughJson(walk.position) }).toArray({ limit: 100 });
  const rest = pages.flatMap(({ orders }) => orders);
  expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(200);
  expect(pages.at(-1)?.gaps).toEqual(['unsorted']);
});

test('does not mistake many orders arriving during a walk for an unsorted list', async () => {
  const arrivals = Array.from({ length: 70 }, () => ({ kind: 'insert' as const, place: 0 }));
  const list = movingList({ orders: 400, changes: [[], [], [], [], [], arrivals] });
  const walk = walkOrders(walkPages(list.read, {}));
  await walk.toArray({ limit: 70 });
  const pages = await walkPages(list.read, { position: throughJson(walk.position) }).toArray({ limit: 100 });
  expect(pages.flatMap(({ orders }) => orders.map(({ id }) => id))).toEqual(
    Array.from({ length: 330 }, (_, index) => 330 - index),
  );
  expect(pages.at(-1)?.gaps).toBeUndefined();
});

test('a walk returns each order without a date once, even if it is resumed from a stored position [U-24]', async () => {
  const list = movingList({ orders: 300, changes: [] });
  const read: ReadPage = async (query) => {
    const response = await list.read(query);
    const undated = (order: OrderSummary) =>
      order.id % 3 === 0 ? { ...order, created_at: '0000-00-00 00:00:00' } : order;
    return { ...response, orders: response.orders.map(undated) };
  };
  const ids: number[] = [];
  let position: WalkPosition | undefined;
  for (let part = 0; part < 40; part++) {
    const walk = walkOrders(walkPages(read, position ? { position } : {}));
    ids.push(...(await walk.toArray({ limit: 8 })).map(({ id }) => id));
    position = throughJson(walk.position);
  }
  expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => 300 - index));
});

test('a position grows with the number of orders that share a date, and is undefined beyond a limit', async () => {
  const orders = Array.from(
    { length: 5_100 },
    (_, n) =>
      ({
        id: 6_000 - n,
        status: 'bezahlt',
        created_at: n < 5_080 ? '2026-01-02 00:00:00' : '2026-01-01 00:00:00',
      }) as OrderSummary,
  );
  const read: ReadPage = async ({ page, perPage }) => ({
    orders: orders.slice((page - 1) * perPage, page * perPage),
    pagination: { page, per_page: perPage, total: orders.length, pages: Math.ceil(orders.length / perPage) },
  });
  const walk = walkOrders(walkPages(read, {}));
  await walk.toArray({ limit: 5_000 });
  expect(walk.position?.ids).toHaveLength(5_000);
  await walk.toArray({ limit: 10 });
  expect(walk.position).toBeUndefined();
  await walk.toArray({ limit: 90 });
  expect(walk.position?.ids).toHaveLength(20);
});

test('resumes without loss if the API sorts orders of the same date differently each time [U-09]', async () => {
  let turn = 0;
  const orders = Array.from(
    { length: 150 },
    (_, n) =>
      ({ id: 1_000 - n, status: 'bezahlt', created_at: `2026-01-01 00:00:${59 - Math.floor(n / 10)}` }) as OrderSummary,
  );
  const read: ReadPage = async ({ page, perPage }) => {
    turn += 1;
    const shuffled = orders.toSorted(
      (a, b) => b.created_at.localeCompare(a.created_at) || ((a.id * 7919 * turn) % 101) - ((b.id * 7919 * turn) % 101),
    );
    return {
      orders: shuffled.slice((page - 1) * perPage, page * perPage),
      pagination: { page, per_page: perPage, total: orders.length, pages: Math.ceil(orders.length / perPage) },
    };
  };
  const ids: number[] = [];
  let position: WalkPosition | undefined;
  for (let part = 0; part < 22; part++) {
    const walk = walkOrders(walkPages(read, position ? { position } : {}));
    ids.push(...(await walk.toArray({ limit: 7 })).map(({ id }) => id));
    position = throughJson(walk.position);
  }
  expect(ids.toSorted((a, b) => b - a)).toEqual(orders.map(({ id }) => id));
});
