import type { LicenseCode, Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { keyOf } from '../testing/moving-service.fixture.ts';
import { codeRowsOf, rowsOf } from '../testing/rows.fixture.ts';
import { entriesThatFit, fits } from './budget.ts';
import {
  type Entry,
  entriesOf,
  maxEntries,
  type OrderTables,
  readSkip,
  selectProduct,
  skipTo,
  tablesOf,
  wholeOrders,
} from './order-tables.ts';

const tokens = (value: unknown): number => encode(JSON.stringify(value)).length;

type MakeCode = (serial: number) => Partial<LicenseCode>;
let made = 0;
const orderWith = (counts: readonly number[], more: MakeCode = () => ({})): Order => {
  let serial = 0;
  const id = 19_000 + ++made;
  const items = counts.map((count, index) => ({
    id: 900_000 + 1_000 * made + index,
    product_name: `Klassenzimmerlizenz ${index + 1}`,
    menge: count,
    einzelpreis_brutto: '3.50',
    license_codes: Array.from({ length: count }, () => {
      const code = {
        id: 20_022_272 + serial,
        license_key: keyOf(serial),
        code_typ: 'retail',
        download_url_64: `https://downloads.example.test/19553/${900_000 + index}/setup-x64.exe`,
        download_url_32: null,
        aktivierungen_bestellung: 1,
        ...more(serial),
      };
      serial += 1;
      return code;
    }),
  }));
  const order = { id, bestellnummer: `B-2026-${id}`, status: 'abgeschlossen', waehrung: 'EUR' };
  return { ...order, gesamtpreis_brutto: '1.00', billing_address: { city: 'Berlin' }, items } as unknown as Order;
};

/** Returns the tables of successive calls; each call continues where the previous one ended. */
const partsOf = (orders: readonly Order[], codes = true): OrderTables[] => {
  const parts: OrderTables[] = [];
  for (let [rest, skip] = [orders, 0]; parts.length < 5_000; ) {
    const entries = entriesOf(rest, codes).slice(skip);
    const tablesWith = (fitting: number) => tablesOf(entries.slice(0, wholeOrders(entries, fitting)), codes);
    const fitting = entriesThatFit(Math.min(entries.length, maxEntries), (count) => fits(tablesWith(count)));
    const end = wholeOrders(entries, fitting);
    parts.push(tablesWith(fitting));
    const next = entries[end];
    if (!next) return parts;
    rest = rest.slice(next.index);
    skip = next.place;
  }
  throw new Error('It goes on without end.');
};

/** Returns the codes as the API sent them, each with the ID of its item. */
const sent = ({ items }: Order): unknown[] =>
  items.flatMap(({ id, license_codes }) => (license_codes ?? []).map((code) => ({ item: id, ...code })));
/** Returns codes as sorted JSON. Omits null fields, because a row has null for a field that its object lacks. */
const sorted = (codes: readonly unknown[]): string[] =>
  codes
    .map((code) =>
      JSON.stringify(
        Object.entries(code as object)
          .filter(([, value]) => value !== null)
          .sort(),
      ),
    )
    .sort();

const file = (serial: number): string => `https://downloads.example.test/19553/setup-${serial}.exe`;
const shops: [string, MakeCode, pages: number][] = [
  ['share their links', () => ({}), 14],
  [
    'have one of four combinations of links',
    (serial) => ({
      download_url_64: serial % 2 ? file(64) : null,
      download_url_32: serial % 4 > 1 ? file(32) : null,
    }),
    26,
  ],
  [
    'are accounts with passwords',
    (serial) => ({ code_typ: 'account', license_key: `user${serial}@x.example:${keyOf(serial).slice(0, 11)}` }),
    14,
  ],
  ['have links of their own', (serial) => ({ download_url_64: file(serial) }), 32],
];

test.each(shops)(
  'for 5,000 codes that %s, returns each code once, in parts of at most 12,000 tokens [S-55]',
  (_, more, most) => {
    const order = orderWith([2_000, 1_500, 1_499, 1], more);
    const parts = partsOf([order]);
    expect(parts.length).toBeLessThanOrEqual(most);
    expect(Math.max(...parts.map(tokens))).toBeLessThanOrEqual(12_000);
    expect(sorted(parts.flatMap(codeRowsOf))).toEqual(sorted(sent(order)));
  },
);

test('returns each code of several orders once, in order, with all of its own fields', () => {
  const field = fc.constantFrom('a', 'b', 'c', 'd', null, 1, 'https://a.example/b', 'https://a.example/c');
  const fields = { code_typ: field, download_url_64: field, note: field };
  const code = fc.record({ id: fc.nat(), license_key: fc.string(), ...fields });
  const items = fc.array(fc.array(code, { maxLength: 300 }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(items, { maxLength: 6 }), (all) => {
      const orders = all.map((items, id) => ({
        id,
        items: items.map((license_codes, item) => ({ id: 10 * id + item, license_codes })),
      })) as unknown as Order[];
      const parts = partsOf(orders);
      expect(sorted(parts.flatMap(codeRowsOf))).toEqual(sorted(orders.flatMap(sent)));
      const ids = parts.flatMap(({ orders }) => rowsOf(orders).map(({ id }) => Number(id)));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(new Set(ids).size).toBe(orders.length);
    }),
    { numRuns: 60 },
  );
});

test('splits 2,000 items into parts of at most 40,000 characters, and returns each item once', () => {
  const order = orderWith(Array(2_000).fill(1));
  for (const codes of [true, false]) {
    const parts = partsOf([order], codes);
    expect(Math.max(...parts.map((tables) => JSON.stringify(tables).length))).toBeLessThanOrEqual(40_000);
    const items = parts.flatMap(({ items }) => rowsOf(items));
    expect(new Set(items.map(({ id }) => id)).size).toBe(2_000);
    expect(items.length).toBeLessThanOrEqual(2_000 + parts.length);
  }
});

test('returns only matching items and their codes, ignoring case, and only orders that have some', () => {
  const orders = Array.from({ length: 30 }, () => orderWith([100, 10]));
  const [part, ...others] = partsOf(selectProduct(orders, 'LIZENZ 2').orders);
  expect(others).toEqual([]);
  expect(part?.items.same).toMatchObject({ product_name: 'Klassenzimmerlizenz 2' });
  expect(part && codeRowsOf(part)).toHaveLength(300);
  expect(selectProduct(orders, 'other').orders).toEqual([]);
});

test("states an address that orders share once, and a URL that an item's codes share in the item's row", () => {
  const orders = Array.from({ length: 20 }, () => orderWith([2], () => ({ download_url_64: file(7) })));
  const [part] = partsOf(orders);
  expect(part?.orders.same).toMatchObject({ billing_address: { city: 'Berlin' }, waehrung: 'EUR' });
  expect(part?.items.same).toMatchObject({ code_typ: 'retail', download_url_64: file(7), download_url_32: null });
  expect(part?.license_codes?.columns).toEqual(['item', 'id', 'license_key']);
});

test.each([[undefined], [null], ['text'], [{ 1: {} }], [[null, 7, 'text', { license_codes: 'text' }]]])(
  "keeps an order's `items` unchanged if the value is %j [U-59]",
  (items) => {
    const [part] = partsOf([{ id: 1, items } as unknown as Order]);
    expect(part && rowsOf(part.orders)).toMatchObject([items === undefined ? { id: 1 } : { id: 1, items }]);
  },
);

test('does not change codes that are not objects [U-59]', () => {
  const order = { id: 5, items: [{ id: 1, license_codes: ['KEY-1', 7, null] }] } as unknown as Order;
  const [part] = partsOf([order]);
  expect(part && codeRowsOf(part)).toEqual(['KEY-1', 7, null].map((license_key) => ({ item: 1, license_key })));
});

test("names the order and the product of each code if the orders' items have the same IDs", () => {
  const orders = [1, 2].map((id) => {
    const items = ['Office', 'Mail'].map((product_name, index) => ({
      id: index + 1,
      product_name,
      license_codes: [{ id: 7, license_key: `KEY-${id}-${product_name}` }],
    }));
    return { id, bestellnummer: `B-${id}`, items } as unknown as Order;
  });
  const [part] = partsOf(orders);
  expect(part && codeRowsOf(part)).toEqual(
    orders.flatMap(({ id: order, items }) =>
      items.map(({ id: item, product_name }) => ({
        ...{ order, item, product_name, id: 7, license_key: `KEY-${order}-${product_name}` },
      })),
    ),
  );
});

test('shows API fields named `order` and `item` as `own_order` and `own_item`', () => {
  const code = { id: 3, license_key: 'KEY', item: 'B' };
  const order = { id: 1, items: [{ id: 2, order: 'A', license_codes: [code] }] } as unknown as Order;
  const [part] = partsOf([order]);
  expect(part && rowsOf(part.items)).toMatchObject([{ order: 1, id: 2, own_order: 'A' }]);
  expect(part && codeRowsOf(part)).toEqual([{ item: 2, id: 3, license_key: 'KEY', own_item: 'B' }]);
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

test('`skip` notices that the entries it counts have changed, and no other change', () => {
  const order = orderWith([3, 2]);
  const [first, second] = order.items;
  const entries = entriesOf([order], true);
  const skip = skipTo(entries, entries[4] as Entry);
  const isUnchanged = (items: unknown): boolean =>
    readSkip(entriesOf([{ ...order, items } as Order], true), skip).isUnchanged;
  expect(readSkip(entries, skip)).toEqual({ count: 4, isUnchanged: true });
  expect(isUnchanged([first, { ...second, license_codes: [] }])).toBe(true);
  expect(isUnchanged([{ ...first, license_codes: first?.license_codes?.slice(1) }, second])).toBe(false);
  expect(isUnchanged([second, first])).toBe(false);
  expect(readSkip(entries, '4')).toEqual({ count: 4, isUnchanged: true });
});
