import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectToService, movingService, orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';
import { limitsOf, type RangeQuery, readRangeArguments } from './range.ts';
import { endBefore, readPart } from './read-part.ts';

test('leaves room in a result for the IDs of hundreds of orders', async () => {
  const orders = Array.from({ length: 400 }, (_, n) => orderAt(400 - n, { id: 10_000_000 + n }));
  const { call } = await connectToService({
    orders,
    details: (order) => ({ ...order, items: [{ id: order.id, product_name: 'x'.repeat(950), license_codes: [] }] }),
  });
  const ids = orders.map(({ id }) => id);
  const { data, text, isError } = await call('get_order', { ids, codes: false });
  expect(isError, text.slice(0, 200)).toBe(false);
  const shown = rowsOf(data.orders).map(({ id }) => id);
  expect(shown.length).toBeGreaterThan(0);
  expect(data.continue).toMatchObject({ ids: ids.slice(shown.length) });
  expect(data).not.toHaveProperty('left_out');
});

test('parts that end before any order contain each order once, although orders share seconds and others arrive', async () => {
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
        const part = await readPart({ from: next, inFull: false, maxOrders: 30, isWanted }, service.call());
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
