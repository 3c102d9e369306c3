import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { type OrderSummary, orderStatuses } from '../model/order.ts';
import { createMovingList } from './moving-list.fixture.ts';
import { type Totals, totals } from './totals.ts';
import type { ReadPage } from './walk-progress.ts';

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
  }));
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
    { numRuns: 200 },
  );
});

const place = fc.nat(100_000);
const change = fc.record({ kind: fc.constantFrom('insert' as const, 'enter' as const, 'leave' as const), place });

test('counts each order that stayed throughout once, and none that arrived during the count [U-10]', async () => {
  const movement = fc.record({
    orders: fc.integer({ min: 0, max: 900 }),
    changes: fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 60 }),
    total: fc.constantFrom('filtered' as const, 'all' as const),
    largestPage: fc.constantFrom(50, 50, 20, 7),
    hideEvery: fc.constantFrom(0, 0, 60),
  });
  await fc.assert(
    fc.asyncProperty(movement, fc.constantFrom(undefined, 'bezahlt' as const), async (options, status) => {
      const list = createMovingList(
        options,
        (status) => new OrderLicenseError('invalid_response', { detail: 'refused', status }),
      );
      const given = new Map<number, OrderSummary>();
      let newest: string | undefined;
      const read: ReadPage = async (query) => {
        const answer = await list.read(query);
        for (const order of answer.orders) {
          newest ??= order.created_at;
          given.set(order.id, order);
        }
        return answer;
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
    { numRuns: 200 },
  );
});

test.each(['119', '119,00', 119, null])(
  'lists an order with the amount %j and adds nothing to the sum [U-22]',
  async (value) => {
    const read = stillList([{}, { gesamtpreis_brutto: value as string }, { gesamtpreis_brutto: '0.10' }]);
    expect(await totals(read, {})).toMatchObject({
      groups: [{ count: 3, sum: '1.10', unreadable: 1 }],
      unreadable: [{ id: 2, field: 'gesamtpreis_brutto', value }],
      complete: true,
    });
  },
);

test('adds no amounts whose currency is missing [U-23]', async () => {
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

test('counts an order without a date if there is no range, and lists it if there is one [U-24]', async () => {
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

test('a page with omitted rows makes a range incomplete', async () => {
  const read = stillList(Array.from({ length: 200 }, (_, index) => ({ second: 200 - index })));
  const withGap: ReadPage = async (query) => {
    const list = await read(query);
    return query.page === 1 ? { ...list, orders: list.orders.toSpliced(20, 1) } : list;
  };
  const createdFrom = new Date(Date.UTC(2026, 0, 1) + 120_000);
  expect(await totals(read, { createdFrom })).toMatchObject({ orders: 81, complete: true });
  expect(await totals(withGap, { createdFrom })).toMatchObject({ orders: 80, complete: false, gaps: ['unseen'] });
});

test('reports progress after each request, unfinished until the end', async () => {
  const seen: Totals[] = [];
  const read = stillList(Array.from({ length: 120 }, (_, index) => ({ second: 120 - index })));
  const result = await totals(read, { onProgress: (soFar) => seen.push(soFar) });
  expect(seen.map(({ orders, requests, complete, gaps }) => [orders, requests, complete, gaps])).toEqual([
    [50, 1, false, ['unfinished']],
    [100, 2, false, ['unfinished']],
    [120, 3, false, ['unfinished']],
  ]);
  expect(result).toMatchObject({ newest: '2026-01-01 00:02:00', oldest: '2026-01-01 00:00:01', complete: true });
});

/** Amounts whose sum identifies the orders in it, and reveals duplicates. */
const amountOf = (id: number): string => `${2n ** BigInt(id)}.00`;
const idsIn = (sum: bigint): number[] => {
  const bits = sum.toString(2);
  return [...bits].flatMap((bit, index) => (bit === '1' ? [bits.length - 1 - index] : []));
};

test('returns the result of one call after resuming from stored positions [U-10]', async () => {
  const movement = fc.record({
    orders: fc.integer({ min: 0, max: 900 }),
    changes: fc.oneof(fc.constant([]), fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 80 })),
    largestPage: fc.constantFrom(50, 50, 20),
    pastEnd: fc.constantFrom('empty' as const, 'error' as const, 'last page' as const),
  });
  const filters = fc.record({
    status: fc.constantFrom(undefined, 'bezahlt' as const),
    range: fc.option(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { nil: undefined }),
  });
  const failures = fc.array(fc.record({ after: fc.nat(20), isReported: fc.boolean() }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(movement, filters, failures, async (options, { status, range }, failing) => {
      const list = createMovingList(
        options,
        (status) => new OrderLicenseError('invalid_response', { detail: 'refused', status }),
      );
      const [from, before] = range?.toSorted((a, b) => a - b) ?? [];
      const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
      const dates =
        from === undefined || before === undefined ? {} : { createdFrom: at(from), createdBefore: at(before) };
      const isIn = ({ created_at }: OrderSummary) => {
        const created = new Date(`${created_at.replace(' ', 'T')}Z`);
        return !dates.createdFrom || (created >= dates.createdFrom && created < dates.createdBefore);
      };
      const left = [...failing];
      let saved: string | undefined;
      let result: Totals | undefined;
      while (!result) {
        const failure = left.shift();
        let requests = 0;
        const read: ReadPage = async (query) => {
          requests += 1;
          if (failure && requests > failure.after)
            throw new OrderLicenseError('server', { detail: 'down', status: 500 });
          const answer = await list.read(query);
          const orders = answer.orders.map((order) => ({ ...order, gesamtpreis_brutto: amountOf(order.id) }));
          return { ...answer, orders };
        };
        const position = saved ? JSON.parse(saved) : undefined;
        const onProgress = (soFar: Readonly<Totals>) => {
          saved = JSON.stringify(soFar.position);
        };
        try {
          result = await totals(read, position ? { position, onProgress } : { status, ...dates, onProgress });
        } catch (error) {
          // A program that ends without an error has only the reported progress.
          if (failure?.isReported) saved = JSON.stringify((error as OrderLicenseError).position);
        }
      }
      const ids = idsIn(result.groups.reduce((sum, group) => sum + BigInt(group.sum.slice(0, -3)), 0n));
      expect(ids).toHaveLength(result.orders);
      expect(list.stoodOrders().filter((order) => isIn(order) && !ids.includes(order.id))).toEqual([]);
      if (status === undefined) expect(result).toMatchObject({ complete: true, gaps: [] });
      // Orders that arrived after the first answer are not counted.
      if (status === undefined && !range) {
        expect(ids.toReversed()).toEqual(Array.from({ length: options.orders }, (_, index) => index + 1));
      }
      if (options.changes.length === 0) {
        expect(result.orders).toBe((await totals(list.read, { status, ...dates })).orders);
      }
      expect(result.position).toBeUndefined();
    }),
    { numRuns: 200 },
  );
});

test('on an unchanging list, a count resumed after each request equals one call in every field', async () => {
  const read = stillList(
    Array.from({ length: 230 }, (_, index) => ({
      second: 230 - Math.floor(index / 3),
      gesamtpreis_brutto: index === 70 ? '7' : `${index}.05`,
      waehrung: index % 2 ? 'EUR' : 'USD',
      ...(index === 90 && { created_at: '0000-00-00 00:00:00' }),
    })),
  );
  for (const range of [{}, { createdFrom: new Date(Date.UTC(2026, 0, 1) + 180_000) }]) {
    const once = await totals(read, range);
    let position: WalkPosition | undefined;
    let result: Totals | undefined;
    for (let allowed = 1; !result && allowed < 99; ) {
      let requests = 0;
      const failing: ReadPage = (query) => {
        requests += 1;
        if (requests > allowed) throw new OrderLicenseError('server', { detail: 'down', status: 500 });
        return read(query);
      };
      const before: string = JSON.stringify([position?.at, position?.ids]);
      result = await totals(failing, position ? { position } : range).catch((error: OrderLicenseError) => {
        position = JSON.parse(JSON.stringify(error.position));
        return undefined;
      });
      // Allows one more request, since the search for the position used all of them.
      allowed = before === JSON.stringify([position?.at, position?.ids]) ? allowed + 1 : 1;
    }
    expect({ ...result, requests: 0 }).toEqual({ ...once, requests: 0 });
  }
});

test('refuses the position of another walk and a modified one before anything is read', async () => {
  const read = stillList([{ second: 2 }, { second: 1 }]);
  const seen: (WalkPosition | undefined)[] = [];
  await totals(read, { onProgress: (soFar) => seen.push(soFar.position) });
  const [good] = seen;
  const never: ReadPage = () => {
    throw new Error('It was read.');
  };
  const soFar = good?.totals as Totals;
  const wrong = [
    { ...good, totals: undefined },
    { ...good, totals: null },
    { ...good, totals: { ...soFar, groups: [{ ...soFar.groups[0], sum: 2 }] } },
    { ...good, totals: { ...soFar, groups: {} } },
    { ...good, totals: { ...soFar, orders: -1 } },
    { ...good, totals: { ...soFar, unreadable: [null] } },
    { totals: soFar },
    null,
  ];
  for (const position of wrong) {
    await expect(totals(never, { position: position as WalkPosition })).rejects.toMatchObject({ code: 'bad_request' });
  }
  await expect(totals(never, { position: good, status: 'bezahlt' })).rejects.toMatchObject({ code: 'bad_request' });
  expect(await totals(read, { position: good })).toMatchObject({ orders: 2, complete: true });
});
