import { type OrderSummary, toDate } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call } from '../client/one-call.ts';
import { movingService, orderAt, timeText } from '../testing/moving-service.fixture.ts';
import { endBefore, listPart, type Part } from './list-part.ts';
import { limitsOf, type RangeQuery, readRangeArguments } from './range.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const all: RangeQuery = { statuses: undefined, from: undefined, before: undefined, timeZone: 'UTC' };
const budget = { maxOrders: 100, maxRequests: 30 };
const timeOf = ({ created_at }: OrderSummary) => Number(toDate(created_at));
const ordersOf = ({ listed }: Part) => listed as readonly OrderSummary[];

/** Returns the end of the range that remains after a part, ms. */
const restOf = ({ rest }: Part): number | undefined => rest?.before?.getTime();

/** Returns the results of successive calls; each call reads the rest of the previous one. */
const readParts = async (query: RangeQuery, call: () => Call, limits = budget): Promise<Part[]> => {
  const parts: Part[] = [];
  let next: RangeQuery | undefined = query;
  while (next) {
    const part: Part = await listPart(next, limits, call());
    parts.push(part);
    next = part.rest;
    if (parts.length > 500) throw new Error('It goes on without end.');
  }
  return parts;
};

test('successive calls return each order of the range once, while orders arrive and change their status [U-10 U-63]', async () => {
  const states = ['bezahlt', 'ausstehend', 'storniert'] as const;
  const history = fc.record({
    steps: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 700 }),
    changes: fc.array(fc.option(fc.nat(10_000), { nil: undefined }), { maxLength: 60 }),
    arrivals: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 }),
    statuses: fc.constantFrom(undefined, ['bezahlt'] as const, ['bezahlt', 'storniert'] as const),
    from: fc.option(fc.integer({ min: -5, max: 500 }), { nil: undefined }),
    length: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    limits: fc.record({ maxOrders: fc.integer({ min: 1, max: 120 }), maxRequests: fc.integer({ min: 1, max: 30 }) }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, changes, arrivals, statuses, from, length, limits }) => {
      let second = 0;
      const orders = steps.map((step, index) => {
        second += step;
        return orderAt(second, { status: states[index % 3] ?? 'bezahlt' });
      });
      orders.reverse();
      const changed = new Set<number>();
      const service = movingService({
        orders,
        beforeAnswer(request) {
          for (let n = 0; n < (arrivals[request - 1] ?? 0); n++) {
            second += n % 2;
            orders.unshift(orderAt(second));
          }
          const change = changes[request - 1];
          const order = change === undefined ? undefined : orders[change % orders.length];
          if (!order) return;
          order.status = states[(request + 1) % 3] ?? 'bezahlt';
          changed.add(order.id);
        },
      });
      const query: RangeQuery = {
        statuses,
        from: from === undefined ? undefined : at(from),
        before: length === undefined ? undefined : at((from ?? 0) + length),
        timeZone: 'UTC',
      };
      const before = [...orders];
      const parts = await readParts(query, () => service.call(), limits);

      const ids = parts.flatMap((part) => ordersOf(part).map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      const isInRange = (order: OrderSummary) =>
        (!statuses || statuses.some((status) => status === order.status)) &&
        (!query.from || timeOf(order) >= query.from.getTime()) &&
        (!query.before || timeOf(order) < query.before.getTime());
      const returned = new Set(ids);
      const stood = before.filter((order) => !changed.has(order.id) && isInRange(order));
      expect(stood.filter((order) => !returned.has(order.id))).toEqual([]);
      expect(parts.flatMap((part) => ordersOf(part)).filter((order) => !isInRange(order))).toEqual([]);
      for (const [index, part] of parts.entries()) {
        expect(part.gaps).toEqual([]);
        const end = restOf(part) ?? Number.NEGATIVE_INFINITY;
        expect(ordersOf(part).every((order) => timeOf(order) >= end)).toBe(true);
        const above = parts[index - 1];
        const start = (above && restOf(above)) ?? Number.POSITIVE_INFINITY;
        expect(ordersOf(part).every((order) => timeOf(order) < start)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

const secondly = (count: number) => Array.from({ length: count }, (_, index) => orderAt(count - index));

test('a call reads until its request budget is used up, and the next call continues', async () => {
  const service = movingService({ orders: secondly(2_000) });
  const part = await listPart(all, { maxRequests: 30 }, service.call());
  expect(service.requests()).toBe(30);
  expect(ordersOf(part)).toHaveLength(1_499);
  expect(restOf(part)).toBe(at(502).getTime());
});

/** A call whose client may send this many requests a minute, and waits up to 20 s for a permit. */
const callWith = (requests: number, service: ReturnType<typeof movingService>): Call => {
  const client = service.openClient({ requests, minGapMs: 0 });
  const orderPages: typeof client.orderPages = (options = {}) => client.orderPages({ ...options, maxWaitMs: 20_000 });
  return { ...service.call(client), client: { ...client, orderPages } };
};

test('returns what it read before the rate limit was reached, with the error and `continue` [S-84]', async () => {
  const service = movingService({ orders: secondly(2_000) });
  const part = await listPart(all, { maxRequests: 30 }, callWith(3, service));
  expect(ordersOf(part)).toHaveLength(149);
  expect(part).toMatchObject({ interruption: { code: 'rate_limited' }, rest: { before: at(1_852) } });
});

test('if only the page below the range cannot be read, leaves that page and the first second to the next call [S-84]', async () => {
  const service = movingService({ orders: secondly(500) });
  const range: RangeQuery = { ...all, from: at(302) };
  const part = await listPart(range, {}, callWith(5, service));
  expect(part).toMatchObject({ interruption: { code: 'rate_limited' }, rest: { from: at(302), before: at(303) } });
  const rest = await listPart(part.rest ?? all, {}, service.call());
  expect(rest.rest).toBeUndefined();
  const times = [...ordersOf(part), ...ordersOf(rest)].map(timeOf);
  expect(times).toEqual(Array.from({ length: 199 }, (_, index) => at(500 - index).getTime()));
});

test('if reading fails before all orders of one second are read, the error names that second', async () => {
  const orders = Array.from({ length: 500 }, () => orderAt(7));
  const service = movingService({ orders, tripMs: 20_000 });
  await expect(listPart(all, budget, service.call())).rejects.toMatchObject({
    code: 'timeout',
    advice: expect.stringContaining(timeText(7)),
  });
  expect(service.now()).toBeLessThanOrEqual(45_000);
});

test("throws an error that isn't retryable, even after a part was read [S-64]", async () => {
  const distort = (page: object) => (service.requests() > 2 ? { orders: 'no' } : page);
  const service = movingService({ orders: secondly(500), distort });
  await expect(listPart(all, budget, service.call())).rejects.toMatchObject({ code: 'invalid_response' });
});

test('if reading fails and no order so far has a date, throws that error [U-24]', async () => {
  const orders = Array.from({ length: 70 }, () => orderAt(0, { created_at: '' }));
  await expect(listPart(all, budget, callWith(1, movingService({ orders })))).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

test('if a list omits rows, reports it as incomplete, with the reason [U-63]', async () => {
  const distort = (page: { orders: OrderSummary[] }) => ({ ...page, orders: page.orders.slice(1) });
  const service = movingService({ orders: secondly(240), distort });
  const parts = await readParts({ ...all, from: at(20), before: at(200) }, () => service.call());
  expect(parts.flatMap(({ gaps }) => gaps)).toContain('unseen');
});

test('says that a long list cannot be searched by date, instead of returning an empty result [U-09]', async () => {
  const orders = Array.from({ length: 4_000 }, (_, index) => orderAt(4_000 - (index ^ 1)));
  const service = movingService({ orders });
  const part = await listPart({ ...all, before: at(100) }, budget, service.call());
  expect(part).toMatchObject({ listed: [], rest: undefined, gaps: ['unsearched', 'unsorted'] });
  expect(service.requests()).toBe(32);
});

test('returns orders without a date if the call gives no dates and reads the whole list [U-24]', async () => {
  const orders = Array.from({ length: 70 }, () => orderAt(0, { created_at: '' }));
  const statuses = ['bezahlt', 'storniert'] as const;
  const part = await listPart({ ...all, statuses }, budget, movingService({ orders }).call());
  expect(part).toMatchObject({ gaps: [], undated: [], rest: undefined });
  expect(ordersOf(part)).toHaveLength(70);
});

test('wherever parts end, they contain each order once, even if orders share seconds and others arrive', async () => {
  const history = fc.record({
    steps: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 200 }),
    cuts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
    arrivals: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 40 }),
    status: fc.constantFrom('bezahlt', 'storniert'),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, cuts, arrivals, status }) => {
      let second = 0;
      const orders = steps.map((step, n) => {
        second += step;
        return orderAt(second, { status: n % 3 ? 'bezahlt' : 'storniert' });
      });
      orders.reverse();
      const service = movingService({
        orders,
        beforeAnswer(request) {
          for (let n = 0; n < (arrivals[request - 1] ?? 0); n++) {
            second += 1;
            orders.unshift(orderAt(second, { status }));
          }
        },
      });
      const wanted = orders.filter((order) => order.status === status).map(({ id }) => id);
      const found: unknown[] = [];
      let next: RangeQuery | undefined = readRangeArguments({ created_from: '2026-01-01' });
      for (let n = 0; next && n < 500; n++) {
        const isWanted = (order: { status: string }) => order.status === status;
        const part = await listPart(next, { maxOrders: 30, isWanted }, service.call());
        const cut = endBefore(part, part.listed[cuts[n % cuts.length] ?? 1]);
        found.push(...cut.listed.slice(0, cut.listed.length - cut.left.length).map(({ id }) => id));
        next = cut.rest && readRangeArguments(JSON.parse(JSON.stringify(limitsOf(cut.rest))));
      }
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((id) => wanted.includes(id as number))).toEqual(wanted);
    }),
    { numRuns: 200 },
  );
});
