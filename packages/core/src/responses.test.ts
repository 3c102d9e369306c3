import { expect, test } from 'vitest';
import { createClient, type Order, type OrderItem } from './index.ts';
import { orderListSchema, orderSchema, userSchema } from './schema.ts';
import { startMock } from './serve.fixture.ts';

const setUp = async () => {
  const { mock, service } = await startMock({ orders: 60, limit: 'off' });
  const headers = { accept: 'application/json', authorization: `Bearer ${service.apiKey}` };
  /** What the API sends for a path. */
  const sent = async (path: string): Promise<unknown> => {
    const response = await fetch(`${service.baseUrl}${path}`, { headers });
    return ((await response.json()) as { data: unknown }).data;
  };
  return { mock, sent, client: createClient({ ...service, rateLimit: { requests: 1_000, minGapMs: 0 } }) };
};

const codesOf = (items: OrderItem[]) => items.flatMap(({ license_codes }) => license_codes ?? []);

test('returns what the API sends, in the documented form, up to 40 items and 500 codes [S-05 S-15 S-16 S-17 S-18 S-19 S-23 S-26 S-28 S-29 S-30 S-31 S-32 S-50 S-55]', async () => {
  const { sent, client } = await setUp();
  const [me, page, orders] = [await client.getMe(), await client.listOrders({ perPage: 50 }), [] as Order[]];
  for (const { id } of await Array.fromAsync(client.orders())) {
    const order = await client.getOrder(id);
    expect(order).toEqual(await sent(`/orders/${id}`));
    orders.push(order);
  }
  expect([me, page]).toEqual([await sent('/me'), await sent('/orders?per_page=50')]);
  expect([userSchema.parse(me), orderListSchema.parse(page)]).toEqual([me, page]);
  expect(orders.map((order) => orderSchema.parse(order))).toEqual(orders);
  expect(Math.max(...orders.map(({ items }) => items.length))).toBeGreaterThanOrEqual(40);
  expect(Math.max(...orders.map(({ items }) => codesOf(items).length))).toBeGreaterThanOrEqual(500);
});

test('passes unknown values and undocumented fields through unchanged [S-24 S-27 S-87 S-88 U-18 U-19 U-54]', async () => {
  const { mock, sent, client } = await setUp();
  mock.set({ zahlungsstatus: 'Ratenkauf ü,x,y', lieferstatus: 'auf dem Mond,x,y', futureValues: 'on' });
  const page = await client.listOrders({ perPage: 50 });
  expect(page).toEqual(await sent('/orders?per_page=50'));
  expect(page.orders.map(({ zahlungsstatus }) => zahlungsstatus)).toContain('Ratenkauf ü');
  for (const extraFields of ['summary', 'unknown'] as const) {
    mock.set({ extraFields });
    const { id } = page.orders[0] ?? { id: 0 };
    expect(await client.getOrder(id)).toEqual(await sent(`/orders/${id}`));
  }
  const later = { user_id: 7, api_version: '2.0', more: true };
  mock.faults.add({ response: { status: 200, body: { data: later } }, times: 1 });
  expect(await client.getMe()).toEqual(later);
});
