import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order.ts';
import { anyMovingList, createMovingList, listRuns, type MovingListOptions } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';
import type { WalkOptions } from './walk.ts';
import { type OrderPage, walkOrders, walkPages } from './walk.ts';

const reject = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'rejected', status });
const movingList = (options: MovingListOptions) => createMovingList(options, reject);

const walked = async (read: ReadPage, options: WalkOptions = {}) => {
  const walk = walkOrders(walkPages(read, options));
  const orders: OrderSummary[] = [];
  for await (const order of walk) orders.push(order);
  const ids = orders.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  return { ids, orders, gaps: walk.gaps };
};

const idsOf = async (read: ReadPage, options: WalkOptions = {}) => (await walked(read, options)).ids;

const pagesOf = async (read: ReadPage, options: WalkOptions = {}) => {
  const pages: OrderPage[] = [];
  for await (const page of walkPages(read, options)) pages.push(page);
  return pages;
};

const movement = anyMovingList({ maxChanges: 60, hideEvery: [0, 0, 7, 60, 400] });
const arrivals = (count: number) => Array.from({ length: count }, () => ({ kind: 'insert' as const, place: 0 }));
/** Many orders leave while orders arrive, and every page is short: the walk goes back far above what it has read. */
const shortWayDown: MovingListOptions = {
  orders: 794,
  changes: [[], arrivals(1), arrivals(2), [], [...arrivals(3), { kind: 'leave', place: 14_687, count: 144 }]],
  hideEvery: 7,
};

test('a walk with a status filter misses no order that stays in the list and returns none twice, however the list changes [U-10]', async () => {
  await fc.assert(
    fc.asyncProperty(movement, async (options) => {
      const list = movingList(options);
      const ids = await idsOf(list.read, { status: 'bezahlt' });
      const missing = list.stood().filter((id) => !ids.includes(id));
      expect(missing).toEqual([]);
    }),
    { ...listRuns, examples: [[shortWayDown]] },
  );
});

test('a walk with a status filter and `createdFrom` misses no order created at or after that time [U-10 U-63]', async () => {
  await fc.assert(
    fc.asyncProperty(movement, fc.nat(900), async (options, after) => {
      const list = movingList(options);
      const start = Date.UTC(2026, 0, 1);
      const createdFrom = new Date(start + after * 1_000);
      const ids = await idsOf(list.read, { status: 'bezahlt', createdFrom });
      // The fixture numbers orders by age: one every second, or seven every second.
      const isWanted = (id: number) => (options.sameTimes ? Math.floor((id - 1) / 7) : id - 1) >= after;
      expect(ids.every(isWanted)).toBe(true);
      const missing = list.stood().filter((id) => isWanted(id) && !ids.includes(id));
      expect(missing).toEqual([]);
    }),
    listRuns,
  );
});

test('a failed walk misses no order and returns none twice when resumed [U-10]', async () => {
  const runs = fc.tuple(movement, fc.integer({ min: 1, max: 25 }), fc.constantFrom(undefined, 'bezahlt' as const));
  await fc.assert(
    fc.asyncProperty(runs, async ([options, failsAt, status]) => {
      const list = movingList(options);
      let calls = 0;
      const read: ReadPage = async (query) => {
        calls += 1;
        if (calls !== failsAt) return list.read(query);
        throw new OrderLicenseError('server', { detail: 'down', status: 500 });
      };
      const walk = walkOrders(walkPages(read, { status }));
      const ids: number[] = [];
      const goOn = async () => {
        for await (const { id } of walk) ids.push(id);
      };
      await goOn().catch(goOn);
      expect(new Set(ids).size).toBe(ids.length);
      const missing = (status ? list.stood() : list.listed()).filter((id) => !ids.includes(id));
      expect(missing).toEqual([]);
    }),
    listRuns,
  );
});

test('an unfiltered walk skips no order and repeats none while orders are inserted, and reports omitted rows [U-10]', async () => {
  await fc.assert(
    fc.asyncProperty(movement, async (options) => {
      const list = movingList(options);
      const stood = list.stood();
      const pages = await pagesOf(list.read);
      const ids = pages.flatMap(({ orders }) => orders.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(stood.filter((id) => !ids.includes(id))).toEqual([]);
      const hidden = options.hideEvery ? Math.floor(options.orders / options.hideEvery) : 0;
      // Rows that the API counts but omits are the only gap.
      expect(pages.at(-1)?.gaps).toEqual(hidden > 0 ? ['unseen'] : undefined);
    }),
    listRuns,
  );
});

test('an unfiltered walk of an unchanging list requests pages 1 to `pages` once each, with one page size [S-53]', async () => {
  const list = movingList({ orders: 230, changes: [] });
  const asked: string[] = [];
  const read: ReadPage = (query) => {
    asked.push(`${query.page}/${query.perPage}`);
    return list.read(query);
  };
  expect(await idsOf(read)).toHaveLength(230);
  expect(asked).toEqual(['1/50', '2/50', '3/50', '4/50', '5/50']);
});

test('a walk ends at the last page that the API reports, whatever page size it used [S-89]', async () => {
  const list = movingList({ orders: 100, changes: [], largestPage: 20 });
  expect(await idsOf(list.read)).toHaveLength(100);
  // The last page is full, so one more request shows that there is nothing behind it.
  expect(list.requests()).toBe(6);
});

test('a walk reads pages of another size than requested, and reports this as a gap [U-02]', async () => {
  for (const reportedPerPage of ['used', 'asked', 'none'] as const) {
    for (const status of [undefined, 'bezahlt' as const]) {
      const list = movingList({ orders: 90, changes: [], largestPage: 20, reportedPerPage });
      const walk = walkOrders(walkPages(list.read, { status }));
      expect(await walk.toArray({ limit: 1_000 })).toHaveLength(status ? 60 : 90);
      expect(walk.gaps).toEqual(['unseen']);
    }
  }
});

test('reads an empty list in one request, with or without a filter [U-06]', async () => {
  for (const options of [{}, { status: 'bezahlt' as const }]) {
    const list = movingList({ orders: 0, changes: [] });
    expect(await idsOf(list.read, options)).toEqual([]);
    expect(list.requests()).toBe(1);
  }
});

test('ends after three pages in a row that are not the requested ones, and reports a gap [U-05]', async () => {
  const list = movingList({ orders: 100, changes: [], pastEnd: 'last page' });
  const tooMany: ReadPage = async (query) => {
    const page = await list.read(query);
    return { ...page, pagination: { ...page.pagination, pages: 1_000 } };
  };
  const walk = walkOrders(walkPages(tooMany, {}));
  expect(await walk.toArray({ limit: 1_000 })).toHaveLength(100);
  expect(walk.gaps).toEqual(['unseen']);
  // Each of the three pages is requested twice.
  expect(list.requests()).toBe(2 + 2 * 3);
});

test.each([undefined, 'bezahlt'] as const)(
  'stops if the API returns the same orders under new page numbers (status %s) [U-05]',
  async (status) => {
    let requests = 0;
    const read: ReadPage = async ({ page, perPage }) => {
      requests += 1;
      const orders = Array.from({ length: perPage }, (_, n) => ({ id: 1_000 - n, status: 'bezahlt' }) as OrderSummary);
      return { orders, pagination: { page, per_page: perPage, pages: 1e9, total: 5e10 } };
    };
    const walk = walkOrders(walkPages(read, { status }));
    const given: number[] = [];
    const goOn = async () => {
      for await (const { id } of walk) given.push(id);
    };
    await expect(goOn()).rejects.toMatchObject({ code: 'invalid_response', reason: 'endless_list' });
    expect(given).toHaveLength(50);
    expect(requests).toBeLessThan(40);
    await expect(goOn()).rejects.toMatchObject({ code: 'invalid_response' });
    expect(given).toHaveLength(50);
  },
);

test('a walk keeps the list’s sort order [S-45]', async () => {
  const list = movingList({ orders: 120, changes: [] });
  const ids = await idsOf(list.read);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
});

test('a walk with `limit` sends no unnecessary request', async () => {
  for (const [limit, requests] of [
    [1, 1],
    [50, 1],
    [51, 2],
    [100, 2],
    [101, 3],
  ] as const) {
    const list = movingList({ orders: 300, changes: [] });
    expect(await idsOf(list.read, { limit })).toHaveLength(limit);
    expect(list.requests()).toBe(requests);
  }
});

test('a walk with a status filter and `limit` goes on if the first order has another status meanwhile', async () => {
  const list = movingList({ orders: 300, changes: [] });
  const read: ReadPage = async (query) => {
    const { orders, pagination } = await list.read(query);
    return { orders: orders.map((one) => (one.id === 299 ? { ...one, status: 'storniert' } : one)), pagination };
  };
  expect(await idsOf(list.read, { status: 'bezahlt', limit: 1 })).toEqual([299]);
  expect(await idsOf(read, { status: 'bezahlt', limit: 1 })).toEqual([298]);
});

test('a walk with `createdFrom` includes that time, and ends after the first page of older orders [U-63]', async () => {
  const list = movingList({ orders: 300, changes: [] });
  const createdFrom = new Date(Date.UTC(2026, 0, 1) + 225_000);
  expect(await idsOf(list.read, { createdFrom })).toHaveLength(75);
  expect(list.requests()).toBe(3);
});

test('returns an order with an unreadable date and continues [U-63]', async () => {
  const list = movingList({ orders: 120, changes: [] });
  const read: ReadPage = async (query) => {
    const page = await list.read(query);
    return { ...page, orders: page.orders.map((order) => ({ ...order, created_at: '0000-00-00 00:00:00' })) };
  };
  expect(await idsOf(read, { createdFrom: new Date(Date.UTC(2027, 0, 1)) })).toHaveLength(120);
});

test('rejects invalid options before anything is read', () => {
  const list = movingList({ orders: 10, changes: [] });
  const rejected = (options: WalkOptions) => {
    expect(() => walkPages(list.read, options)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  };
  rejected({ limit: 0 });
  rejected({ limit: 1.5 });
  rejected({ status: 'paid' as never });
  rejected({ createdFrom: new Date('nonsense') });
  rejected({ createdFrom: '2026-01-31' as never });
  expect(list.requests()).toBe(0);
});

test('a filtered walk over an unchanging list costs at most a quarter more requests than reading page by page', async () => {
  const list = movingList({ orders: 6_000, changes: [] });
  expect(await idsOf(list.read, { status: 'bezahlt' })).toHaveLength(4_000);
  expect(list.requests()).toBeLessThanOrEqual(100);
});

test('`toArray` requires a limit and returns the newest orders', async () => {
  const list = movingList({ orders: 120, changes: [] });
  expect((await walkOrders(walkPages(list.read, { limit: 70 })).toArray({ limit: 70 })).map(({ id }) => id)).toEqual(
    Array.from({ length: 70 }, (_, index) => 120 - index),
  );
  for (const none of [{}, undefined, null]) {
    await expect(walkOrders(walkPages(list.read, {})).toArray(none as never)).rejects.toMatchObject({
      code: 'bad_request',
      detail: '`toArray` requires a limit',
    });
  }
  expect(list.requests()).toBe(2);
});

test.each<[string, (page: number) => unknown]>([
  ['is not a number', () => 'first'],
  ['is an object that cannot be converted', () => ({ toString: null })],
  ['is counted from 0', (page) => page - 1],
  ['is always 1', () => 1],
  ['is far off', (page) => page * 1e12],
  ['is missing', () => undefined],
])('a walk returns each order once and ends if the reported `page` %s [U-59]', async (_, reported) => {
  for (const status of ['bezahlt', undefined] as const) {
    const list = movingList({ orders: 300, changes: [] });
    const read: ReadPage = async (query) => {
      if (list.requests() > 50) throw new Error('It does not end.');
      const response = await list.read(query);
      return { ...response, pagination: { ...response.pagination, page: reported(query.page) as number } };
    };
    const ids = await idsOf(read, { status });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(status ? 200 : 300);
  }
});

test.each([undefined, 'bezahlt' as const])(
  'a walk over a date range misses no order that stays in the list and returns none twice, however the list changes (status: %s)',
  async (status) => {
    await fc.assert(
      fc.asyncProperty(movement, fc.nat(1_000), fc.nat(1_000), async (options, one, other) => {
        const list = movingList(options);
        const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
        const [createdFrom, createdBefore] = [at(Math.min(one, other)), at(Math.max(one, other))];
        const given: OrderSummary[] = [];
        const walk = walkOrders(walkPages(list.read, { status, createdFrom, createdBefore }));
        for await (const order of walk) given.push(order);
        const ids = given.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const isIn = ({ created_at }: OrderSummary) => {
          const created = new Date(`${created_at.replace(' ', 'T')}Z`);
          return created >= createdFrom && created < createdBefore;
        };
        expect(given.every(isIn)).toBe(true);
        const missing = list.stoodOrders().filter((order) => isIn(order) && !ids.includes(order.id));
        expect(missing).toEqual([]);
      }),
      listRuns,
    );
  },
);

test('a walk over a date range searches for its first page, and then requests only pages of the range', async () => {
  const list = movingList({ orders: 50_000, changes: [] });
  const start = Date.UTC(2026, 0, 1);
  const orders = await walkOrders(
    walkPages(list.read, { createdFrom: new Date(start + 10_000_000), createdBefore: new Date(start + 10_200_000) }),
  ).toArray({ limit: 1_000 });
  expect(orders).toHaveLength(200);
  expect(list.requests()).toBeLessThanOrEqual(12 + 6);
});

test('a walk over several statuses returns each matching order once', async () => {
  const list = movingList({ orders: 300, changes: [] });
  const all = await idsOf(list.read, { status: ['bezahlt', 'ausstehend'] });
  expect(new Set(all).size).toBe(300);
  expect(
    await idsOf(movingList({ orders: 300, changes: [] }).read, { status: ['storniert', 'abgeschlossen'] }),
  ).toEqual([]);
  for (const status of [[], ['paid']]) {
    expect(() => walkPages(list.read, { status: status as never })).toThrow(/status/);
  }
});

test('rejects a range that ends before it begins and an invalid date before anything is read', () => {
  const list = movingList({ orders: 3, changes: [] });
  const [early, late] = [new Date(0), new Date(1)];
  expect(() => walkPages(list.read, { createdFrom: late, createdBefore: early })).toThrow(/\. Swap them\.$/);
  expect(() => walkPages(list.read, { createdBefore: 'today' as never })).toThrow(/createdBefore/);
  expect(list.requests()).toBe(0);
});

/** A list of two pages, 50 orders and the rest, each sorted on its own. */
const listOfSeconds = (seconds: readonly (number | undefined)[], total = seconds.length): ReadPage => {
  const all = seconds.map((second, index) => ({
    id: index + 1,
    created_at: second === undefined ? '' : new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' '),
  })) as OrderSummary[];
  return async ({ page, perPage }) => ({
    orders: all.slice((page - 1) * perPage, page * perPage),
    pagination: { page, per_page: perPage, total, pages: Math.ceil(total / perPage) },
  });
};
const descending = Array.from({ length: 100 }, (_, index) => 1000 - index);

test.each<[string, ReadPage, string[] | undefined]>([
  ['nothing is missing', listOfSeconds(descending), undefined],
  ['each page is sorted, but the list is not', listOfSeconds([...descending.slice(50), ...descending]), ['unsorted']],
  ['an order has no date', listOfSeconds([...descending, undefined]), ['undated']],
  ['the API counts more orders than it returns', listOfSeconds(descending, 140), ['unseen']],
])('reports whether orders of a range may be missing, and why: %s [U-24 U-63]', async (_, read, gaps) => {
  let last: OrderPage | undefined;
  for await (const page of walkPages(read, { createdFrom: new Date(0) })) last = page;
  expect(last?.gaps).toEqual(gaps);
});

const removal = fc.record({
  kind: fc.constantFrom('remove' as const, 'remove' as const, 'insert' as const),
  place: fc.nat(1_000),
  count: fc.integer({ min: 1, max: 60 }),
});
const removals = fc.record({
  orders: fc.integer({ min: 0, max: 600 }),
  changes: fc.array(fc.array(removal, { maxLength: 2 }), { maxLength: 20 }),
  largestPage: fc.constantFrom(50, 50, 50, 20),
  pastEnd: fc.constantFrom('empty' as const, 'error' as const, 'last page' as const),
});

test('a walk over the whole list or a range returns every remaining order when others are removed, or reports a gap [U-10]', async () => {
  const ranges = fc.option(fc.tuple(fc.nat(600), fc.nat(600)), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(removals, ranges, async (options, range) => {
      const list = movingList(options);
      const [from = 0, before = 1e6] = range?.toSorted((a, b) => a - b) ?? [];
      const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
      const walk = walkOrders(walkPages(list.read, range ? { createdFrom: at(from), createdBefore: at(before) } : {}));
      const ids: number[] = [];
      for await (const { id } of walk) ids.push(id);
      expect(new Set(ids).size).toBe(ids.length);
      // The fixture numbers orders by age: one every second.
      const isIn = (id: number) => id - 1 >= from && id - 1 < before;
      const missing = list.listed().filter((id) => isIn(id) && !ids.includes(id));
      if (missing.length > 0) expect(walk.gaps).toContain('removed');
    }),
    listRuns,
  );
});

test('a walk never reports a sorted list as unsorted while orders arrive and are removed [U-10]', async () => {
  const lists = fc.record({
    orders: fc.integer({ min: 50, max: 600 }),
    changes: fc.array(fc.array(removal, { maxLength: 8 }), { minLength: 5, maxLength: 20 }),
    largestPage: fc.constantFrom(50, 20, 7),
  });
  await fc.assert(
    fc.asyncProperty(lists, async (options) => {
      const walk = walkOrders(walkPages(movingList(options).read, {}));
      for await (const _ of walk);
      expect(walk.gaps).not.toContain('unsorted');
    }),
    listRuns,
  );
});

test('a walk loses no order when up to ten others are removed before each request [U-10]', async () => {
  let requests = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const below = (limit: number, n: number) => ((seed * 7_919 + n * 104_729) % 10_007) % limit;
    const changes = Array.from({ length: 100 }, (_, n) => [
      { kind: 'remove' as const, place: below(900, n), count: 1 + below(10, n + 50) },
    ]);
    const list = movingList({ orders: 900, changes });
    const ids = await idsOf(list.read);
    expect(list.listed().filter((id) => !ids.includes(id))).toEqual([]);
    requests += list.requests();
  }
  expect(requests / 30).toBeLessThan(2 * 18);
});

test('a walk over a list with randomly sorted ties returns every order, or reports a gap [U-09]', async () => {
  const filters = fc.constantFrom<WalkOptions>(
    {},
    { status: 'bezahlt' },
    { createdBefore: new Date(Date.UTC(2027, 0)) },
  );
  const lists = fc.record({
    orders: fc.integer({ min: 0, max: 400 }),
    changes: removals.map(({ changes }) => changes.slice(0, 3)),
  });
  await fc.assert(
    fc.asyncProperty(lists, filters, async (options, filter) => {
      const list = movingList({ ...options, sameTimes: true, shufflesTies: true });
      const walk = walkOrders(walkPages(list.read, filter));
      const ids: number[] = [];
      for await (const { id } of walk) ids.push(id);
      expect(new Set(ids).size).toBe(ids.length);
      const missing = (filter.status ? list.stood() : list.listed()).filter((id) => !ids.includes(id));
      if (missing.length > 0) expect(walk.gaps).not.toEqual([]);
    }),
    listRuns,
  );
});

const anyArrivals = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<{ kind: 'insert'; place: number }[]>([]) },
    {
      weight: 3,
      arbitrary: fc.array(fc.record({ kind: fc.constant('insert' as const), place: fc.nat() }), { maxLength: 4 }),
    },
  ),
  { maxLength: 20 },
);
const departures = fc.array(
  fc.array(
    fc.record({ kind: fc.constantFrom('insert' as const, 'enter' as const, 'leave' as const), place: fc.nat(9_999) }),
    { maxLength: 4 },
  ),
  { maxLength: 20 },
);

test.each<[string, 'copy' | 'cache' | 'both', WalkOptions]>([
  ['copies that lag', 'copy', {}],
  ['copies that lag', 'copy', { createdFrom: new Date(0), createdBefore: new Date(Date.UTC(2027, 0)) }],
  ['copies that lag', 'copy', { status: 'bezahlt' }],
  ['a cached count', 'cache', {}],
  ['a cached count', 'cache', { createdFrom: new Date(0), createdBefore: new Date(Date.UTC(2027, 0)) }],
  ['a cached count', 'cache', { status: 'bezahlt' }],
  ['both', 'both', {}],
  ['both', 'both', { createdFrom: new Date(0), createdBefore: new Date(Date.UTC(2027, 0)) }],
  ['both', 'both', { status: 'bezahlt' }],
])('a walk loses no order in silence behind %s (%s, %o) [U-09 U-10]', async (_, kind, options) => {
  const lists = fc.record({
    orders: fc.integer({ min: 0, max: 330 }),
    changes: options.status ? departures : anyArrivals,
    sameTimes: fc.boolean(),
    shufflesTies: kind === 'copy' ? fc.constant(false) : fc.boolean(),
    ...(kind !== 'cache' && { lags: fc.array(fc.constantFrom(0, 0, 1, 2, 5), { minLength: 1, maxLength: 7 }) }),
    ...(kind !== 'copy' && { cachedFor: fc.integer({ min: 1, max: 12 }) }),
    pastEnd: fc.constantFrom('empty' as const, 'error' as const, 'last page' as const),
  });
  await fc.assert(
    fc.asyncProperty(lists, async (made) => {
      const list = movingList(made);
      const { ids, gaps } = await walked(list.read, options);
      const missing = (options.status ? list.stood() : list.listed()).filter((id) => !ids.includes(id));
      if (missing.length > 0) expect(gaps).not.toEqual([]);
    }),
    listRuns,
  );
});

test('a month of long ago costs at most its pages and 14 requests, although an order arrives with each request', async () => {
  const inserts = Array.from({ length: 80 }, () => [{ kind: 'insert' as const, place: 0 }]);
  for (const from of [20_000, 50_003, 71_234]) {
    const list = movingList({ orders: 100_000, changes: inserts });
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000);
    const { ids, gaps } = await walked(list.read, { createdFrom: at(from), createdBefore: at(from + 1_850) });
    expect(ids).toHaveLength(1_850);
    expect(gaps).toEqual([]);
    // The 1,850 orders begin and end within a page, so they are on 38.
    expect(list.requests()).toBeLessThanOrEqual(38 + 14);
  }
});

/** Six orders, then more; `a b | c d` become `c d | a b` between two pages of 50. */
test.each([0, 1, 2])(
  'a second put in another sequence between two pages loses nothing (`total` jumps by %i) [U-09]',
  async (jump) => {
    for (const arrived of [0, 1]) {
      for (const options of [{}, { createdFrom: new Date(0) }]) {
        const at = (id: number) => (id >= 49 && id <= 52 ? 500 : 1_000 - id);
        const order = (id: number) =>
          ({ id, created_at: new Date(at(id) * 1_000).toISOString().slice(0, 19).replace('T', ' ') }) as OrderSummary;
        const first = Array.from({ length: 120 }, (_, n) => order(n + 1)).map((one) => one);
        const later = [...first.slice(0, 48), ...[51, 52, 49, 50].map(order), ...first.slice(52)];
        const arrivals = Array.from({ length: arrived }, (_, n) => ({
          ...order(900 + n),
          created_at: '2030-01-01 00:00:00',
        }));
        let requests = 0;
        const read: ReadPage = async ({ page, perPage }) => {
          requests += 1;
          const all = requests === 1 ? first : [...arrivals, ...later];
          const total = requests === 1 ? 120 : 120 + jump;
          const orders = all.slice((page - 1) * perPage, page * perPage);
          return { orders, pagination: { page, per_page: perPage, total, pages: Math.ceil(total / perPage) } };
        };
        const { ids } = await walked(read, options);
        expect(ids.filter((id) => id <= 120)).toHaveLength(120);
      }
    }
  },
);
