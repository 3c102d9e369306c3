import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { tokensOf } from '../answers/budget.ts';
import { connectToService, keyOf, orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

const year = { created_from: '2026-01-01', created_before: '2027-01-01' };

test('an order that fits only without its advice keeps all its values, in tables', async () => {
  const license_codes = Array.from({ length: 40 }, (_, n) => ({
    ...{ id: n, license_key: keyOf(n), code_typ: 'retail' },
    download_url_64: `https://dl.example/${keyOf(n).repeat(9)}`,
  }));
  const { zahlungsstatus, ...order } = {
    ...orderAt(1),
    items: [{ id: 1, product_name: 'Office', license_codes }],
    note: '',
  };
  order.note = 'ab'.repeat(11_590 - tokensOf(JSON.stringify(order)));
  const { call } = await connectToService({ orders: [{ ...order, zahlungsstatus }], details: () => order });
  const { data, text } = await call('get_order', { id: order.id });
  expect(data).not.toHaveProperty('left_out');
  expect(text).toContain(license_codes[0]?.download_url_64);
});

const texts = ['https://s.example/?sig=', '👩🏽‍💻', 'ÄÖÜ', '東京都', 'q7Z', '\\"{[', '0', ' x'];
test.each([
  ['list_orders', { per_page: 50 }],
  ['list_orders', year],
  ['list_orders', { summary: 'day' }],
  ['get_order', year],
  ['get_order', { ...year, codes: false }],
])('%s with %j stays within 12,000 tokens and 40,000 characters, whatever an order contains', async (tool, args) => {
  for (const [index, text] of texts.entries()) {
    const orders = Array.from({ length: 60 }, (_, n) =>
      orderAt((60 - n) * 3_600, {
        [`own_${index}_${n % 7}`]: text.repeat(40 + 9 * n),
        waehrung: index === 4 ? `Q${n}` : 'EUR',
      }),
    );
    const { call } = await connectToService({
      orders,
      details: (order) => {
        const n = orders.indexOf(order);
        const license_codes = Array.from({ length: 20 }, (_, code) => ({
          ...{ id: 20 * n + code, license_key: `KEY-${20 * n + code}`, code_typ: 'retail' },
          [text.slice(0, 2)]: text.repeat(n),
        }));
        return { ...order, items: [{ id: n, product_name: 'Office', menge: 1, license_codes }] };
      },
    });
    let next: unknown = args;
    for (let part = 0; next && part < 4; part++) {
      const { text, data, isError } = await call(tool, next as object);
      expect(isError, text.slice(0, 300)).toBe(false);
      expect(text.length).toBeLessThanOrEqual(40_000);
      expect(encode(text).length).toBeLessThanOrEqual(12_000);
      next = data.continue;
    }
  }
});

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
  const advice = expect.stringContaining('ask for fewer orders at a time');
  expect(data).toMatchObject({ complete: false, left_out: { count: 1, advice } });
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
