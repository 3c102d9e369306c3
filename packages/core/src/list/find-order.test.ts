import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, isOrderLicenseError, OrderLicenseError } from '../base/errors.ts';
import type { OrderSearch } from '../base/order-search.ts';
import { stopError } from '../base/stops.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { createOrderFinder, type FindOptions } from './find-order.ts';
import { createMovingList, listOf, listRuns, orderOf, withOrders } from './moving-list.fixture.ts';
import type { ReadPage, Slice } from './slice.ts';

const finderOf = (read: ReadPage) => createOrderFinder(() => read);
const findOrder = (read: ReadPage, orderNumber: string, options?: FindOptions) =>
  finderOf(read).find(orderNumber, options);

/** Returns the error of a search without a match. */
const missOf = async (finding: Promise<unknown>): Promise<{ code: ErrorCode; message: string } & OrderSearch> => {
  const error = await finding.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!isOrderLicenseError(error) || !error.search) throw error ?? new Error('The order was found.');
  return { ...error.search, code: error.code, message: error.message };
};

/**
 * A list of `count` orders, newest first. `numberOf` gets an index, 0 for the newest, and returns the order's number;
 * `arrive` adds an order at the top. The API counts `counted` orders.
 */
const numbered = (count: number, numberOf: (n: number) => unknown, counted?: number) => {
  let requests = 0;
  const create = (n: number) => orderOf(n < 0 ? 1_000_000 - n : n + 1, 1_000_000 - n, { bestellnummer: numberOf(n) });
  const all = Array.from({ length: count }, (_, n) => create(n));
  let arrived = 0;
  const arrive = () => void all.unshift(create(-++arrived));
  const read: ReadPage = async (slice) => {
    requests += 1;
    return listOf(all, slice, counted);
  };
  return { read, arrive, requests: () => requests };
};
const withNumbers = (...numbers: unknown[]) => numbered(numbers.length, (n) => numbers[n]);
/** Numbers from B-`first` downwards. */
const down = (count: number, first = count) => numbered(count, (n) => `B-${first - n}`);
const unsorted = (n: number): string => `B-${(n * 7919) % 5_003}`;
/** 5,000 numbers from B-50000 down to B-10. */
const inTens = () => numbered(5_000, (n) => `B-${(5_000 - n) * 10}`);

test('compares order numbers as strings, even if the API or the caller uses numbers', async () => {
  for (const listed of [20260042, '20260042']) {
    for (const wanted of [20260042, '20260042', ' 20260042 ']) {
      const { summary } = await findOrder(withNumbers('B-1', listed).read, wanted as string);
      expect(summary.id).toBe(2);
    }
  }
  expect(await missOf(findOrder(withNumbers(null, undefined, {}).read, 'null'))).toMatchObject({ code: 'not_found' });
});

test('of two numbers that differ only in punctuation around the digits, finds the requested one', async () => {
  const list = withNumbers('#7', '7');
  expect((await findOrder(list.read, '7')).summary.bestellnummer).toBe('7');
  expect((await findOrder(list.read, '#7')).summary.bestellnummer).toBe('#7');
});

test('rejects invalid order numbers and options before anything is read', async () => {
  const { read, requests } = withNumbers(null, 'B-1');
  for (const wanted of ['', '  ', '\u200B', '\u00AD \u00AD', null, undefined, {}, Number.NaN, 1.5]) {
    await expect(findOrder(read, wanted as string)).rejects.toMatchObject({ code: 'bad_request' });
  }
  await expect(findOrder(read, 'B-1', { maxRequests: 0 })).rejects.toMatchObject({ code: 'bad_request' });
  expect(requests()).toBe(0);
});

const misses = (newer: string | undefined, older: string | undefined, place: string) => ({
  code: 'not_located',
  between: { newer, older },
  message: expect.stringContaining(place),
});
const padded = numbered(300, (n) => `B-2026-${String(1_000 - n).padStart(6, '0')}`);
const short = down(199, 1_000);
const allRead =
  'No order in this account has the number "B-5"; all 199 orders were read. Check the number: this account has numbers such as "B-1000".';
const smallPages = createMovingList({ orders: 120, largestPage: 20 });
const omitsOne = { read: withOrders(down(120, 1_000).read, (orders) => orders.filter(({ id }) => id !== 70)) };

test.each<[string, { read: ReadPage }, string, object]>([
  [
    'is missing between two others',
    inTens(),
    'B-12345',
    misses('B-12350', 'B-12340', 'expected in the list, between "B-12350" and "B-12340". Check the number.'),
  ],
  ['comes before the newest', inTens(), 'B-99999', misses(undefined, 'B-50000', 'above the newest order, "B-50000"')],
  ['comes after the oldest', inTens(), 'B-5', misses('B-10', undefined, 'below the oldest order, "B-10"')],
  ['lacks leading zeros', padded, 'B-2026-800', misses('B-2026-000801', 'B-2026-000800', 'between')],
  [
    'is missing from a short list, which was read as a whole',
    short,
    'B-5',
    { code: 'not_found', requests: 4, message: allRead },
  ],
  ['is not on pages of another size than requested [U-02]', smallPages, 'X-1', { code: 'not_located', searched: 120 }],
  ['belongs to an omitted row', omitsOne, 'B-931', { code: 'not_located', searched: 119, total: 120 }],
])('reports what is known about a number that %s', async (_, { read }, number, expected) => {
  expect(await missOf(findOrder(read, number))).toMatchObject(expected);
});

test.each(['empty', 'error', 'last page'] as const)(
  'a number below a full last page is not searched for again, whatever the API returns past the end (%s)',
  async (pastEnd) => {
    const list = createMovingList({ orders: 5_000, pastEnd });
    const finder = finderOf(list.read);
    const message =
      'No order with the number "B-0" was found where expected in the list, below the oldest order, "B-1". Check the number.';
    expect(await missOf(finder.find('B-0'))).toMatchObject({ code: 'not_located', message });
    expect(await missOf(finder.find('B-0'))).toMatchObject({ code: 'not_located', message, requests: 0 });
  },
);

test('a page that is missing once does not hide the orders below it from later searches', async () => {
  const list = inTens();
  let isMissing = true;
  const finder = finderOf(async (query) => {
    if (query.page === 1 || !isMissing) return list.read(query);
    isMissing = false;
    throw new OrderLicenseError('not_found', { detail: 'There is no such page', status: 404 });
  });
  expect(await missOf(finder.find('B-10000'))).toMatchObject({ code: 'not_located' });
  expect(await finder.find('B-10000')).toMatchObject({ summary: { bestellnummer: 'B-10000' } });
});

test('with a higher `maxRequests`, a search continues in a list that is too long for 14 requests', async () => {
  const total = 10_000_000;
  const read: ReadPage = async ({ page, perPage }) => ({
    orders: Array.from({ length: perPage }, (_, n) => orderOf(total - (page - 1) * perPage - n)),
    pagination: { page, per_page: perPage, total, pages: total / perPage },
  });
  expect(await missOf(findOrder(read, 'B-1234567'))).toMatchObject({ requests: 14 });
  expect(await findOrder(read, 'B-1234567', { maxRequests: 30 })).toMatchObject({ summary: { id: 1_234_567 } });
});

test('reads page by page if the numbers are unsorted, and never sends more than `maxRequests`', async () => {
  const near = numbered(5_000, unsorted);
  expect(await findOrder(near.read, unsorted(260))).toMatchObject({ summary: { id: 261 } });
  expect(near.requests()).toBeLessThanOrEqual(14);
  const far = numbered(5_000, unsorted);
  const missed = await missOf(findOrder(far.read, unsorted(4_900)));
  expect(missed).toMatchObject({ code: 'not_located', requests: 14 });
  expect(missed.between).toBeUndefined();
  expect(missed.message).toContain('raise `maxRequests`');
  expect(far.requests()).toBe(14);
});

test('the error says how far down the list was read without a gap, and the dates of the neighboring orders', async () => {
  const far = await missOf(findOrder(numbered(5_000, unsorted).read, unsorted(4_900)));
  expect(far.readDownTo).toBe(far.oldest);
  // A bisection has read page 1, and pages far below it.
  const miss = await missOf(findOrder(inTens().read, 'B-12345'));
  const { orders } = await inTens().read({ page: 1, perPage: 50, status: undefined });
  expect(miss.readDownTo).toBe(orders.at(-1)?.created_at);
  expect(miss).toMatchObject({ total: 5_000, between: { newerAt: expect.any(String), olderAt: expect.any(String) } });
});

test.each([
  [100, 3],
  [5_000, 3],
  [5_020, 43],
])('finds an order past the `pages` of a cached count of %i, with %i more orders', async (count, more) => {
  const { read } = numbered(count + more, (n) => `B-${20_000 - n}`, count);
  const oldest = `B-${20_001 - count - more}`;
  expect(await findOrder(read, oldest)).toMatchObject({ summary: { bestellnummer: oldest } });
  const miss = await missOf(findOrder(read, 'B-1'));
  expect(miss).toMatchObject({ code: count === 100 ? 'not_found' : 'not_located' });
  expect(miss.searched).toBeGreaterThanOrEqual(103);
});

const rows = Array.from({ length: 2_000 }, (_, n) => orderOf(2_000 - n, 2_000 - n));
const countAges = fc.array(fc.nat(150), { minLength: 1, maxLength: 14 });
const copyAges = fc.array(fc.nat(40), { minLength: 2, maxLength: 2 });

test.each<[string, fc.Arbitrary<number[]>, (slice: Slice, lag: number, requests: number) => OrderList]>([
  ['the counts of each response have another age', countAges, (slice, lag) => listOf(rows, slice, rows.length - lag)],
  [
    'counts have another age, and an order arrives with each request',
    countAges,
    (slice, lag, requests) => listOf(rows.slice(20 - requests), slice, rows.length - lag - 20 + requests),
  ],
  ['two copies of another age respond in turn', copyAges, (slice, lag) => listOf(rows.slice(lag), slice)],
])('finds an order although %s', async (_, anyAges, respond) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_950 }), anyAges, async (wanted, ages) => {
      let requests = 0;
      const read: ReadPage = async (slice) => respond(slice, ages[requests++ % ages.length] ?? 0, requests);
      const { summary } = await findOrder(read, `B-${wanted}`, { maxRequests: 20 });
      expect(summary.id).toBe(wanted);
    }),
    listRuns,
  );
});

test('a finder finds orders although others are removed between its searches', async () => {
  for (let start = 0; start < 12; start++) {
    let listed: readonly OrderSummary[] = rows;
    const finder = finderOf(async (slice) => listOf(listed, slice));
    for (let n = start; n < start + 60; n++) {
      listed = listed.toSpliced((n * n * 7_919) % listed.length, 1);
      const { id, bestellnummer } = listed[(n * n * 104_729 + start * 389) % listed.length] as OrderSummary;
      expect(await finder.find(bestellnummer)).toMatchObject({ summary: { id } });
    }
  }
});

test('reports progress after each response that does not contain the order', async () => {
  const list = down(5_000);
  const reported: OrderSearch[] = [];
  const { search } = await findOrder(list.read, 'B-17', { onPage: (soFar) => reported.push(soFar) });
  expect(reported.map(({ requests }) => requests)).toEqual(
    Array.from({ length: search.requests - 1 }, (_, index) => index + 1),
  );
});

test('finds an order without a request if an earlier search has read it', async () => {
  const list = down(50_000);
  const finder = finderOf(list.read);
  await finder.find('B-777');
  const before = list.requests();
  expect(await finder.find('B-777')).toMatchObject({ summary: { bestellnummer: 'B-777' }, search: { requests: 0 } });
  expect((await finder.find('B-778')).search.requests).toBeLessThanOrEqual(1);
  expect(list.requests() - before).toBeLessThanOrEqual(1);
});

test.each([200, 5_000])('finds an order that arrived in a list of %i orders after an earlier search', async (count) => {
  const list = down(count, 10_000);
  const finder = finderOf(list.read);
  await finder.find('B-10000');
  await missOf(finder.find('B-1'));
  expect(await missOf(finder.find('B-10001'))).toMatchObject({ requests: 1 });
  list.arrive();
  expect(await finder.find('B-10001')).toMatchObject({
    summary: { bestellnummer: 'B-10001' },
    search: { requests: 1 },
  });
});

test('a finder reads an unsorted list only once for any number of lookups', async () => {
  const list = numbered(1_999, (n) => `Sonderbestellung ${(n * 7919) % 2_003}`);
  const finder = finderOf(list.read);
  const codes: ErrorCode[] = [];
  for (let n = 0; n < 5; n++) codes.push((await missOf(finder.find(`nobody ${n}`))).code);
  expect(codes).toEqual(['not_located', 'not_located', 'not_found', 'not_found', 'not_found']);
  // Once the list has been read, each search sends one request, to check for new orders.
  expect(list.requests()).toBe(40 + 3);
});

test('aborting one of two concurrent `find` calls does not delay the other', async () => {
  const list = down(50_000);
  const abort = new AbortController();
  const finder = createOrderFinder(({ signal }) => async (query) => {
    await Promise.resolve();
    if (signal?.aborted) throw stopError({ signal });
    return list.read(query);
  });
  const aborted = finder.find('B-777', { signal: abort.signal });
  const other = finder.find('B-33333');
  abort.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
  expect(await other).toMatchObject({ summary: { bestellnummer: 'B-33333' } });
});

const wantedNumbers = fc.array(fc.record({ place: fc.nat(), exists: fc.boolean() }), { minLength: 2, maxLength: 40 });

test.each(['one after another', 'at the same time'])(
  'finds many numbers %s, even while orders arrive, in no more requests than separate searches',
  async (how) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6_000 }),
        fc.nat(1),
        wantedNumbers,
        async (count, arrivals, wanted) => {
          const numberOf = (n: number) => `B-${(20_000 - n) * 2}`;
          const numbers = wanted.map(({ place, exists }) => `B-${(20_000 - (place % count)) * 2 + (exists ? 0 : 1)}`);
          // A short list is read page by page, and each arrival can cost a step back.
          const maxRequests = Math.ceil(Math.log2(Math.max(1, (count + 500) / 50))) + 2 + 4 * arrivals;
          const list = numbered(count, numberOf);
          const finder = finderOf((query) => {
            if (arrivals) list.arrive();
            return list.read(query);
          });
          const find = async (number: string) => {
            const outcome = await finder.find(number).catch((error: unknown) => error);
            return { number, outcome };
          };
          const outcomes: { number: string; outcome: unknown }[] = [];
          if (how === 'at the same time') outcomes.push(...(await Promise.all(numbers.map(find))));
          else for (const number of numbers) outcomes.push(await find(number));
          for (const [index, { number, outcome }] of outcomes.entries()) {
            if (wanted[index]?.exists) expect(outcome).toMatchObject({ summary: { bestellnummer: number } });
            else expect(outcome).toMatchObject({ code: expect.stringMatching(/^not_(located|found)$/) });
            expect(outcome).toMatchObject({
              search: { requests: expect.toSatisfy((sent: number) => sent <= maxRequests) },
            });
          }
          const alone = numbered(count, numberOf);
          let separately = 0;
          let bisections = 0;
          for (const number of numbers) {
            await findOrder(alone.read, number).catch(() => undefined);
            bisections += alone.requests() > separately + 1 ? 1 : 0;
            separately = alone.requests();
          }
          if (arrivals === 0) expect(list.requests()).toBeLessThanOrEqual(separately);
          // A bisection saves at least the first page; a number above it costs one request in any case.
          if (arrivals === 0 && separately > 3 * numbers.length) {
            expect(list.requests()).toBeLessThanOrEqual(separately - (bisections - 1));
          }
        },
      ),
      { numRuns: Math.ceil(listRuns.numRuns / 4) },
    );
  },
);

test('does not report a listed order as `not_found` if others are removed during the search', async () => {
  const removals = fc.array(
    fc.record({ kind: fc.constant('remove' as const), place: fc.integer({ min: 95, max: 189 }) }).map((one) => [one]),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(removals, fc.integer({ min: 1, max: 95 }), async (changes, wanted) => {
      const list = createMovingList({ orders: 190, changes });
      const outcome = await findOrder(list.read, `B-${wanted}`).catch((error: unknown) => error);
      expect(outcome).not.toMatchObject({ code: 'not_found' });
    }),
  );
});

test('one number out of sequence on page 1 does not hide older orders', async () => {
  const list = numbered(5_000, (n) => (n === 7 ? 'B-17' : `B-${10_000 - n}`));
  expect(await findOrder(list.read, 'b-6000')).toMatchObject({ summary: { bestellnummer: 'B-6000' } });
});
