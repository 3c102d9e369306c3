import { expect, test } from 'vitest';
import { connectToService, orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

const long = 'x'.repeat(100_000);

/** Connects to an API with one order, whose number has this many characters. */
const connectTo = (items: object[], licenseKeys = false, bestellnummer = 'B-7') => {
  const order = orderAt(0, { id: 7, bestellnummer });
  const masking = { licenseKeys, personalData: false };
  return connectToService({ orders: [order], details: () => ({ ...order, items }) }, { masking });
};
const itemOf = (product_name: string, license_key: string) => ({
  ...{ id: 1, product_name },
  license_codes: [{ id: 2, license_key, code_typ: 'retail' }],
});

test.each([
  ['get_order', { id: 7 }, 'KEY-1'],
  ['get_order', { ids: [7] }, 'KEY-1'],
  ['list_orders', { page: 1 }, 'bezahlt'],
])('%s with %j omits a value of 100,000 characters, and says so first', async (tool, args, kept) => {
  const { call } = await connectTo([itemOf('Office', 'KEY-1')], false, long);
  const { text, data, isError } = await call(tool, args);
  expect(isError).toBe(false);
  expect(text.length).toBeLessThan(40_000);
  expect(Object.keys(data).slice(0, 2)).toEqual(['complete', 'left_out']);
  expect(data).toMatchObject({ complete: false, left_out: { count: 1 } });
  expect(text).toContain(kept);
});

test('never shows part of a license key as if it were a complete key', async () => {
  const items = [itemOf('Office', `BEGIN-${long}`)];
  const { data, text } = await (await connectTo(items)).call('get_order', { id: 7 });
  expect(text).not.toContain('BEGIN');
  const omitted = [{ license_codes: [{ license_key: null }] }];
  expect(data).toMatchObject({ complete: false, left_out: { count: 1 }, items: omitted });
  expect((await (await connectTo(items, true)).call('get_order', { id: 7 })).text).not.toContain('left_out');
});

test("splits an order that is too long for one result, and omits only the order's long value", async () => {
  const items = Array.from({ length: 40 }, (_, id) => ({ id, product_name: 'y'.repeat(3_000) }));
  const { callToEnd } = await connectTo([...items, { id: 99, product_name: long }]);
  const parts = await callToEnd('get_order', { ids: [7] });
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(40_000);
  const found = parts.flatMap((part) => rowsOf(part.items)).map((item) => [item.id, String(item.product_name).length]);
  expect(found).toEqual([...items.map(({ id }) => [id, 3_000]), [99, 4]]);
});
