import type { LicenseCode, Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { type CodePage, codePage, countCodes, withoutCodes } from './code-pages.ts';

const tokens = (value: unknown): number => encode(JSON.stringify(value)).length;

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Five groups of five letters, as the mock writes keys. */
const keyOf = (serial: number): string => {
  let state = (serial + 1) * 2_654_435_761;
  const group = () =>
    Array.from({ length: 5 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return letters[state % letters.length];
    }).join('');
  return [group(), group(), group(), group(), group()].join('-');
};

type MakeCode = (serial: number) => Partial<LicenseCode>;
const orderWith = (counts: readonly number[], more: MakeCode = () => ({})): Order => {
  let serial = 0;
  const items = counts.map((count, index) => ({
    id: 900_000 + index,
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
  const order = { id: 19_553, bestellnummer: 'B-2026-009553', status: 'abgeschlossen', waehrung: 'EUR' };
  return { ...order, gesamtpreis_brutto: '1.00', items } as Order;
};

const pagesOf = (order: Order): CodePage[] => {
  const pages: CodePage[] = [];
  for (let page = 1; ; page++) {
    const next = codePage(order, page);
    if (!next) return pages;
    pages.push(next);
  }
};

/** The codes of a page as the service sent them, each with the ID of its item. */
const expand = ({ codes }: CodePage): unknown[] =>
  codes.flatMap(({ item, product_name: _, same, columns, rows, ...shared }) =>
    (rows as unknown[][]).map((row) => ({
      item,
      ...shared,
      ...(same as object),
      ...Object.fromEntries((columns as string[]).map((name, index) => [name, row[index]])),
    })),
  );
const sent = ({ items }: Order): unknown[] =>
  items.flatMap(({ id, license_codes }) => (license_codes ?? []).map((code) => ({ item: id, ...code })));
const sorted = (codes: readonly unknown[]): string[] =>
  codes.map((code) => JSON.stringify(Object.entries(code as object).sort())).sort();

const file = (serial: number): string => `https://downloads.example.test/19553/setup-${serial}.exe`;
const shops: [string, MakeCode, pages: number][] = [
  ['share their links', () => ({}), 13],
  [
    'have one of four combinations of links',
    (serial) => ({
      download_url_64: serial % 2 ? file(64) : null,
      download_url_32: serial % 4 > 1 ? file(32) : null,
    }),
    13,
  ],
  [
    'are accounts with passwords',
    (serial) => ({ code_typ: 'account', license_key: `user${serial}@x.example:${keyOf(serial).slice(0, 11)}` }),
    13,
  ],
  ['have links of their own', (serial) => ({ download_url_64: file(serial) }), 23],
];

test.each(shops)(
  'returns each of 5,000 codes that %s once, in pages of at most 12,000 tokens [S-55]',
  (_, more, most) => {
    for (const counts of [[5_000], [2_000, 1_500, 1_499, 1]]) {
      const order = orderWith(counts, more);
      const pages = pagesOf(order);
      expect(pages.length).toBeLessThanOrEqual(most);
      expect(Math.max(...pages.map(tokens))).toBeLessThanOrEqual(12_000);
      expect(sorted(pages.flatMap(expand))).toEqual(sorted(sent(order)));
      expect(pages.map(({ page, left }) => [page, left])).toEqual(
        pages.map((_, index) => [index + 1, 5_000 - pages.slice(0, index + 1).flatMap(expand).length]),
      );
      expect(pages.every(({ total, pages: count }) => total === 5_000 && count === pages.length)).toBe(true);
    }
  },
);

test('returns each code once with its own fields, whichever fields differ', () => {
  const field = fc.constantFrom('a', 'b', null, 1, 'c', 'd', 'e', 'f', 'g', 'h');
  const code = fc.record(
    { id: fc.nat(), license_key: fc.string(), code_typ: field, download_url_64: field, note: field },
    { requiredKeys: ['license_key', 'code_typ', 'download_url_64', 'note', 'id'] },
  );
  fc.assert(
    fc.property(fc.array(fc.array(code, { maxLength: 600 }), { maxLength: 4 }), (items) => {
      const order = { items: items.map((license_codes, id) => ({ id, license_codes })) } as unknown as Order;
      const pages = pagesOf(order);
      expect(sorted(pages.flatMap(expand))).toEqual(sorted(sent(order)));
    }),
    { numRuns: 40 },
  );
});

test('an order without codes has the number of codes per item', () => {
  const order = orderWith([3, 0]);
  expect(countCodes(order)).toBe(3);
  expect(withoutCodes(order)).toMatchObject({ items: [{ number_of_codes: 3 }, { number_of_codes: 0 }] });
  expect(JSON.stringify(withoutCodes(order))).not.toContain('license');
});

test.each([[undefined], [null], ['text'], [{ 1: {} }], [[null, 7, 'text', { license_codes: 'text' }]]])(
  'an order whose items are %j has no codes [U-59]',
  (items) => {
    const order = { id: 1, items } as unknown as Order;
    expect([countCodes(order), withoutCodes(order)]).toEqual([0, order]);
  },
);

test("leaves codes that aren't objects unchanged [U-59]", () => {
  const order = { items: [{ id: 1, license_codes: ['KEY-1', 7, null] }] } as unknown as Order;
  expect(codePage(order, 1)?.codes).toMatchObject([
    { item: 1, columns: ['license_key'], rows: [['KEY-1'], [7], [null]] },
  ]);
});
