import { listen, type MockServer } from '@order-license/mock-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient, type Order, type OrderItem, type OrderSummary } from './index.ts';
import { orderListSchema, orderSchema, userSchema } from './schema.ts';

let mock: MockServer;
let client: Client;
let listed: OrderSummary[];
let orders: Order[];

beforeAll(async () => {
  mock = await listen({ orders: 60, limit: 'off' });
  client = createClient({
    baseUrl: mock.baseUrl,
    apiKey: mock.keys.business,
    rateLimit: { requests: 1_000, minGapMs: 0 },
  });
  listed = await Array.fromAsync(client.orders());
  orders = await Promise.all(listed.map(({ id }) => client.getOrder(id)));
});
afterAll(() => mock.close());

const codesOf = (items: OrderItem[]) => items.flatMap(({ license_codes }) => license_codes ?? []);

test('strict mock responses match the schemas exactly [S-15 S-50 S-17 S-26]', async () => {
  const me = await client.getMe();
  expect(userSchema.parse(me)).toEqual(me);
  const page = await client.listOrders();
  expect(Object.keys(page).sort()).toEqual(['orders', 'pagination']);
  expect(orderListSchema.parse(page)).toEqual(page);
  for (const order of orders) expect(orderSchema.parse(order)).toEqual(order);
});

test('returns status, payment status and delivery status as the API sends them [S-19 S-23 S-24]', () => {
  expect(new Set(listed.map(({ status }) => status))).toEqual(
    new Set(['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert']),
  );
  for (const { zahlungsstatus, lieferstatus } of listed) {
    expect(typeof zahlungsstatus).toBe('string');
    expect(typeof lieferstatus).toBe('string');
  }
});

test('a single order has the values that the list shows [S-18 S-26 S-28]', () => {
  for (const [index, entry] of listed.entries()) {
    const { id, bestellnummer, status, gesamtpreis_brutto, waehrung } = orders[index] as Order;
    expect({ ...entry, id, bestellnummer, status, gesamtpreis_brutto, waehrung }).toEqual(entry);
  }
});

test('passes unknown values through unchanged [S-24 U-18 U-19 U-54]', async () => {
  mock.set({ zahlungsstatus: 'Ratenkauf ü,x,y', lieferstatus: 'auf dem Mond,x,y' });
  const { orders } = await client.listOrders({ perPage: 50 });
  mock.setProfile('strict', { limit: 'off' });
  expect(orders.map(({ zahlungsstatus }) => zahlungsstatus)).toContain('Ratenkauf ü');
  expect(orders.map(({ lieferstatus }) => lieferstatus)).toContain('auf dem Mond');
});

test('keeps undocumented order fields; summary-only fields are optional [S-27 S-88]', async () => {
  const id = listed[0]?.id ?? 0;
  for (const field of ['zahlungsstatus', 'created_at', 'lieferstatus']) expect(orders[0]).not.toHaveProperty(field);
  mock.set({ extraFields: 'unknown' });
  const order = await client.getOrder(id);
  mock.set({ extraFields: 'none' });
  const further = Object.keys(order).filter((field) => !(field in (orders[0] ?? {})));
  expect(further.length).toBeGreaterThan(0);
});

test('returns code types, null URLs and activations unchanged [S-30 S-31 S-32]', () => {
  const codes = orders.flatMap(({ items }) => codesOf(items));
  expect(new Set(codes.map(({ code_typ }) => code_typ))).toEqual(new Set(['retail', 'volumen', 'account', 'abo']));
  const combinations = codes.map((code) => `${code.download_url_64 === null} ${code.download_url_32 === null}`);
  expect(new Set(combinations).size).toBe(4);
  const activations = codes.map(({ aktivierungen_bestellung }) => aktivierungen_bestellung);
  expect(activations.every(Number.isInteger)).toBe(true);
  expect(activations).toContain(1);
  expect(Math.max(...activations)).toBeGreaterThan(1);
});

test('returns all 40 items of one order and all 500 codes of another [S-55]', () => {
  expect(Math.max(...orders.map(({ items }) => items.length))).toBeGreaterThanOrEqual(40);
  expect(Math.max(...orders.map(({ items }) => codesOf(items).length))).toBeGreaterThanOrEqual(500);
});
