import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import {
  anyMovingList,
  at,
  createMovingList,
  type ListChange,
  listRuns,
  type MovingListOptions,
  orderOf,
  pastEnds,
  walked,
} from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';
import { type WalkOptions, walkOrders, walkPages } from './walk.ts';

type Walk = WalkOptions & { status?: StatusFilter };
const paid = { status: 'bezahlt' } as const;
const arrivals = (count: number): ListChange => ({ kind: 'insert', place: 0, count });
const none = { failsAt: undefined, from: 0, before: 1_000 };
/** Many orders leave while orders arrive, and every page is short: the walk goes back far above what it has read. */
const shortWayDown: MovingListOptions = {
  orders: 794,
  changes: [[], [arrivals(1)], [arrivals(2)], [], [arrivals(3), { kind: 'leave', place: 14_687, count: 144 }]],
  hideEvery: 7,
};
/** 80 of the 200 filtered orders are in range. The newest 45 leave the filter, so page 2 begins with the 96th order. */
const skipsOrders: MovingListOptions = { orders: 300, changes: [[{ kind: 'leave', place: 155, count: 45 }]] };

test.each<[string, Walk, boolean, boolean]>([
  ['the whole list', {}, false, false],
  ['a filtered list', paid, false, false],
  ['a range up to now of a filtered list', paid, true, false],
  ['a range', {}, true, true],
  ['a range of a filtered list', paid, true, true],
])(
  'a walk over %s misses no order that stays in it and returns none twice, however the list changes, even if it is resumed after an error [U-10 U-63]',
  async (_, { status }, hasFrom, hasBefore) => {
    const walks = fc.record({
      failsAt: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
      from: fc.nat(900),
      before: fc.nat(900),
    });
    await fc.assert(
      fc.asyncProperty(anyMovingList, walks, async (options, { failsAt, ...bounds }) => {
        const list = createMovingList(options);
        let calls = 0;
        const read: ReadPage = async (query) => {
          calls += 1;
          if (calls === failsAt) throw new OrderLicenseError('server', { detail: 'down', status: 500 });
          return list.read(query);
        };
        const [from, before] = hasBefore ? [bounds.from, bounds.before].sort((a, b) => a - b) : [bounds.from];
        const createdFrom = hasFrom ? at(from as number) : undefined;
        const createdBefore = before === undefined ? undefined : at(before);
        const isIn = ({ created_at }: OrderSummary): boolean => {
          const created = new Date(`${created_at.replace(' ', 'T')}Z`);
          return !(createdFrom && created < createdFrom) && !(createdBefore && created >= createdBefore);
        };
        const walk = walkOrders(walkPages(read, { status, createdFrom, createdBefore }));
        const orders: OrderSummary[] = [];
        const goOn = async () => {
          for await (const order of walk) orders.push(order);
        };
        await goOn().catch(goOn);
        const ids = new Set(orders.map(({ id }) => id));
        expect(ids.size).toBe(orders.length);
        expect(orders.every(isIn)).toBe(true);
        expect(list.stood(status).filter((order) => isIn(order) && !ids.has(order.id))).toEqual([]);
        if (status || hasFrom) return;
        // Rows that the API counts but omits are the only gap.
        const hidden = options.hideEvery ? Math.floor(options.orders / options.hideEvery) : 0;
        expect(walk.gaps).toEqual(hidden > 0 ? ['unseen'] : []);
      }),
      {
        ...listRuns,
        examples: [
          [shortWayDown, none],
          [skipsOrders, { ...none, from: 180 }],
        ],
      },
    );
  },
);

const count = fc.integer({ min: 1, max: 60 });
const removed = fc.record({ kind: fc.constant('remove' as const), place: fc.nat(1_000), count });
const arrived = fc.constant(arrivals(1));
const removal = fc.oneof<fc.MaybeWeightedArbitrary<ListChange>[]>(
  { weight: 2, arbitrary: removed },
  { weight: 1, arbitrary: arrived },
);
const removalsOf = (atOnce: number, times = 20) =>
  fc.array(fc.array(removal, { maxLength: atOnce }), { maxLength: times });

test('a walk over a list from which orders are removed returns all the others or reports a gap, but never `unsorted` [U-10]', async () => {
  const lists = fc.record({
    orders: fc.integer({ min: 0, max: 600 }),
    changes: fc.oneof(removalsOf(2), removalsOf(8)),
    largestPage: fc.constantFrom(50, 50, 50, 20, 7),
    pastEnd: pastEnds,
  });
  const ranges = fc.option(fc.tuple(fc.nat(600), fc.nat(600)), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(lists, ranges, async (options, range) => {
      const list = createMovingList(options);
      const [from = 0, before = 1e6] = range?.toSorted((a, b) => a - b) ?? [];
      const { ids, gaps } = await walked(list.read, range && { createdFrom: at(from), createdBefore: at(before) });
      // The fixture numbers orders by age: one every second.
      const missing = list.stood().filter(({ id }) => id > from && id <= before && !ids.includes(id));
      if (missing.length > 0) expect(gaps).toContain('removed');
      expect(gaps).not.toContain('unsorted');
    }),
    { numRuns: 2 * listRuns.numRuns },
  );
});

test('a walk loses no order when up to ten others are removed before each request [U-10]', async () => {
  let requests = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const below = (limit: number, n: number) => ((seed * 7_919 + n * 104_729) % 10_007) % limit;
    const changes = Array.from({ length: 100 }, (_, n) => [
      { kind: 'remove' as const, place: below(900, n), count: 1 + below(10, n + 50) },
    ]);
    const list = createMovingList({ orders: 900, changes });
    const { ids } = await walked(list.read);
    expect(list.stood().filter(({ id }) => !ids.includes(id))).toEqual([]);
    requests += list.requests();
  }
  expect(requests / 30).toBeLessThan(2 * 18);
});

const changesOf = (...kinds: ListChange['kind'][]): fc.Arbitrary<ListChange[][]> =>
  fc.array(
    fc.oneof(
      fc.constant<ListChange[]>([]),
      fc.array(fc.record({ kind: fc.constantFrom(...kinds), place: fc.nat(9_999) }), { maxLength: 4 }),
    ),
    { maxLength: 20 },
  );
const lags = fc.array(fc.constantFrom(0, 0, 1, 2, 5), { minLength: 1, maxLength: 7 });
const cachedFor = fc.integer({ min: 1, max: 12 });
const sameTimes = fc.boolean();
const always = fc.constant(true);

test.each<[string, { [Option in keyof MovingListOptions]?: fc.Arbitrary<MovingListOptions[Option]> }]>([
  ['copies that lag', { lags, sameTimes }],
  ['a cached count', { cachedFor, sameTimes, shufflesTies: fc.boolean() }],
  ['copies that lag, and a cached count', { lags, cachedFor, sameTimes, shufflesTies: fc.boolean() }],
  [
    'a changing sequence of orders with the same time',
    { sameTimes: always, shufflesTies: always, changes: removalsOf(2, 3) },
  ],
])('a walk loses no order silently if the API has %s [U-09 U-10]', async (_, options) => {
  const recent = { createdFrom: at(30), createdBefore: at(1e7) };
  const from = orderOf(0, 30).created_at;
  for (const filter of [{}, recent, { limit: 150 }, paid] as Walk[]) {
    const { status } = filter;
    const changes = status ? changesOf('insert', 'enter', 'leave') : changesOf('insert');
    const lists = fc.record({ orders: fc.integer({ min: 0, max: 400 }), changes, pastEnd: pastEnds, ...options });
    await fc.assert(
      fc.asyncProperty(lists, async (made) => {
        const list = createMovingList(made as MovingListOptions);
        const { ids, orders, gaps } = await walked(list.read, filter);
        // A limit can end the walk within a second.
        const oldest = filter.limit && ids.length === filter.limit ? orders.at(-1)?.created_at : undefined;
        const isAsked = ({ created_at }: OrderSummary) =>
          oldest ? created_at > oldest : filter !== recent || created_at >= from;
        const missing = list.stood(status).filter((order) => isAsked(order) && !ids.includes(order.id));
        if (missing.length > 0) expect(gaps).not.toEqual([]);
      }),
      listRuns,
    );
  }
});
