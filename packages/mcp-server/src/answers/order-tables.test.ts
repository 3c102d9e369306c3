import type { LicenseCode, Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { connectToService, keyOf, orderAt } from '../testing/moving-service.fixture.ts';
import { codeRowsOf, type OrderTables, rowsOf } from '../testing/rows.fixture.ts';
import { entriesOf } from './order-tables.ts';

type MakeCode = (serial: number) => Partial<LicenseCode>;
let made = 0;
/** Returns the details of an order whose items have these numbers of codes. */
const orderWith = (counts: readonly number[], more: MakeCode = () => ({})): Order => {
  let serial = 0;
  const id = 19_000 + ++made;
  const items = counts.map((count, index) => ({
    id: 900_000 + 1_000 * made + index,
    product_name: `Klassenzimmerlizenz ${index + 1}`,
    menge: count,
    einzelpreis_brutto: '3.50',
    license_codes: Array.from({ length: count }, () => ({
      ...{ id: 20_022_272 + serial, license_key: keyOf(serial), code_typ: 'retail' },
      download_url_64: `https://downloads.example.test/19553/${900_000 + index}/setup-x64.exe`,
      ...{ download_url_32: null, aktivierungen_bestellung: 1, ...more(serial++) },
    })),
  }));
  const order = { id, bestellnummer: `B-2026-${id}`, status: 'abgeschlossen', waehrung: 'EUR' };
  return { ...order, gesamtpreis_brutto: '1.00', billing_address: { city: 'Berlin' }, items } as unknown as Order;
};

/**
 * Returns the parts that the tool returns for these orders. Each begins by saying whether it is the last, and is short
 * enough for a model.
 */
const partsOf = async (orders: readonly object[], args: object = {}) => {
  const details = orders as readonly Order[];
  const { callToEnd } = await connectToService({
    orders: details.map(({ id }) => orderAt(0, { id })),
    details: ({ id }) => details.find((one) => one.id === id) ?? 404,
  });
  const parts = await callToEnd('get_order', { ids: details.map(({ id }) => id), ...args });
  for (const part of parts) {
    expect(Object.entries(part)[0]).toEqual(['complete', part.continue === undefined]);
    expect(JSON.stringify(part).length).toBeLessThanOrEqual(40_000);
  }
  return parts as (OrderTables & { orders?: unknown })[];
};

/** Returns the codes as the API sent them, each with the ID of its item. */
const sent = ({ items }: Order): unknown[] =>
  items.flatMap(({ id, license_codes }) => (license_codes ?? []).map((code) => ({ item: id, ...code })));
/** Returns codes as sorted JSON. Omits null fields, because a row has null for a field that its object lacks. */
const sorted = (codes: readonly unknown[]): string[] => {
  const fieldsOf = (code: unknown) => Object.entries(code as object).filter(([, value]) => value !== null);
  return codes.map((code) => JSON.stringify(fieldsOf(code).sort())).sort();
};

const file = (serial: number): string => `https://downloads.example.test/19553/setup-${serial}.exe`;
test.each<[string, MakeCode, pages: number]>([
  ['share their links', () => ({}), 14],
  [
    'have one of four combinations of links',
    (n) => ({ download_url_64: n % 2 ? file(64) : null, download_url_32: n % 4 > 1 ? file(32) : null }),
    26,
  ],
  [
    'are accounts with passwords',
    (n) => ({ code_typ: 'account', license_key: `user${n}@x.example:${keyOf(n).slice(0, 11)}` }),
    14,
  ],
  ['have links of their own', (n) => ({ download_url_64: file(n) }), 32],
])('for 5,000 codes that %s, returns each once, in parts of at most 12,000 tokens [S-55]', async (_, more, most) => {
  const order = orderWith([2_000, 1_500, 1_499, 1], more);
  const parts = await partsOf([order]);
  expect(parts.length).toBeLessThanOrEqual(most);
  expect(Math.max(...parts.map((part) => encode(JSON.stringify(part)).length))).toBeLessThanOrEqual(12_000);
  expect(sorted(parts.flatMap(codeRowsOf))).toEqual(sorted(sent(order)));
});

test('returns each code of several orders once, in order, with all of its own fields', async () => {
  const field = fc.constantFrom('a', 'b', 'c', 'd', null, 1, 'https://a.example/b', 'https://a.example/c');
  const fields = { code_typ: field, download_url_64: field, note: field };
  const code = fc.record({ id: fc.nat(), license_key: fc.string(), ...fields });
  const items = fc.array(fc.array(code, { maxLength: 300 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 6 }), async (all) => {
      const orders = all.map((items, index) => ({
        id: index + 1,
        items: items.map((license_codes, item) => ({ id: 10 * index + item, license_codes })),
      })) as unknown as Order[];
      const parts = await partsOf(orders);
      expect(sorted(parts.flatMap(codeRowsOf))).toEqual(sorted(orders.flatMap(sent)));
      const ids = parts.flatMap(({ orders }) => rowsOf(orders).map(({ id }) => Number(id)));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(new Set(ids).size).toBe(orders.length);
    }),
    { numRuns: 60 },
  );
});

test("states an address that orders share once, and a URL that an item's codes share in the item's row", async () => {
  const orders = Array.from({ length: 20 }, () => orderWith([2], () => ({ download_url_64: file(7) })));
  const [part] = await partsOf(orders);
  expect(part).toMatchObject({
    orders: { same: { billing_address: { city: 'Berlin' }, waehrung: 'EUR' } },
    items: { same: { code_typ: 'retail', download_url_64: file(7), download_url_32: null } },
    license_codes: { columns: ['item', 'id', 'license_key'] },
  });
});

test.each([[undefined], [null], ['text'], [{ 1: {} }], [[null, 7, 'text', { license_codes: 'text' }]]])(
  "keeps an order's `items` unchanged if the value is %j [U-59]",
  async (items) => {
    const [part] = await partsOf([{ id: 1, items }]);
    expect(rowsOf(part?.orders)).toMatchObject([items === undefined ? { id: 1 } : { id: 1, items }]);
  },
);

const office = (order: number) => ({
  id: 1,
  product_name: 'Office',
  license_codes: [{ id: 7, license_key: `A${order}` }],
});
const mail = (order: number) => ({ id: 2, product_name: 'Mail', license_codes: [{ id: 7, license_key: `B${order}` }] });
const named = { item: 1, product_name: 'Office', id: 7 };
test.each<[string, object[], object[]]>([
  [
    'does not change codes that are not objects [U-59]',
    [{ id: 5, items: [{ id: 1, license_codes: ['KEY-1', 7, null] }] }],
    ['KEY-1', 7, null].map((license_key) => ({ item: 1, license_key })),
  ],
  [
    "names the order and the product of each code if the orders' items have the same IDs",
    [1, 2].map((id) => ({ id, items: [office(id), mail(id)] })),
    [1, 2].flatMap((order) => [
      { ...named, order, license_key: `A${order}` },
      { ...named, order, item: 2, product_name: 'Mail', license_key: `B${order}` },
    ]),
  ],
  [
    'shows an API field named `item` as `own_item`',
    [{ id: 1, items: [{ id: 2, license_codes: [{ id: 3, license_key: 'KEY', item: 'B' }] }] }],
    [{ item: 2, id: 3, license_key: 'KEY', own_item: 'B' }],
  ],
])('%s', async (_, orders, codes) => {
  const [part] = await partsOf(orders);
  expect(part && codeRowsOf(part)).toEqual(codes);
});

test('shows an API field named `order` as `own_order`', async () => {
  const [part] = await partsOf([{ id: 1, items: [{ id: 2, order: 'A', license_codes: [] }] }]);
  expect(rowsOf(part?.items)).toMatchObject([{ order: 1, id: 2, own_order: 'A' }]);
});

test('reads each code of an order with 60,000 codes only a few times', () => {
  let reads = 0;
  const license_codes = Array.from({ length: 60_000 }, (_, id) => ({
    get id() {
      reads += 1;
      return id;
    },
    [`own-${id}`]: 'x',
  }));
  entriesOf([{ id: 1, items: [{ id: 1, license_codes }] } as unknown as Order], true);
  expect(reads).toBeLessThan(20 * 60_000);
});
