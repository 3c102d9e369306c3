import { installEnglishOnly } from '@order-license/testing/english-only';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import { type OrderSummary, orderStatuses } from '../model/order.ts';
import { createMovingList, listRuns } from './moving-list.fixture.ts';
import type { ReadPage } from './slice.ts';
import { type Totals, type TotalsOptions, totals } from './totals.ts';

/** A list that does not change, passed newest first; times are seconds after the start of 2026. */
const stillList = (orders: readonly (Partial<OrderSummary> & { second?: number })[]): ReadPage => {
  const all = orders.map(({ second = 0, ...order }, index) => ({
    id: index + 1,
    bestellnummer: `B-${index}`,
    status: 'bezahlt',
    zahlungsstatus: 'offen',
    gesamtpreis_brutto: '1.00',
    waehrung: 'EUR',
    created_at: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' '),
    lieferstatus: 'offen',
    ...order,
  })) as OrderSummary[];
  return async ({ page, perPage, status }) => {
    const list = all.filter((order) => status === undefined || order.status === status);
    return {
      orders: list.slice((page - 1) * perPage, page * perPage),
      pagination: { page, per_page: perPage, total: list.length, pages: Math.ceil(list.length / perPage) },
    };
  };
};

const amounts = fc.oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: -500n, max: 500n }));
const written = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const orderOf = fc.record({
  cents: amounts,
  waehrung: fc.constantFrom('EUR', 'USD', 'JPY'),
  status: fc.constantFrom(...orderStatuses, 'in_pruefung'),
  zahlungsstatus: fc.constantFrom('offen', 'bezahlt'),
  lieferstatus: fc.constantFrom('offen', 'geliefert'),
  pause: fc.integer({ min: 0, max: 3 }),
});

test('counts and sums are exact for each currency and state, for any range and statuses [U-23]', async () => {
  const statuses = fc.constantFrom(undefined, 'bezahlt' as const, ['bezahlt', 'storniert'] as const);
  const bound = fc.option(fc.integer({ min: 0, max: 450 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.array(orderOf, { maxLength: 300 }), statuses, bound, bound, async (made, status, a, b) => {
      const [from, before] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b];
      let second = made.reduce((sum, { pause }) => sum + pause, 0);
      const orders = made.map(({ cents, pause, ...order }) => {
        second -= pause;
        return { ...order, second, cents, gesamtpreis_brutto: written(cents) };
      });
      const dateOf = (at: number | undefined) =>
        at === undefined ? undefined : new Date(Date.UTC(2026, 0, 1) + at * 1000);
      const result = await totals(stillList(orders), {
        status,
        createdFrom: dateOf(from),
        createdBefore: dateOf(before),
      });

      const model = new Map<string, { count: number; cents: bigint }>();
      const wanted = orders.filter(
        (order) =>
          (status === undefined || [status].flat().some((one) => one === order.status)) &&
          (from === undefined || order.second >= from) &&
          (before === undefined || order.second < before),
      );
      for (const order of wanted) {
        const key = [order.waehrung, order.status, order.zahlungsstatus, order.lieferstatus].join();
        const group = model.get(key) ?? { count: 0, cents: 0n };
        model.set(key, { count: group.count + 1, cents: group.cents + order.cents });
      }
      const found = result.groups.map(({ waehrung, status, zahlungsstatus, lieferstatus, count, sum }) => [
        [waehrung, status, zahlungsstatus, lieferstatus].join(),
        { count, cents: BigInt(sum.replace('.', '')) },
      ]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(model));
      for (const { sum } of result.groups) expect(sum).toMatch(/^-?\d+\.\d{2}$/);
      expect(result).toMatchObject({ complete: true, gaps: [], unreadable: [], orders: wanted.length });
    }),
    listRuns,
  );
});

const place = fc.nat(100_000);
const change = fc.record({ kind: fc.constantFrom('insert' as const, 'enter' as const, 'leave' as const), place });

test('an order that stays in the list is counted once, and an order that arrives during the count is not counted [U-10]', async () => {
  const movement = fc.record({
    orders: fc.integer({ min: 0, max: 900 }),
    changes: fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 60 }),
    total: fc.constantFrom('filtered' as const, 'all' as const),
    hideEvery: fc.constantFrom(0, 0, 60),
  });
  await fc.assert(
    fc.asyncProperty(movement, fc.constantFrom(undefined, 'bezahlt' as const), async (options, status) => {
      const list = createMovingList(
        options,
        (status) => new OrderLicenseError('invalid_response', { detail: 'rejected', status }),
      );
      const given = new Map<number, OrderSummary>();
      let newest: string | undefined;
      const read: ReadPage = async (query) => {
        const response = await list.read(query);
        for (const order of response.orders) {
          newest ??= order.created_at;
          given.set(order.id, order);
        }
        return response;
      };
      const result = await totals(read, { status });
      if (status === undefined) {
        expect(result.newest).toBe(newest);
        expect(result.orders).toBe(given.size);
      } else {
        expect(result.orders).toBeGreaterThanOrEqual(list.stood().length);
        expect(result.orders).toBeLessThanOrEqual(given.size);
      }
      expect(result.orders).toBe(result.groups.reduce((sum, { count }) => sum + count, 0));
      if (!options.hideEvery && status === undefined) expect(result.complete).toBe(true);
      if (options.hideEvery && status === undefined && options.orders >= 60) expect(result.gaps).toEqual(['unseen']);
    }),
    listRuns,
  );
});

test.each(['119', '119,00', 119.005, null])(
  'lists an order with the amount %j as unreadable and adds nothing to the sum [U-22]',
  async (value) => {
    const read = stillList([{}, { gesamtpreis_brutto: value as string }, { gesamtpreis_brutto: '0.10' }]);
    expect(await totals(read, {})).toMatchObject({
      groups: [{ count: 3, sum: '1.10', unreadable: 1 }],
      unreadable: [{ id: 2, field: 'gesamtpreis_brutto', value }],
      complete: true,
    });
  },
);

test('does not add up amounts without a currency [U-23]', async () => {
  const read = stillList([{}, { waehrung: undefined as never }, { waehrung: undefined as never }]);
  const { groups, unreadable } = await totals(read, {});
  expect(groups).toMatchObject([
    { waehrung: 'EUR', count: 1, sum: '1.00' },
    { waehrung: null, count: 2, sum: '0.00', unreadable: 2 },
  ]);
  expect(unreadable.map(({ id, field }) => [id, field])).toEqual([
    [2, 'waehrung'],
    [3, 'waehrung'],
  ]);
});

test('counts an order without a date if no range is set, and otherwise lists it as unreadable [U-24]', async () => {
  const read = stillList([{ second: 9 }, { created_at: '0000-00-00 00:00:00' }, { second: 3 }]);
  expect(await totals(read, {})).toMatchObject({ orders: 3, complete: true, unreadable: [] });
  expect(await totals(read, { createdFrom: new Date(Date.UTC(2026, 0, 1)) })).toMatchObject({
    orders: 2,
    complete: false,
    gaps: ['undated'],
    unreadable: [{ id: 2, field: 'created_at' }],
  });
});

test('reports an unsorted list as incomplete, and misses no order on a later page [U-63]', async () => {
  expect(await totals(stillList([{ second: 1 }, { second: 2 }]), {})).toMatchObject({
    orders: 2,
    complete: false,
    gaps: ['unsorted'],
  });
  const pages = Array.from({ length: 100 }, (_, index) => ({ second: index < 50 ? 1 : 2 }));
  expect(await totals(stillList(pages), {})).toMatchObject({ orders: 100, complete: false, gaps: ['unsorted'] });
});

test('totals include the rows behind `pages`, and are complete although the count is cached', async () => {
  const list = stillList(Array.from({ length: 103 }, (_, index) => ({ second: 120 - index })));
  const read: ReadPage = async (query) => {
    const { orders, pagination } = await list(query);
    return { orders, pagination: { ...pagination, total: 100, pages: Math.floor(100 / query.perPage) } };
  };
  for (const options of [{}, { createdFrom: new Date(0) }, { maxRequests: 10 }, { status: 'bezahlt' as const }]) {
    expect(await totals(read, options)).toMatchObject({ orders: 103, complete: true });
  }
});

test.each([
  ['the last page has fewer orders than `total` counts', 100, 140],
  ['a page before the last is short', 60, 140],
])('totals are not complete if %s', async (_, count, total) => {
  const list = stillList(Array.from({ length: count }, (_, index) => ({ second: 120 - index })));
  const read: ReadPage = async (query) => {
    const { orders, pagination } = await list(query);
    return { orders, pagination: { ...pagination, total, pages: Math.ceil(total / query.perPage) } };
  };
  for (const options of [{}, { createdFrom: new Date(0) }, { status: 'bezahlt' as const }]) {
    expect(await totals(read, options)).toMatchObject({ orders: count, complete: false, gaps: ['unseen'] });
  }
});

test('after each request, reports the totals up to the last complete second, marked `unfinished`', async () => {
  const seen: Totals[] = [];
  const read = stillList(Array.from({ length: 120 }, (_, index) => ({ second: 120 - index })));
  const result = await totals(read, { onProgress: (soFar) => seen.push(soFar) });
  expect(seen.map(({ orders, requests, complete, gaps }) => [orders, requests, complete, gaps])).toEqual([
    [49, 1, false, ['unfinished']],
    [99, 2, false, ['unfinished']],
    [119, 3, false, ['unfinished']],
  ]);
  expect(result).toMatchObject({ newest: '2026-01-01 00:02:00', oldest: '2026-01-01 00:00:01', complete: true });
});

/** Returns an amount for each order. The sum of such amounts shows which orders it includes, and reveals duplicates. */
const amountOf = (id: number): string => `${2n ** BigInt(id)}.00`;
const idsIn = (sum: bigint): number[] => {
  const bits = sum.toString(2);
  return [...bits].flatMap((bit, index) => (bit === '1' ? [bits.length - 1 - index] : []));
};

/** Counts in parts of `maxRequests`, and passes each `continue` through JSON. */
const inParts = async (read: ReadPage, options: TotalsOptions): Promise<Totals[]> => {
  const parts: Totals[] = [];
  for (let more: TotalsOptions | undefined = options; more; ) {
    const part = await totals(read, more);
    parts.push(part);
    more = part.continue && {
      ...options,
      createdBefore: new Date(JSON.parse(JSON.stringify(part.continue)).createdBefore),
    };
  }
  return parts;
};

test('once the count is past the start of the range, its progress has no `continue`', async () => {
  const read = stillList(Array.from({ length: 60 }, (_, index) => ({ second: 60 - index })));
  const createdFrom = new Date(Date.UTC(2026, 0, 1) + 20_000);
  const seen: Totals[] = [];
  await totals(read, { createdFrom, onProgress: (soFar) => seen.push({ ...soFar }) });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((soFar) => soFar.continue && soFar.continue.createdBefore <= createdFrom)).toEqual([]);
});

test('the parts of a count contain each order once, however the list changes [U-10]', async () => {
  const movement = fc.record({
    orders: fc.integer({ min: 0, max: 900 }),
    changes: fc.oneof(fc.constant([]), fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 80 })),
    sameTimes: fc.boolean(),
    pastEnd: fc.constantFrom('empty' as const, 'error' as const, 'last page' as const),
  });
  const filters = fc.record({
    status: fc.constantFrom(undefined, 'bezahlt' as const, ['bezahlt', 'storniert'] as const),
    range: fc.option(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      movement,
      filters,
      fc.integer({ min: 1, max: 12 }),
      async (options, { status, range }, maxRequests) => {
        const list = createMovingList(
          options,
          (status) => new OrderLicenseError('invalid_response', { detail: 'rejected', status }),
        );
        const [from, before] = range?.toSorted((a, b) => a - b) ?? [];
        const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
        const dates =
          from === undefined || before === undefined ? {} : { createdFrom: at(from), createdBefore: at(before) };
        const isIn = ({ created_at }: OrderSummary) => {
          const created = new Date(`${created_at.replace(' ', 'T')}Z`);
          return !dates.createdFrom || (created >= dates.createdFrom && created < dates.createdBefore);
        };
        const read: ReadPage = async (query) => {
          const response = await list.read(query);
          const orders = response.orders.map((order) => ({ ...order, gesamtpreis_brutto: amountOf(order.id) }));
          return { ...response, orders };
        };
        const parts = await inParts(read, { status, ...dates, maxRequests });
        const groups = parts.flatMap((part) => part.groups);
        const ids = idsIn(groups.reduce((sum, group) => sum + BigInt(group.sum.slice(0, -3)), 0n));
        expect(ids).toHaveLength(parts.reduce((sum, part) => sum + part.orders, 0));
        if (parts.some(({ gaps }) => gaps.some((gap) => gap !== 'unfinished'))) return;
        expect(list.stoodOrders().filter((order) => isIn(order) && !ids.includes(order.id))).toEqual([]);
        // Orders that arrived after the first response are not counted.
        if (status === undefined && !range) {
          expect(ids.toReversed()).toEqual(Array.from({ length: options.orders }, (_, index) => index + 1));
        }
      },
    ),
    listRuns,
  );
});

test('a count ends after `maxRequests` with the last complete second, and says how to continue', async () => {
  const read = stillList(Array.from({ length: 230 }, (_, index) => ({ second: 230 - Math.floor(index / 3) })));
  const once = await totals(read, {});
  const parts = await inParts(read, { maxRequests: 3 });
  expect(parts[0]).toMatchObject({
    complete: false,
    gaps: ['unfinished'],
    requests: 3,
    orders: 147,
    continue: { createdBefore: new Date(Date.UTC(2026, 0, 1) + 182_000) },
  });
  expect(parts.at(-1)).toMatchObject({ complete: true, gaps: [] });
  expect(parts.at(-1)?.continue).toBeUndefined();
  expect(parts.reduce((sum, { orders }) => sum + orders, 0)).toBe(once.orders);
});

test('passes each counted order to `onOrders` once, and ends after `maxOrders`', async () => {
  const read = stillList(Array.from({ length: 230 }, (_, index) => ({ second: 230 - Math.floor(index / 3) })));
  const passed: number[] = [];
  const onOrders = (orders: readonly OrderSummary[]) => passed.push(...orders.map(({ id }) => id));
  const [first, ...others] = await inParts(read, { maxOrders: 60, onOrders });
  expect(first).toMatchObject({ orders: 99, gaps: ['unfinished'] });
  expect(others.at(-1)).toMatchObject({ complete: true });
  expect(passed).toEqual(Array.from({ length: 230 }, (_, index) => index + 1));
});

test('a partial count without a range reports that the API omitted orders', async () => {
  const read = stillList(Array.from({ length: 200 }, (_, index) => ({ second: 200 - index })));
  const withGap: ReadPage = async (query) => {
    const list = await read(query);
    return query.page === 1 ? { ...list, orders: list.orders.toSpliced(20, 1) } : list;
  };
  expect(await totals(withGap, { maxRequests: 2 })).toMatchObject({ gaps: ['unfinished', 'unseen'] });
});

test('a count that covers the whole range within `maxRequests` is complete', async () => {
  const read = stillList(Array.from({ length: 99 }, (_, index) => ({ second: 100 - index })));
  expect(await totals(read, { maxRequests: 2 })).toMatchObject({ orders: 99, complete: true, requests: 2 });
});

test('counts all orders of a second in one call, even beyond `maxRequests`', async () => {
  const read = stillList(Array.from({ length: 230 }, (_, index) => ({ second: index < 130 ? 9 : 8 })));
  expect(await totals(read, { maxRequests: 1 })).toMatchObject({ orders: 130, requests: 3, complete: false });
});

test('reports that the count did not reach the range if `maxRequests` ends it first', async () => {
  const read = stillList(Array.from({ length: 400 }, (_, index) => ({ second: index })));
  const createdBefore = new Date(Date.UTC(2026, 0, 1));
  const part = await totals(read, { createdBefore, maxRequests: 1 });
  expect(part).toMatchObject({ orders: 0, complete: false, gaps: ['unsearched', 'unsorted'] });
  expect(part.continue).toBeUndefined();
});

test.each([
  ['day', 'UTC', ['2026-03-02', '2026-03-01', '2026-02-28']],
  ['week', 'UTC', ['2026-03-02', '2026-02-23']],
  ['month', 'UTC', ['2026-03-01', '2026-02-01']],
  ['day', 'Europe/Berlin', ['2026-03-03', '2026-03-01']],
  ['month', 'America/New_York', ['2026-03-01', '2026-02-01']],
] as const)('counts the orders of each %s in %s separately', async (groupBy, timeZone, periods) => {
  const dates = ['2026-03-02 23:30:00', '2026-03-01 03:00:00', '2026-02-28 23:30:00'];
  const read = stillList(dates.map((created_at) => ({ created_at })));
  const { groups, complete } = await totals(read, { groupBy, timeZone });
  expect([...new Set(groups.map(({ period }) => period))]).toEqual(periods);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(3);
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

test.each([
  ['day', '0001-01-01'],
  ['week', '0001-01-01'],
  ['month', '0001-01-01'],
] as const)('groups an order from the year 1 by %s', async (groupBy, period) => {
  const { groups } = await totals(stillList([{ created_at: '0001-01-01 00:00:00' }]), { groupBy });
  expect(groups).toMatchObject([{ period, count: 1 }]);
});

test('rejects invalid limits, periods and time zones before anything is read', async () => {
  const never: ReadPage = () => {
    throw new Error('It was read.');
  };
  for (const options of [
    { maxRequests: 0 },
    { maxRequests: 1.5 },
    { maxOrders: 0 },
    { groupBy: 'year' },
    { groupBy: 'day', timeZone: 'Mars' },
    { timeZone: 'UTC' },
  ]) {
    await expect(totals(never, options as TotalsOptions)).rejects.toMatchObject({ code: 'bad_request' });
  }
});

const reject = (status: 400 | 404) => new OrderLicenseError('invalid_response', { detail: 'rejected', status });

test.each(['bezahlt', undefined] as const)(
  'totals of a list with randomly sorted ties are correct, or reported as incomplete (status: %s) [U-09]',
  async (status) => {
    let wrong = 0;
    for (let n = 1; n <= 100; n++) {
      const list = createMovingList({ orders: 200 + n, changes: [], sameTimes: true, shufflesTies: true }, reject);
      const sums = await totals(list.read, { status });
      const right = status ? list.stood().length : list.listed().length;
      if (sums.complete && sums.orders !== right) wrong += 1;
    }
    expect(wrong).toBe(0);
  },
);

test('totals are complete if every order of the first count was read, although one was removed since', async () => {
  const changes = [[], [{ kind: 'remove' as const, place: 390 }]];
  const list = createMovingList({ orders: 400, changes }, reject);
  expect(await totals(list.read, {})).toMatchObject({ orders: 400, complete: true, gaps: [] });
});

test('totals are not complete if an order was removed before it was read', async () => {
  const changes = [[], [{ kind: 'remove' as const, place: 90 }]];
  const list = createMovingList({ orders: 400, changes }, reject);
  expect(await totals(list.read, {})).toMatchObject({ orders: 399, complete: false, gaps: ['unseen', 'removed'] });
});

test('`maxRequests` ends the count even if the newest order has no date', async () => {
  const orders = Array.from({ length: 230 }, (_, index) => ({ second: 230 - index }));
  const read = stillList([{ created_at: '0000-00-00 00:00:00' }, ...orders]);
  const part = await totals(read, { maxRequests: 2 });
  expect(part).toMatchObject({ requests: 2, gaps: ['unfinished'] });
  expect(part.continue?.createdBefore).toEqual(new Date(Date.UTC(2026, 0, 1) + 133_000));
});
