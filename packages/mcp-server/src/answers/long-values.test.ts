import { expect, test } from 'vitest';
import { connectToCanned } from '../testing/canned-service.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

const long = 'x'.repeat(100_000);

/** Calls a tool of a server. The API returns this order, or a page that contains it. */
const ask = async (order: object, tool: string, args: Record<string, unknown>, licenseKeys = false) => {
  const page = { orders: [order], pagination: { page: 1, pages: 1, total: 1 } };
  const canned = (url: string) => ({ data: url.includes('/orders/') ? order : page });
  return callTool(await connectToCanned(canned, {}, { licenseKeys, personalData: false }), tool, args);
};
const orderWith = (product_name: string, license_key: string) => ({
  id: 7,
  bestellnummer: 'B-7',
  status: 'bezahlt',
  items: [{ id: 1, product_name, license_codes: [{ id: 2, license_key, code_typ: 'retail' }] }],
});

test.each([
  ['order_license_get_order', { id: 7 }],
  ['order_license_get_order', { ids: [7] }],
  ['order_license_list_orders', { page: 1 }],
])('%s omits a value of 100,000 characters, and says so first', async (tool, args) => {
  const { text, data, isError } = await ask(orderWith(long, 'KEY-1'), tool, args);
  expect(isError).toBe(false);
  expect(text.length).toBeLessThan(40_000);
  expect(Object.keys(data).slice(0, 2)).toEqual(['complete', 'left_out']);
  expect(data).toMatchObject({ complete: false, left_out: { count: 1 } });
  expect(text).toContain('KEY-1');
});

test('never shows part of a license key as if it were a complete key', async () => {
  const { text, data } = await ask(orderWith('Office', `BEGIN-${long}`), 'order_license_get_order', { id: 7 });
  expect(text).not.toContain('BEGIN');
  expect(data).toMatchObject({
    complete: false,
    left_out: { count: 1 },
    items: [{ license_codes: [{ license_key: null }] }],
  });
  expect(
    (await ask(orderWith('Office', `BEGIN-${long}`), 'order_license_get_order', { id: 7 }, true)).text,
  ).not.toContain('left_out');
});

test("splits an order that is too long for one result, and omits only the order's long value", async () => {
  const order = orderWith('Office', 'KEY-1');
  const items = Array.from({ length: 40 }, (_, id) => ({ id, product_name: 'y'.repeat(3_000) }));
  const found: unknown[] = [];
  let next: Record<string, unknown> | undefined = { ids: [7] };
  for (; next; ) {
    const { data, text } = await ask(
      { ...order, items: [...items, { id: 99, product_name: long }] },
      'order_license_get_order',
      next,
    );
    expect(text.length).toBeLessThan(40_000);
    found.push(...rowsOf(data.items).map(({ id, product_name }) => [id, String(product_name).length]));
    next = data.continue as Record<string, unknown> | undefined;
  }
  expect(found).toEqual([...items.map(({ id }) => [id, 3_000]), [99, 4]]);
});
