import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order.ts';
import { createMovingList, listRuns, type MovingListOptions } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';
import type { WalkOptions } from './walk.ts';
import { type OrderPage, walkOrders, walkPages } from './walk.ts';

const status = 'bezahlt' as const;

const failure = (status: number) => new OrderLicenseError('invalid_response', { detail: 'rejected', status });

const stillList = (options: Omit<MovingListOptions, 'changes'>) =>
  createMovingList(
    { ...options, changes: [] },
    (status) => new OrderLicenseError('server', { detail: 'rejected', status }),
  );

const walked = async (read: ReadPage, options: WalkOptions = { status }) => {
  const pages: OrderPage[] = [];
  for await (const page of walkPages(read, options)) pages.push(page);
  const ids = pages.flatMap(({ orders }) => orders.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  return { ids, last: pages.at(-1) };
};

test('a filtered walk continues after a page that is short because a row is omitted [S-53 U-10]', async () => {
  // 100 orders match the filter; the second newest is counted but never returned.
  const list = stillList({ orders: 150, hideEvery: 149 });
  const { ids, last } = await walked(list.read);
  expect(ids).toHaveLength(99);
  expect(last?.gaps).toEqual(['unseen']);
});

test('a response that skips orders does not end a walk with `createdFrom` [U-10 U-63]', async () => {
  const leaving = Array.from({ length: 45 }, (_, n) => ({ kind: 'leave' as const, place: 199 - n }));
  const list = createMovingList({ orders: 300, changes: [leaving] }, () => new Error('past the end'));
  // 80 of the 200 filtered orders are in range. The newest 45 leave the filter after the first page, so the second page
  // begins with the 95th order.
  const createdFrom = new Date(Date.UTC(2026, 0, 1) + 180_000);
  expect((await walked(list.read, { status, createdFrom })).ids).toHaveLength(80);
});

test('a filtered walk throws after a few requests if pages within `total` return 404 [U-05]', async () => {
  const list = stillList({ orders: 600, brokenFrom: 200 });
  await expect(walked(list.read)).rejects.toMatchObject({ status: 404 });
  expect(list.requests()).toBeLessThan(50);
});

test('reads the whole list of an API that accepts only some page sizes [U-02]', async () => {
  const list = stillList({ orders: 600, sizes: [10, 20, 50] });
  const { ids, last } = await walked(list.read);
  expect(ids).toHaveLength(400);
  // At most one request for the first page, seven for rejected windows and repeated reads of page 1, and twelve for the
  // whole list.
  expect(last?.requests).toBeLessThanOrEqual(1 + 7 + 12);
  expect(last?.requests).toBe(list.requests());
});

test('a filtered walk throws after a few requests if the API starts to reject every request with 400', async () => {
  const list = stillList({ orders: 3_000 });
  let calls = 0;
  const read: ReadPage = async (query) => {
    calls += 1;
    if (calls > 20) throw failure(400);
    return list.read(query);
  };
  await expect(walked(read)).rejects.toMatchObject({ status: 400 });
  expect(calls).toBeLessThan(30);
});

test.each([undefined, status])(
  'a walk ends with a gap if a cache returns page 1 for every page, in few requests (status: %s) [U-05]',
  async (status) => {
    const list = stillList({ orders: 480 });
    const { ids, last } = await walked((query) => list.read({ ...query, page: 1, perPage: 50 }), { status });
    expect(ids).toHaveLength(50);
    expect(last?.gaps).toEqual(['unseen']);
    expect(list.requests()).toBeLessThanOrEqual(25);
  },
);

test('slices that never overlap do not stop a filtered walk [U-02]', async () => {
  // In this API, the requested size sets the length of a page, but not its position.
  const all = Array.from({ length: 400 }, (_, n) => ({ id: 400 - n, status }) as OrderSummary);
  let requests = 0;
  const read: ReadPage = async ({ page, perPage }) => {
    requests += 1;
    const start = (page - 1) * 50;
    return {
      orders: all.slice(start, start + perPage),
      pagination: { page, per_page: perPage, total: 400, pages: Math.ceil(400 / perPage) },
    };
  };
  expect((await walked(read)).ids).toHaveLength(400);
  expect(requests).toBeLessThan(30);
});

test('does not assume the requested page size if the API reports a different one [U-02]', async () => {
  // This API uses the requested size to count and fill pages, but positions them by the size that it reports.
  const all = Array.from({ length: 98 }, (_, n) => ({ id: 98 - n, status }) as OrderSummary);
  const read: ReadPage = async ({ page, perPage, status }) => {
    const start = (page - 1) * (status ? 20 : perPage);
    return {
      orders: all.slice(start, start + perPage),
      pagination: { page, per_page: status ? 20 : perPage, total: 98, pages: Math.ceil(98 / perPage) },
    };
  };
  expect((await walked(read)).ids).toHaveLength(98);
});

/** 1,000 of 10,000 orders match: 20 pages with the filter, 200 without. */
const fewOfMany = { orders: 10_000, oneMatchIn: 10 };
/** The newest `count` orders leave the filter. The walk has read about 900 orders when it requests the 20th window. */
const newestLeave = (count: number) => ({ kind: 'leave' as const, place: 1_000 - count, count });

/** Fails if the whole list is read. */
const filteredOnly =
  (read: ReadPage): ReadPage =>
  async (query) => {
    if (query.status === undefined) throw new Error('The whole list is read.');
    return read(query);
  };

test.each(
  [49, 50, 100, 300, 700, 850].flatMap((count) =>
    (['empty', 'error', 'last page'] as const).map((pastEnd) => [count, pastEnd] as const),
  ),
)(
  'needs at most 60 requests if %i of 1,000 orders leave the filter at once (page past the end: %s) [U-10]',
  async (count, pastEnd) => {
    for (const at of [2, 10, 18]) {
      const leaving = [...Array<[]>(at), [newestLeave(count)]];
      const options = { ...fewOfMany, changes: leaving, pastEnd };
      const list = createMovingList(
        options,
        (status) => new OrderLicenseError('invalid_response', { detail: 'rejected', status }),
      );
      const { ids } = await walked(filteredOnly(list.read));
      expect(list.stood().filter((id) => !ids.includes(id))).toEqual([]);
      expect(list.requests()).toBeLessThanOrEqual(60);
    }
  },
);

test('a filtered walk never reads the whole list, even if many orders leave the filter repeatedly [U-10]', async () => {
  const leave = fc.record({
    kind: fc.constant('leave' as const),
    place: fc.nat(100_000),
    count: fc.integer({ min: 49, max: 400 }),
  });
  const pauses = fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constant<never[]>([]) }, { weight: 1, arbitrary: leave.map((one) => [one]) }),
    { maxLength: 60 },
  );
  const pastEnds = fc.constantFrom('empty' as const, 'error' as const, 'last page' as const);
  await fc.assert(
    fc.asyncProperty(pauses, pastEnds, async (changes, pastEnd) => {
      const options = { orders: 3_000, oneMatchIn: 3, changes, pastEnd };
      const list = createMovingList(
        options,
        (status) => new OrderLicenseError('invalid_response', { detail: 'rejected', status }),
      );
      const { ids } = await walked(filteredOnly(list.read));
      expect(list.stood().filter((id) => !ids.includes(id))).toEqual([]);
      expect(list.requests()).toBeLessThanOrEqual(60);
    }),
    listRuns,
  );
});

test('a filtered walk does not read the whole list if a page is short because orders left the filter [U-10]', async () => {
  for (const at of [2, 10, 18]) {
    const changes = [...Array<[]>(at), [newestLeave(100)]];
    const list = createMovingList({ ...fewOfMany, changes, countsBefore: true }, () => new Error('past the end'));
    const { ids } = await walked(filteredOnly(list.read));
    expect(list.stood().filter((id) => !ids.includes(id))).toEqual([]);
    expect(list.requests()).toBeLessThanOrEqual(60);
  }
});

test('rereads page 1 if it is short because orders left the filter [U-10]', async () => {
  // Orders leave the filter after six of the first seven requests. This forces the walk back to page 1, where 142 of
  // 191 orders leave.
  const leave = (place: number, count: number) => [{ kind: 'leave' as const, place, count }];
  const changes = [leave(0, 74), leave(0, 395), leave(207, 186), [], leave(105, 154), leave(0, 142)];
  const options = { orders: 3_000, oneMatchIn: 3, changes, countsBefore: true };
  const list = createMovingList(options, () => new Error('past the end'));
  const { ids } = await walked(filteredOnly(list.read));
  expect(list.stood().filter((id) => !ids.includes(id))).toEqual([]);
});

test('if many orders arrive during a filtered walk, it continues below them without reading the whole list', async () => {
  const inserts = Array.from({ length: 400 }, () => ({ kind: 'insert' as const, place: 0 }));
  const list = createMovingList(
    { ...fewOfMany, changes: [...Array<[]>(10), inserts] },
    () => new Error('past the end'),
  );
  const { ids } = await walked(filteredOnly(list.read));
  expect(ids).toHaveLength(1_000);
});

const order = (id: number, day = 20): OrderSummary =>
  ({ id, status: 'bezahlt', created_at: `2026-03-${day} 12:00:00` }) as OrderSummary;

const response = (orders: OrderSummary[], page: number, pages: number) => ({
  orders,
  pagination: { page, per_page: 50, total: pages * 50, pages },
});

test('a page that repeats newer orders does not end a walk with `createdFrom` [U-63]', async () => {
  const newer = Array.from({ length: 149 }, (_, n) => order(1_000 - n));
  const older = order(5, 10);
  const pages = [newer.slice(0, 50), [...newer.slice(1, 50), older], newer.slice(50, 100), newer.slice(100)];
  const read: ReadPage = async ({ page }) => response(pages[page - 1] ?? [], page, pages.length);
  const createdFrom = new Date('2026-03-15T00:00:00Z');
  const given = await walkOrders(walkPages(read, { createdFrom, limit: 1_000 })).toArray({ limit: 1_000 });
  expect(given).toHaveLength(149);
});

test('only a full page of older orders ends a walk with `createdFrom`, even with a small limit [U-63]', async () => {
  const all = Array.from({ length: 60 }, (_, n) => order(60 - n, n === 40 ? 20 : 10));
  const read: ReadPage = async ({ page, perPage }) =>
    response(all.slice((page - 1) * perPage, page * perPage), page, Math.ceil(60 / perPage));
  expect(
    await walkOrders(walkPages(read, { createdFrom: new Date('2026-03-15T00:00:00Z'), limit: 1 })).toArray({
      limit: 1,
    }),
  ).toHaveLength(1);
});

test('a list that repeats itself but has a last page is not endless [U-05]', async () => {
  const read: ReadPage = async ({ page }) => response([order(1)], page, 22);
  expect(await walkOrders(walkPages(read, { limit: 100 })).toArray({ limit: 100 })).toHaveLength(1);
});

test('a walk continues to the end if, during a pause, as many orders arrive as it has read [U-10]', async () => {
  const list = createMovingList(
    { orders: 4_000, changes: [...Array<[]>(41), Array.from({ length: 2_100 }, () => ({ kind: 'insert', place: 0 }))] },
    () => new Error('past the end'),
  );
  const { ids, last } = await walked(list.read, {});
  expect(ids).toEqual(Array.from({ length: 4_000 }, (_, n) => 4_000 - n));
  expect(last?.gaps).toBeUndefined();
});

test('returns a page of 200,000 orders in full', async () => {
  const list = Array.from({ length: 200_000 }, (_, n) => order(n + 1));
  const read: ReadPage = async ({ page }) => response(list, page, 1);
  expect(await walkOrders(walkPages(read, { limit: 1_000_000 })).toArray({ limit: 1_000_000 })).toHaveLength(200_000);
});

test('if the API sends no `total`, a walk reports that orders created in the same second may be hidden [U-09]', async () => {
  const all = Array.from({ length: 60 }, (_, n) => order(n + 1));
  // Page 2 repeats ten orders of page 1, as if the sequence of orders with the same date had changed.
  const read: ReadPage = async ({ page }) => {
    const { orders, pagination } = response(page === 1 ? all.slice(0, 50) : all.slice(40, 50), page, 2);
    return { orders, pagination: { ...pagination, total: undefined as unknown as number } };
  };
  const walk = walkOrders(walkPages(read, {}));
  expect(await walk.toArray({ limit: 100 })).toHaveLength(50);
  expect(walk.gaps).toEqual(['ties']);
});

/** A filtered list of 120 orders, of which those at the indices 20 to 69 were created in one second. */
const busySecond = (swap: (orders: OrderSummary[], request: number) => OrderSummary[]): ReadPage => {
  const timeAt = (index: number): number => (index < 20 ? 900 - index : index < 70 ? 800 : 700 - index);
  const all = Array.from({ length: 120 }, (_, index) => ({
    id: index + 1,
    status,
    created_at: new Date(timeAt(index) * 1000).toISOString().slice(0, 19).replace('T', ' '),
  })) as OrderSummary[];
  let requests = 0;
  return async ({ page, perPage }) => {
    const rows = swap(all, ++requests);
    const pagination = { page, per_page: perPage, total: rows.length, pages: Math.ceil(rows.length / perPage) };
    return { orders: rows.slice((page - 1) * perPage, page * perPage), pagination };
  };
};

test('a filtered walk needs no gap for a second that fills more than half of a page [U-09]', async () => {
  const { ids, last } = await walked(busySecond((orders) => orders));
  expect(ids).toHaveLength(120);
  expect(last?.gaps).toBeUndefined();
});

test('a filtered walk reports a gap if orders of such a second change places [U-09]', async () => {
  const swapped = (orders: OrderSummary[]) =>
    orders.map((order, index) => (index === 30 ? orders[60] : index === 60 ? orders[30] : order) as OrderSummary);
  const { ids, last } = await walked(busySecond((orders, request) => (request === 1 ? orders : swapped(orders))));
  expect(ids).not.toContain(61);
  expect(last?.gaps).toEqual(['ties']);
});
