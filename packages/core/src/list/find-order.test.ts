import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ErrorCode, isOrderLicenseError, OrderLicenseError } from '../base/errors.ts';
import type { OrderSearch } from '../base/order-search.ts';
import { abortedError } from '../base/stops.ts';
import type { OrderSummary } from '../model/order.ts';
import { createOrderFinder, type FindOptions } from './find-order.ts';
import { createMovingList, listRuns } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';

const finderOf = (read: ReadPage) => createOrderFinder(() => ({ read, waitForTurn: (turn) => turn }));
const findOrder = (read: ReadPage, orderNumber: string, options?: FindOptions) =>
  finderOf(read).find(orderNumber, options);

/** Returns the error of a search without a match. */
const missOf = async (finding: Promise<unknown>): Promise<{ code: ErrorCode; message: string } & OrderSearch> => {
  const error = await finding.then(() => undefined).catch((thrown: unknown) => thrown);
  if (!isOrderLicenseError(error) || !error.search) throw error ?? new Error('The order was found.');
  return { ...error.search, code: error.code, message: error.message };
};

const listOf = (...numbers: unknown[]) => {
  let requests = 0;
  const orders = numbers.map((bestellnummer, n) => ({ id: n + 1, bestellnummer }) as OrderSummary);
  const read: ReadPage = async ({ page }) => {
    requests += 1;
    return { orders, pagination: { page, per_page: 50, total: orders.length, pages: 1 } };
  };
  return { read, requests: () => requests };
};

test('compares order numbers as strings, even if the API or the caller uses numbers', async () => {
  for (const listed of [20260042, '20260042']) {
    for (const wanted of [20260042, '20260042', ' 20260042 ']) {
      const { summary } = await findOrder(listOf('B-1', listed).read, wanted as string);
      expect(summary.id).toBe(2);
    }
  }
  expect(await missOf(findOrder(listOf(null, undefined, {}).read, 'null'))).toMatchObject({ code: 'not_found' });
});

test.each(['#B-2026-7', '„b-2026-7“', 'B-2026-7.'])('finds an order by its number written as %s', async (written) => {
  const { summary } = await findOrder(listOf('B-2026-8', 'B-2026-7', 'B-2026-6').read, written);
  expect(summary.bestellnummer).toBe('B-2026-7');
});

test('of two numbers that differ only in signs around them, finds the one that was asked for', async () => {
  const list = listOf('#7', '7');
  expect((await findOrder(list.read, '7')).summary.bestellnummer).toBe('7');
  expect((await findOrder(list.read, '#7')).summary.bestellnummer).toBe('#7');
});

test('a number without its leading zeros is expected beside the order that has them', async () => {
  const list = numbered(300, (n) => `B-2026-${String(1_000 - n).padStart(6, '0')}`);
  expect(await missOf(findOrder(list.read, 'B-2026-800'))).toMatchObject({
    code: 'not_located',
    between: { newer: 'B-2026-000801', older: 'B-2026-000800' },
  });
});

test('rejects invalid order numbers and options before anything is read', async () => {
  const { read, requests } = listOf('B-1');
  for (const wanted of ['', '  ', null, undefined, {}, Number.NaN, 1.5]) {
    await expect(findOrder(read, wanted as string)).rejects.toMatchObject({ code: 'bad_request' });
  }
  await expect(findOrder(read, 'B-1', { maxRequests: 0 })).rejects.toMatchObject({ code: 'bad_request' });
  expect(requests()).toBe(0);
});

/**
 * A list of `count` orders, newest first. `numberOf` gets an index, 0 for the newest, and returns the order's number;
 * `arrive` adds an order at the top.
 */
const numbered = (count: number, numberOf: (n: number) => string) => {
  let requests = 0;
  const orderOf = (n: number) =>
    ({
      id: n < 0 ? 1_000_000 - n : n + 1,
      bestellnummer: numberOf(n),
      created_at: String(2_000_000 - n),
    }) as OrderSummary;
  const all = Array.from({ length: count }, (_, n) => orderOf(n));
  let arrived = 0;
  const arrive = () => void all.unshift(orderOf(-++arrived));
  const read: ReadPage = async ({ page, perPage }) => {
    requests += 1;
    const orders = all.slice((page - 1) * perPage, page * perPage);
    const total = all.length;
    return { orders, pagination: { page, per_page: perPage, total, pages: Math.ceil(total / perPage) } };
  };
  return { read, arrive, requests: () => requests };
};

test('finds an order in a long sorted list in at most 12 requests', async () => {
  const list = numbered(50_000, (n) => `B-${50_000 - n}`);
  const found = await findOrder(list.read, 'B-777');
  expect(found).toMatchObject({ summary: { bestellnummer: 'B-777' }, search: { requests: list.requests() } });
  expect(list.requests()).toBeLessThanOrEqual(12);
});

test('a number missing between two others is `not_located`, not `not_found`', async () => {
  const list = numbered(5_000, (n) => `B-${(5_000 - n) * 10}`);
  expect(await missOf(findOrder(list.read, 'B-12345'))).toMatchObject({
    code: 'not_located',
    between: { newer: 'B-12350', older: 'B-12340', newerAt: expect.any(String), olderAt: expect.any(String) },
    total: 5_000,
    message:
      'No order with the number "B-12345" was found where expected in the list, between "B-12350" and "B-12340". Check the number.',
  });
});

test.each([
  ['B-99999', { newer: undefined, older: 'B-50000' }, 'above the newest order, "B-50000"'],
  ['B-5', { newer: 'B-10', older: undefined }, 'below the oldest order, "B-10"'],
])('reports that %s would come before the newest or after the oldest order', async (wanted, between, place) => {
  const list = numbered(5_000, (n) => `B-${(5_000 - n) * 10}`);
  const miss = await missOf(findOrder(list.read, wanted));
  expect(miss).toMatchObject({ code: 'not_located', between });
  expect(miss.message).toContain(place);
});

test('reads page by page if the numbers are unsorted, and never sends more than `maxRequests`', async () => {
  const numberOf = (n: number) => `B-${(n * 7919) % 5_003}`;
  const near = numbered(5_000, numberOf);
  expect(await findOrder(near.read, numberOf(260))).toMatchObject({ summary: { id: 261 } });
  expect(near.requests()).toBeLessThanOrEqual(14);
  const far = numbered(5_000, numberOf);
  const missed = await missOf(findOrder(far.read, numberOf(4_900)));
  expect(missed).toMatchObject({ code: 'not_located', requests: 14 });
  expect(missed.between).toBeUndefined();
  expect(missed.message).toContain('raise `maxRequests`');
  expect(far.requests()).toBe(14);
});

test('a miss says down to which order the list was read without a gap', async () => {
  const unsorted = numbered(5_000, (n) => `B-${(n * 7919) % 5_003}`);
  const far = await missOf(findOrder(unsorted.read, `B-${(4_900 * 7919) % 5_003}`));
  expect(far.readDownTo).toBe(far.oldest);
  // A bisection has read page 1, and pages far below it.
  const sorted = numbered(5_000, (n) => `B-${(5_000 - n) * 10}`);
  const between = await missOf(findOrder(sorted.read, 'B-12345'));
  const { orders } = await sorted.read({ page: 1, perPage: 50, status: undefined });
  expect(between.readDownTo).toBe(orders.at(-1)?.created_at);
});

test('a number missing from a short list is `not_found`, since the whole list was read', async () => {
  const list = numbered(199, (n) => `B-${1_000 - n}`);
  expect(await missOf(findOrder(list.read, 'B-5'))).toMatchObject({
    code: 'not_found',
    searched: 199,
    message:
      'No order in this account has the number "B-5"; all 199 orders were read. Check the number: this account has numbers such as "B-1000".',
  });
  expect(list.requests()).toBe(4);
});

test('a number missing from pages of another size than requested is `not_located` [U-02]', async () => {
  const list = createMovingList(
    { orders: 120, changes: [], largestPage: 20 },
    (status) => new OrderLicenseError('invalid_response', { detail: 'rejected', status }),
  );
  expect(await missOf(findOrder(list.read, 'B-9999'))).toMatchObject({ code: 'not_located', searched: 120 });
});

/** A list whose `total` and `pages` are cached: they count fewer orders than there are. */
const withCachedCount = (count: number, more: number) => {
  const list = numbered(count + more, (n) => `B-${20_000 - n}`);
  const read: ReadPage = async (query) => {
    const response = await list.read(query);
    const pagination = { ...response.pagination, total: count, pages: Math.ceil(count / query.perPage) };
    return { ...response, pagination };
  };
  return { read, oldest: `B-${20_001 - count - more}` };
};

test.each([
  [100, 3],
  [5_000, 3],
  [5_020, 43],
])('finds an order behind the `pages` of a cached count of %i, with %i more orders', async (count, more) => {
  const { read, oldest } = withCachedCount(count, more);
  expect(await findOrder(read, oldest)).toMatchObject({ summary: { bestellnummer: oldest } });
  const miss = await missOf(findOrder(read, 'B-1'));
  expect(miss).toMatchObject({ code: count === 100 ? 'not_found' : 'not_located' });
  expect(miss.searched).toBeGreaterThanOrEqual(103);
});

test('does not report `not_found` if the list omits orders that it counts', async () => {
  const list = numbered(120, (n) => `B-${1_000 - n}`);
  const read: ReadPage = async (query) => {
    const response = await list.read(query);
    return { ...response, orders: response.orders.filter(({ id }) => id !== 70) };
  };
  expect(await missOf(findOrder(read, 'B-931'))).toMatchObject({ code: 'not_located', searched: 119, total: 120 });
});

test('reports progress after each response that does not contain the order', async () => {
  const list = numbered(5_000, (n) => `B-${5_000 - n}`);
  const reported: OrderSearch[] = [];
  const { search } = await findOrder(list.read, 'B-17', { onPage: (soFar) => reported.push(soFar) });
  expect(reported.map(({ requests }) => requests)).toEqual(
    Array.from({ length: search.requests - 1 }, (_, index) => index + 1),
  );
});

test('finds an order without a request if an earlier search has read it', async () => {
  const list = numbered(50_000, (n) => `B-${50_000 - n}`);
  const finder = finderOf(list.read);
  await finder.find('B-777');
  const before = list.requests();
  expect(await finder.find('B-777')).toMatchObject({ summary: { bestellnummer: 'B-777' }, search: { requests: 0 } });
  expect((await finder.find('B-778')).search.requests).toBeLessThanOrEqual(1);
  expect(list.requests() - before).toBeLessThanOrEqual(1);
});

test.each([200, 5_000])('finds an order that arrived in a list of %i orders after an earlier search', async (count) => {
  const list = numbered(count, (n) => `B-${10_000 - n}`);
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
  const list = numbered(50_000, (n) => `B-${50_000 - n}`);
  const abort = new AbortController();
  const finder = createOrderFinder(({ signal }) => ({
    async read(query) {
      await Promise.resolve();
      if (signal?.aborted) throw abortedError(signal);
      return list.read(query);
    },
    waitForTurn: (turn) => turn,
  }));
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
          const maxRequests = Math.ceil(Math.log2(Math.max(1, (count + 500) / 50))) + 2;
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
          let separately = 0;
          let bisections = 0;
          for (const number of numbers) {
            const alone = numbered(count, numberOf);
            await findOrder(alone.read, number).catch(() => undefined);
            separately += alone.requests();
            bisections += alone.requests() > 1 ? 1 : 0;
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
      const list = createMovingList(
        { orders: 190, changes },
        (status) => new OrderLicenseError('invalid_response', { detail: 'rejected', status }),
      );
      const outcome = await findOrder(list.read, `B-${wanted}`).catch((error: unknown) => error);
      expect(outcome).not.toMatchObject({ code: 'not_found' });
    }),
  );
});

test('one number out of sequence on page 1 does not hide older orders, and case is ignored', async () => {
  const list = numbered(5_000, (n) => (n === 7 ? 'B-17' : `B-${10_000 - n}`));
  expect(await findOrder(list.read, 'b-6000')).toMatchObject({ summary: { bestellnummer: 'B-6000' } });
});

test.each(['total', 'page', 'per_page', 'created_at', 'bestellnummer', 'status'])(
  'throws only named errors if `%s` is an object that cannot be converted to text [U-59]',
  async (field) => {
    const odd = JSON.parse('[[{"toString": null}]]') as never;
    const list = numbered(5_000, (n) => `B-${5_000 - n}`);
    const read: ReadPage = async (query) => {
      const { orders, pagination } = await list.read({ ...query, perPage: 20 });
      return {
        orders: orders.map((order) => (field in order ? { ...order, [field]: odd } : order)),
        pagination: field in pagination ? { ...pagination, [field]: odd } : pagination,
      };
    };
    const outcome = await findOrder(read, 'B-17').catch((error: unknown) => error);
    if (outcome instanceof Error) expect(isOrderLicenseError(outcome)).toBe(true);
  },
);
