import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSummary } from '../model/order.ts';
import {
  at,
  createMovingList,
  listOf,
  listRuns,
  type MovingListOptions,
  orderOf,
  pastEnds,
  walked,
} from './moving-list.fixture.ts';
import type { ReadPage, Slice } from './slice.ts';
import { walkPages } from './walk.ts';

const paid = { status: 'bezahlt' } as const;

test('a filtered walk continues after a page that is short because a row is omitted [S-53 U-10]', async () => {
  // 100 orders match the filter; the second newest is counted but never returned.
  const { ids, gaps } = await walked(createMovingList({ orders: 150, hideEvery: 149 }).read, paid);
  expect(ids).toHaveLength(99);
  expect(gaps).toEqual(['unseen']);
});

test.each<[string, number, (slice: Slice, calls: number) => boolean]>([
  ['pages within `total` return 404 [U-05]', 404, ({ page, perPage }) => page * perPage > 200],
  ['the API starts to reject every request with 400', 400, (_, calls) => calls > 20],
])('a filtered walk throws after a few requests if %s', async (_, status, isRejected) => {
  const list = createMovingList({ orders: 3_000 });
  let calls = 0;
  const read: ReadPage = async (query) => {
    calls += 1;
    if (isRejected(query, calls)) throw new OrderLicenseError('invalid_response', { detail: 'rejected', status });
    return list.read(query);
  };
  await expect(walked(read, paid)).rejects.toMatchObject({ status });
  expect(calls).toBeLessThan(30);
});

test('reads the whole list of an API that accepts only some page sizes [U-02]', async () => {
  const list = createMovingList({ orders: 600 });
  let requests = 0;
  const read: ReadPage = async (query) => {
    requests += 1;
    if ([10, 20, 50].includes(query.perPage)) return list.read(query);
    throw new OrderLicenseError('invalid_response', { detail: 'rejected', status: 400 });
  };
  const pages = [];
  for await (const page of walkPages(read, paid)) pages.push(page);
  expect(pages.at(-1)).toMatchObject({ read: 400, requests });
  // At most one request for the first page, seven for rejected windows and repeated reads of page 1, and twelve for the
  // whole list.
  expect(requests).toBeLessThanOrEqual(1 + 7 + 12);
});

/** Fails if the whole list is read. */
const filteredOnly =
  (read: ReadPage): ReadPage =>
  async (query) => {
    if (query.status === undefined) throw new Error('The whole list is read.');
    return read(query);
  };

const leave = (place: number, count: number) => [{ kind: 'leave' as const, place, count }];
/** These changes force the walk back to page 1, where 142 of 191 orders leave the filter. */
const leavesPage1 = [leave(0, 74), leave(0, 395), leave(207, 186), [], leave(105, 154), leave(0, 142)];

test('a filtered walk never reads the whole list and needs few requests, even if many orders leave the filter repeatedly [U-10]', async () => {
  const leaving = fc.tuple(fc.nat(100_000), fc.integer({ min: 49, max: 850 })).map((one) => leave(...one));
  const quiet = fc.constant<never[]>([]);
  const changes = fc.oneof({ weight: 3, arbitrary: quiet }, { weight: 1, arbitrary: leaving });
  const lists = fc.record({
    changes: fc.array(changes, { maxLength: 60 }),
    pastEnd: pastEnds,
    countsBefore: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(lists, async (options: Partial<MovingListOptions>) => {
      const list = createMovingList({ orders: 3_000, oneMatchIn: 3, ...options });
      const { ids } = await walked(filteredOnly(list.read), paid);
      expect(list.stood('bezahlt').filter(({ id }) => !ids.includes(id))).toEqual([]);
      expect(list.requests()).toBeLessThanOrEqual(60);
    }),
    { ...listRuns, examples: [[{ changes: leavesPage1, pastEnd: 'empty', countsBefore: true }]] },
  );
});

test('if many orders arrive during a filtered walk, it continues below them without reading the whole list', async () => {
  const changes = [...Array<[]>(10), [{ kind: 'insert' as const, place: 0, count: 400 }]];
  const list = createMovingList({ orders: 10_000, oneMatchIn: 10, changes });
  expect((await walked(filteredOnly(list.read), paid)).ids).toHaveLength(1_000);
});

test('a filtered walk finds its place again if 3,500 orders leave the filter while `total` is cached [U-10]', async () => {
  const changes = [...Array<[]>(90), leave(2_400, 3_500)];
  const list = createMovingList({ orders: 6_000, oneMatchIn: 1, changes, cachedFor: 500 });
  const { ids } = await walked(list.read, paid);
  expect(list.stood('bezahlt').filter(({ id }) => !ids.includes(id))).toEqual([]);
  expect(list.requests()).toBeLessThanOrEqual(170);
});

test('a walk continues to the end if, during a pause, as many orders arrive as it has read [U-10]', async () => {
  const changes = [...Array<[]>(41), [{ kind: 'insert' as const, place: 0, count: 2_100 }]];
  const { ids, gaps } = await walked(createMovingList({ orders: 4_000, changes }).read);
  expect(ids).toEqual(Array.from({ length: 4_000 }, (_, n) => 4_000 - n));
  expect(gaps).toEqual([]);
});

/** An API with these pages, whatever page size is requested. */
const pagesOf =
  (pages: OrderSummary[][]): ReadPage =>
  async ({ page }) => ({
    orders: pages[page - 1] ?? [],
    pagination: { page, per_page: 50, total: 50 * pages.length, pages: pages.length },
  });

test('a page that repeats newer orders does not end a walk with `createdFrom` [U-63]', async () => {
  const newer = Array.from({ length: 149 }, (_, n) => orderOf(1_000 - n, 900));
  const pages = [newer.slice(0, 50), [...newer.slice(1, 50), orderOf(5, 10)], newer.slice(50, 100), newer.slice(100)];
  expect((await walked(pagesOf(pages), { createdFrom: at(500) })).ids).toHaveLength(149);
});

test('only a full page of older orders ends a walk with `createdFrom`, even with a small limit [U-63]', async () => {
  const all = Array.from({ length: 60 }, (_, n) => orderOf(60 - n, n === 40 ? 20 : 10));
  const read: ReadPage = async (slice) => listOf(all, slice);
  expect((await walked(read, { createdFrom: at(15), limit: 1 })).ids).toEqual([20]);
});

test('a list that repeats itself but has a last page is not endless [U-05]', async () => {
  expect((await walked(pagesOf(Array(22).fill([orderOf(1)])))).ids).toEqual([1]);
});

test('if the API sends no `total`, a walk reports that orders created in the same second may be hidden [U-09]', async () => {
  const all = Array.from({ length: 50 }, (_, n) => orderOf(n + 1));
  // Page 2 repeats ten orders of page 1, as if the sequence of orders with the same time had changed.
  const read = pagesOf([all, all.slice(40)]);
  const uncounted: ReadPage = async (query) => {
    const { orders, pagination } = await read(query);
    return { orders, pagination: { ...pagination, total: undefined as never } };
  };
  const { ids, gaps } = await walked(uncounted);
  expect(ids).toHaveLength(50);
  expect(gaps).toEqual(['ties']);
});

test.each([
  ['needs no gap for a second that fills more than half of a page', false, []],
  ['reports a gap if orders of such a second change places', true, ['ties']],
])('a filtered walk %s [U-09]', async (_, areSwapped, expected) => {
  // The orders at the indices 20 to 69 were created in one second.
  const secondOf = (index: number): number => (index < 20 ? 900 - index : index < 70 ? 800 : 700 - index);
  const all = Array.from({ length: 120 }, (_, index) => orderOf(index + 1, secondOf(index)));
  const swapped = all.with(30, all[60] as OrderSummary).with(60, all[30] as OrderSummary);
  let requests = 0;
  const { ids, gaps } = await walked(
    async (slice) => listOf(++requests > 1 && areSwapped ? swapped : all, slice),
    paid,
  );
  expect(ids).toHaveLength(areSwapped ? 119 : 120);
  expect(gaps).toEqual(expected);
});
