import { installEnglishOnly } from '@order-license/testing/english-only';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OrderSummary, orderStatuses } from '../model/order.ts';
import { anyMovingList, at, createMovingList, listOf, listRuns, orderOf, withOrders } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';
import { type TotalsOptions, totals } from './totals.ts';

type Row = Partial<OrderSummary> & { second?: number };

/** A list that does not change, passed newest first; the API counts `total` orders. */
const stillList = (rows: readonly Row[], total?: number): ReadPage => {
  const all = rows.map(({ second, ...fields }, index) => orderOf(index + 1, second, fields));
  return async ({ status, ...slice }) =>
    listOf(
      all.filter((order) => status === undefined || order.status === status),
      slice,
      total,
    );
};
/** `count` orders, newest first, the newest created at the second `count`. */
const rows = (count: number, secondOf = (index: number) => count - index): Row[] =>
  Array.from({ length: count }, (_, index) => ({ second: secondOf(index) }));
const undated = { created_at: '0000-00-00 00:00:00' };

const amounts = fc.oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: -500n, max: 500n }));
const written = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const anyOrder = fc.record({
  cents: amounts,
  waehrung: fc.constantFrom('EUR', 'USD', 'JPY'),
  status: fc.constantFrom(...orderStatuses, 'in_pruefung'),
  zahlungsstatus: fc.constantFrom('offen', 'bezahlt'),
  lieferstatus: fc.constantFrom('offen', 'geliefert'),
  pause: fc.integer({ min: 0, max: 3 }),
});
const statuses = fc.constantFrom(undefined, 'bezahlt' as const, ['bezahlt', 'storniert'] as const);

test('counts and sums are exact for each currency and state, for any range and statuses [U-23]', async () => {
  const bound = fc.option(fc.integer({ min: 0, max: 450 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.array(anyOrder, { maxLength: 300 }), statuses, bound, bound, async (made, status, a, b) => {
      const [from, before] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b];
      let second = made.reduce((sum, { pause }) => sum + pause, 0);
      const orders = made.map(({ cents, pause, ...order }) => {
        second -= pause;
        return { ...order, second, cents, gesamtpreis_brutto: written(cents) };
      });
      const result = await totals(stillList(orders), {
        status,
        createdFrom: from === undefined ? undefined : at(from),
        createdBefore: before === undefined ? undefined : at(before),
      });

      const wanted = orders.filter(
        (order) =>
          (status === undefined || [status].flat().some((one) => one === order.status)) &&
          (from === undefined || order.second >= from) &&
          (before === undefined || order.second < before),
      );
      const model: Record<string, { count: number; cents: bigint }> = {};
      for (const order of wanted) {
        const key = [order.waehrung, order.status, order.zahlungsstatus, order.lieferstatus].join();
        const { count, cents } = model[key] ?? { count: 0, cents: 0n };
        model[key] = { count: count + 1, cents: cents + order.cents };
      }
      const found = result.groups.map(({ waehrung, status, zahlungsstatus, lieferstatus, count, sum }) => [
        [waehrung, status, zahlungsstatus, lieferstatus].join(),
        { count, cents: BigInt(sum.replace('.', '')) },
      ]);
      expect(Object.fromEntries(found)).toEqual(model);
      for (const { sum } of result.groups) expect(sum).toMatch(/^-?\d+\.\d{2}$/);
      expect(result).toMatchObject({ complete: true, gaps: [], unreadable: [], orders: wanted.length });
    }),
    listRuns,
  );
});

/** An amount for each order. The sum of such amounts shows which orders it includes, and reveals duplicates. */
const amountOf = (id: number): string => `${2n ** BigInt(id)}.00`;
const idsIn = (sum: bigint): number[] => {
  const bits = sum.toString(2);
  return [...bits].flatMap((bit, index) => (bit === '1' ? [bits.length - 1 - index] : []));
};

test('totals include each order once, however the list changes, and no order that arrives during the count [U-10]', async () => {
  const range = fc.option(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(anyMovingList, statuses, range, async (options, status, range) => {
      const list = createMovingList(options);
      const read = withOrders(list.read, (orders) =>
        orders.map((order) => ({ ...order, gesamtpreis_brutto: amountOf(order.id) })),
      );
      const [from, before] = range?.toSorted((a, b) => a - b).map(at) ?? [];
      const isIn = ({ created_at }: OrderSummary) => {
        const created = new Date(`${created_at.replace(' ', 'T')}Z`);
        return !from || !before || (created >= from && created < before);
      };
      const { groups, orders, gaps } = await totals(read, { status, createdFrom: from, createdBefore: before });
      const ids = idsIn(groups.reduce((sum, group) => sum + BigInt(group.sum.slice(0, -3)), 0n));
      expect(ids).toHaveLength(orders);
      const isWhole = status === undefined && !range;
      const isHidden = options.hideEvery && options.orders >= options.hideEvery;
      if (isWhole) expect(gaps).toEqual(isHidden ? ['unseen'] : []);
      if (gaps.length > 0) return;
      const stood = list.stood(status && 'bezahlt');
      expect(stood.filter((order) => isIn(order) && !ids.includes(order.id))).toEqual([]);
      if (isWhole && !isHidden) expect(ids.length).toBe(options.orders);
      if (isWhole) expect(Math.max(0, ...ids)).toBeLessThanOrEqual(options.orders);
    }),
    { numRuns: 2 * listRuns.numRuns },
  );
});

const removed = (place: number) => createMovingList({ orders: 400, changes: [[], [{ kind: 'remove', place }]] }).read;

test.each<[string, ReadPage, TotalsOptions, object]>([
  [
    'an amount or a currency cannot be read [U-22]',
    stillList([{}, { gesamtpreis_brutto: '119,00' }, { waehrung: null as never }]),
    {},
    { orders: 3, complete: true, unreadable: [{ id: 2, field: 'gesamtpreis_brutto', value: '119,00' }, { id: 3 }] },
  ],
  [
    'an order has no date [U-24]',
    stillList([undated, { second: 9 }, { second: 5 }, { second: 3 }]),
    {},
    { orders: 4, complete: true, unreadable: [], newest: '2026-01-01 00:00:09', oldest: '2026-01-01 00:00:03' },
  ],
  [
    'an order of a range has no date [U-24]',
    stillList([{ second: 9 }, undated, { second: 3 }]),
    { createdFrom: at(0) },
    { orders: 2, complete: false, gaps: ['undated'], unreadable: [{ id: 2, field: 'created_at' }] },
  ],
  [
    'the list is not sorted [U-63]',
    stillList([{ second: 1 }, { second: 2 }]),
    {},
    { orders: 2, complete: false, gaps: ['unsorted'], newest: '2026-01-01 00:00:02', oldest: '2026-01-01 00:00:01' },
  ],
  ['an order was removed after it was read', removed(390), {}, { orders: 400, complete: true, gaps: [] }],
  [
    'an order was removed before it was read',
    removed(90),
    {},
    { orders: 399, complete: false, gaps: ['unseen', 'removed'] },
  ],
])('reports what was counted, and whether it is complete, if %s', async (_, read, options, expected) => {
  expect(await totals(read, options)).toMatchObject(expected);
});

test('totals are complete even if the list has more rows than its cached count', async () => {
  for (const options of [{}, { createdFrom: new Date(0) }, { status: 'bezahlt' as const }]) {
    expect(await totals(stillList(rows(103), 100), options)).toMatchObject({ orders: 103, complete: true });
  }
});

const dates = ['2026-03-02 23:30:00', '2026-03-01 03:00:00', '2026-02-28 23:30:00'];
const ofYear1 = ['0001-01-01 00:00:00'];

test.each([
  ['day', 'UTC', dates, ['2026-03-02', '2026-03-01', '2026-02-28']],
  ['week', 'UTC', dates, ['2026-03-02', '2026-02-23']],
  ['month', 'UTC', dates, ['2026-03-01', '2026-02-01']],
  ['day', 'Europe/Berlin', dates, ['2026-03-03', '2026-03-01']],
  ['month', 'America/New_York', dates, ['2026-03-01', '2026-02-01']],
  ['day', undefined, ofYear1, ['0001-01-01']],
  ['week', undefined, ofYear1, ['0001-01-01']],
  ['month', undefined, ofYear1, ['0001-01-01']],
] as const)('counts the orders of each %s in %s separately: %j', async (groupBy, timeZone, dates, periods) => {
  const read = stillList(dates.map((created_at) => ({ created_at })));
  const { groups, complete } = await totals(read, { groupBy, timeZone });
  expect([...new Set(groups.map(({ period }) => period))]).toEqual(periods);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(dates.length);
  expect(complete).toBe(true);
});

test('groups by day in a Node that has only English locale data, such as the package of Alpine', async () => {
  const restore = installEnglishOnly();
  try {
    const read = stillList([{ created_at: '2026-07-01 22:05:09' }]);
    const { groups } = await totals(read, { groupBy: 'day', timeZone: 'Europe/Berlin' });
    expect(groups.map(({ period }) => period)).toEqual(['2026-07-02']);
  } finally {
    restore();
  }
});

test.each([{ groupBy: 'year' }, { groupBy: 'day', timeZone: 'Mars' }, { timeZone: 'UTC' }])(
  'rejects %o before anything is read',
  async (options) => {
    const never: ReadPage = () => {
      throw new Error('The list was read.');
    };
    await expect(totals(never, options as TotalsOptions)).rejects.toMatchObject({ code: 'bad_request' });
  },
);
