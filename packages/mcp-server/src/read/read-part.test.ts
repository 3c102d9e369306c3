import { createClient, type Host, type Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { movingService, orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';
import { argumentsOf, type RangeQuery, readRangeArguments } from './range.ts';
import { endBefore, readPart } from './read-part.ts';

/**
 * Connects a client to a server. The API has one order for each of these numbers of values, the newest first.
 * @param apart time between two orders, s
 * @param product_name the beginning of the product's name
 */
const connectTo = async (sizes: readonly number[], apart = 60, product_name = 'Bulk') => {
  const list = sizes.map((_, index) => orderAt((sizes.length - index) * apart, { id: 10_000_000 + index }));
  const host: Host = {
    now: () => 0,
    sleep: async () => undefined,
    async send({ url }) {
      const index = list.findIndex(({ id }) => url.endsWith(`/orders/${id}`));
      const items = [{ id: index, product_name: `${product_name} ${index}`, license_codes: [] }];
      const more = { items, more: Array(sizes[index]).fill(0) };
      const page = { orders: list, pagination: { page: 1, pages: 1, total: list.length } };
      const data: object = index === -1 ? page : { ...(list[index] as unknown as Order), ...more };
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify({ status: 200, data })) };
    },
  };
  const core = createClient({
    ...{
      host,
      baseUrl: 'https://large.example/api/v1',
      apiKey: 'key',
      rateLimit: { minGapMs: 0, requests: 1_000_000 },
    },
  });
  const client = await connectInProcess(async () => core, { licenseKeys: true, personalData: false });
  return { ids: list.map(({ id }) => id), call: (tool: string, args: object) => callTool(client, tool, { ...args }) };
};

test('leaves room in a result for the IDs of thousands of orders', async () => {
  const { call, ids } = await connectTo(Array(2_500).fill(1), 60, 'x'.repeat(950));
  const { data, text, isError } = await call('order_license_get_order', { ids, codes: false });
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
        next = cut.rest && readRangeArguments(JSON.parse(JSON.stringify(argumentsOf(cut.rest))));
      }
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((id) => wanted.includes(id as number))).toEqual(wanted);
    }),
    { numRuns: 200 },
  );
});
