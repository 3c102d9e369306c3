import { createClient, type Host, type OrderSummary } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { orderAt, timeText } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

/**
 * Connects to an API with these list entries, whose orders have one product and the fields that `details` returns.
 * @param requests the rate limit of the first call
 */
const connectTo = async (
  listed: readonly OrderSummary[],
  details: (order: OrderSummary) => object,
  requests: number,
) => {
  const host: Host = {
    now: () => 0,
    sleep: async () => undefined,
    async send({ url }) {
      const entry = listed.find(({ id }) => url.endsWith(`/orders/${id}`));
      const order = entry && { ...entry, items: [{ id: 1, product_name: 'Bulk' }], ...details(entry) };
      const data = order ?? { orders: listed, pagination: { page: 1, pages: 1, total: listed.length } };
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify({ status: 200, data })) };
    },
  };
  let calls = 0;
  return connectInProcess(async () => {
    calls += 1;
    const rateLimit = { requests: calls === 1 ? requests : 1_000, minGapMs: 0 };
    return createClient({ host, baseUrl: 'https://details.example/api/v1', apiKey: `key-${calls}`, rateLimit });
  });
};

test('an interrupted search for a product returns each order once, even if its details have an earlier date', async () => {
  const listed = Array.from({ length: 20 }, (_, index) => orderAt((20 - index) * 60));
  const client = await connectTo(listed, ({ id }) => ({ created_at: timeText(-18_000 + id) }), 12);
  const found: unknown[] = [];
  for (let next: object | undefined = { product: 'bulk' }; next; ) {
    const { data, text, isError } = await callTool(client, 'order_license_list_orders', { ...next });
    expect(isError, text).toBe(false);
    found.push(...rowsOf(data).map(({ id }) => id));
    next = data.continue as object | undefined;
  }
  expect(found).toEqual(listed.map(({ id }) => id));
});

test('an order has the values of its list entry where its details have null', async () => {
  const listed = [orderAt(0)];
  const client = await connectTo(listed, () => ({ status: null, created_at: null, billing_address: null }), 1_000);
  const { data } = await callTool(client, 'order_license_get_order', { order_number: listed[0]?.bestellnummer });
  expect(data).toMatchObject({ ...listed[0], billing_address: null });
});
