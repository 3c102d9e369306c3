import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInnerMock, innerOf, type Mock } from '../mock.ts';
import { parseExact } from '../settings/json.ts';
import { type Json, send, silenced } from '../test-client.fixture.ts';
import { fixtureAccounts } from './accounts.ts';
import type { OrderInput } from './order-fields.ts';

const get = (mock: Mock, target: string): Json => send(innerOf(mock), target).body;
const idsOf = (list: Json): number[] => list.data.orders.map(({ id }: Json) => id);
/** Returns the list and each detail. */
const answersOf = (mock: Mock): Json[] => {
  const list = get(mock, '/orders?per_page=50');
  return [list, ...idsOf(list).map((id) => get(mock, `/orders/${id}`))];
};

test('a mock created from the responses of another mock returns the same responses [S-18 S-26 S-28 S-31]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 30 }), (seed, orders) => {
      const answers = answersOf(createInnerMock({ seed, orders, limit: 'off' }));
      const copy = createInnerMock({ orders: answers, limit: 'off' });
      expect(answersOf(copy)).toEqual(answers);
      copy.state.insertOrder('business');
      copy.reset();
      expect(answersOf(copy)).toEqual(answers);
      expect(get(copy, '/orders').data.pagination.total).toBe(orders);
    }),
    { numRuns: 15 },
  );
});

test('accepts a detail, a list, an array of both and orders without an envelope', () => {
  const [list, first, second] = answersOf(createInnerMock({ orders: 2 }));
  for (const orders of [[list], [first, second], [first.data, second.data], list.data, list, [list, first, list]]) {
    expect(idsOf(get(createInnerMock({ orders }), '/orders'))).toEqual(idsOf(list));
  }
  expect(idsOf(get(createInnerMock({ orders: first }), '/orders'))).toEqual([first.data.id]);
  expect(idsOf(get(createInnerMock({ orders: [] }), '/orders'))).toEqual([]);
});

test('reads whole numbers that JSON libraries write as floats, and serves them as given', () => {
  const orders = parseExact(`[
    { "id": 1.0, "delivered": 1.0, "items": [{ "menge": 2.0, "einzelpreis_brutto": 1e1 }] },
    { "id": 2, "bestellnummer": 7.0, "items": [{ "id": 3.0, "license_codes": 2.0, "code_typ": 1.0, "aktivierungen_bestellung": 5.0 }] },
    { "id": 3, "items": [{ "license_codes": [{ "id": 1.0, "code_typ": 2.0 }] }] }
  ]`) as OrderInput[];
  const mock = createInnerMock({ orders, set: { extraFields: 'unknown' } });
  expect(idsOf(get(mock, '/orders')).toSorted()).toEqual([1, 2, 3]);
  const [first, second, third] = [1, 2, 3].map((id) => get(mock, `/orders/${id}`).data);
  expect([first.gesamtpreis_brutto, first.items[0].license_codes.length]).toEqual(['20.00', 1]);
  expect(second.items[0].license_codes).toHaveLength(2);
  expect(second.items[0].license_codes[0]).toMatchObject({ code_typ: '1', aktivierungen_bestellung: 5 });
  expect(third.items[0].license_codes).toMatchObject([{ id: 1, code_typ: 2 }]);
  mock.state.insertOrders('business', parseExact('[{ "id": 4, "items": [{ "menge": 2.0 }] }]') as OrderInput[]);
  expect(get(mock, '/orders').data.pagination.total).toBe(4);
});

test("an order given only as a list entry has one item at the order's price and keeps its statuses [S-20]", () => {
  const states = { zahlungsstatus: 'Rechnung', lieferstatus: null };
  const entry = { id: 5, bestellnummer: 'RE 5', ...states, gesamtpreis_brutto: '12.34' };
  const mock = createInnerMock({ orders: { status: 200, data: { orders: [entry], pagination: {} } } });
  expect(get(mock, '/orders').data.orders[0]).toMatchObject(entry);
  expect(get(mock, '/orders/5').data).toMatchObject({
    gesamtpreis_brutto: '12.34',
    items: [{ menge: 1, einzelpreis_brutto: '12.34' }],
  });
});

test('undocumented fields are returned in the object that contained them', () => {
  const warn = silenced('warn');
  const code = { id: 1, license_key: 'K', gesperrt: false };
  const item = { id: 1, menge: 1, artikelnummer: 'A-1', license_codes: [code] };
  const detail = { id: 5, status: 'bezahlt', created_at: '2026-01-02 03:04:05', notizen: [], items: [item] };
  const list = { id: 5, status: 'bezahlt', created_at: '2026-01-02 03:04:05', rabatt: '0.00' };
  const mock = createInnerMock({ orders: [{ data: { orders: [list] } }, { status: 200, data: detail }] });
  const [entry] = get(mock, '/orders').data.orders;
  const { data } = get(mock, '/orders/5');
  expect([entry, data]).toMatchObject([list, detail]);
  expect(entry).not.toHaveProperty('notizen');
  expect(data).not.toHaveProperty('rabatt');
  expect(data).not.toHaveProperty('lieferstatus');
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/served as given: rabatt, notizen, artikelnummer, gesperrt$/)],
  ]);
});

test.each([
  { status: 'bezahlt', given: null, shown: null, paid: null },
  { status: 'bezahlt', given: [], shown: [], paid: [] },
  { status: 'ausstehend', given: null, shown: null, paid: [{}, {}] },
  { status: 'ausstehend', given: [], shown: [], paid: [{}, {}] },
  { status: 'ausstehend', shown: [], paid: [{}, {}] },
])('an order given in $status with the codes $given shows $shown, and $paid once it is paid [S-37 S-38]', (row) => {
  const order = { id: 5, status: row.status, items: [{ menge: 2, license_codes: row.given }] };
  for (const orders of [{ status: 200, data: order }, order]) {
    const mock = createInnerMock({ orders });
    const codes = () => get(mock, '/orders/5').data.items[0].license_codes;
    expect(codes()).toEqual(row.shown);
    mock.state.setStatus(5, 'bezahlt');
    expect(codes()).toEqual(row.paid?.map(() => expect.objectContaining({ code_typ: 'retail' })) ?? null);
  }
});

test.each([
  ...[null, '', '2026-03-31', '2026-03-31T14:05Z', '2026-03-31T14:05:00.123Z', '2026-03-31T14:05:00+02:00'].map(
    (created_at) => ({ created_at }),
  ),
  ...[null, 119.5, 119, '119', '119.5', '119,50', '1.234,50', '119.5000', '-3'].map((gesamtpreis_brutto) => ({
    gesamtpreis_brutto,
  })),
  { id: '5' },
  { bestellnummer: null },
  { items: null },
])('an imported order keeps the form of its values: %j [U-22 U-24 U-25]', (form) => {
  silenced('warn');
  const entry = { id: 5, bestellnummer: 'B-5', status: 'bezahlt', gesamtpreis_brutto: '119.50', ...form };
  const { items, ...inList } = { items: undefined, ...form };
  const list = { data: { orders: [{ ...entry, items: undefined }] } };
  const mock = createInnerMock({ orders: JSON.parse(JSON.stringify([list, { data: { items: [], ...entry } }])) });
  expect(get(mock, '/orders').data.orders[0]).toMatchObject(inList);
  expect(get(mock, '/orders/5').data).toMatchObject(form);
});

test('list and detail can give a value in different formats, and a setting overrides both [U-22]', () => {
  const inList = { id: 5, status: 'bezahlt', gesamtpreis_brutto: 119.5 };
  const inDetail = { id: 5, status: 'bezahlt', gesamtpreis_brutto: '119.50', items: [{ einzelpreis_brutto: '119,5' }] };
  const mock = createInnerMock({ orders: [{ data: { orders: [inList] } }, { data: inDetail }] });
  const amounts = () => {
    const { gesamtpreis_brutto, items } = get(mock, '/orders/5').data;
    return [get(mock, '/orders').data.orders[0].gesamtpreis_brutto, gesamtpreis_brutto, items[0].einzelpreis_brutto];
  };
  expect(amounts()).toEqual([119.5, '119.50', '119,5']);
  mock.set({ money: 'comma' });
  expect(amounts()).toEqual(['119,50', '119,50', '119,50']);
});

test('reads an order that has a `user_id` and an `email`', () => {
  silenced('warn');
  const user = { user_id: 12, email: 'a@b.example' };
  const [hand, listed, detail] = [5, 7, 6].map((id) => ({ id, ...user, status: 'bezahlt' }));
  const mock = createInnerMock({
    orders: [hand, { data: { orders: [listed] } }, { status: 200, data: detail }] as object,
  });
  expect(idsOf(get(mock, '/orders'))).toEqual([7, 6, 5]);
  expect(get(mock, '/orders/6').data).toMatchObject(user);
});

test('serves a given order unchanged, and warns about values whose form is not in the API docs', () => {
  const given = {
    id: '9007199254740991',
    bestellnummer: null,
    status: 'in_pruefung',
    waehrung: null,
    gesamtpreis_brutto: 'frei',
    constructor: 'a field',
    items: [{ id: 'x', product_name: 7, menge: '2', einzelpreis_brutto: '119,00', license_codes: [] }],
    billing_address: 'Dresden',
  };
  const paid = {
    id: 2 ** 53 - 2,
    status: 'bezahlt',
    items: [{ menge: -1, license_codes: [{ code_typ: 'geschenk', license_key: null, aktivierungen_bestellung: '3' }] }],
  };
  const odd = { id: 3, items: { 1: { menge: 1 } } as never };
  const warn = silenced('warn');
  const mock = createInnerMock({ orders: [given, paid, odd, { id: 4, items: [{ code_typ: 'retial' }] }] });
  const served = [given.id, paid.id, odd.id].map((id) => get(mock, `/orders/${id}`).data);
  const { constructor: unknown, ...documented } = given;
  expect(served).toMatchObject([documented, paid, odd]);
  expect([served[0].constructor, served[2].items]).toEqual([unknown, odd.items]);
  expect(get(mock, '/orders').data.orders[0]).toMatchObject({ id: given.id, status: 'in_pruefung', waehrung: null });
  expect(idsOf(get(mock, '/orders?status=bezahlt'))).toEqual([paid.id]);
  expect(warn).toHaveBeenCalledOnce();
  expect(String(warn.mock.calls[0]).split('served as given: ')[1]?.split(', ')).toEqual([
    ...['status "in_pruefung"', 'gesamtpreis_brutto "frei"', 'constructor', 'menge "2"', 'einzelpreis_brutto "119,00"'],
    ...['code_typ "geschenk"', 'aktivierungen_bestellung "3"', 'items an array or an object', 'code_typ "retial"'],
  ]);
});

test('treats the orders of an object without an envelope and pagination as hand-written', () => {
  const orders = { orders: [{ id: 5, status: 'bezahlt', items: [{ menge: 2, code_typ: 'abo' }], delivered: 1 }] };
  const mock = createInnerMock({ orders: 0 });
  mock.state.insertOrders('business', orders);
  expect(get(mock, '/orders').data.orders).toEqual([expect.not.objectContaining({ items: expect.anything() })]);
  expect(get(mock, '/orders/5').data.items).toMatchObject([{ menge: 2, license_codes: [{ code_typ: 'abo' }] }]);
});

const codes = [{ license_key: 'K-1' }];
test.each<object>([
  { orders: [{ id: 5, status: 'ausstehend', items: [{ license_codes: codes }] }] },
  { data: { orders: [{ id: 5, status: 'ausstehend', items: [{ license_codes: codes }] }] } },
  { id: 5, status: 'ausstehend', items: { 1: { license_codes: codes } } },
  { id: 5, status: 'ausstehend', items: [{ license_codes: { 1: codes[0] } }] },
  { id: 5, status: 'ausstehend', items: [{ license_codes: 'K-1' }] },
  { id: 5, status: 'ausstehend', license_codes: codes },
  { id: 5, status: 'ausstehend', positionen: [{ license_codes: codes }] },
])('hides license codes in any form until their order is paid: %j [S-37]', (orders) => {
  const warn = silenced('warn');
  const mock = createInnerMock({ orders });
  const shown = () => JSON.stringify([get(mock, '/orders'), get(mock, '/orders/5'), mock.state.order(5)]);
  expect(shown()).not.toContain('K-1');
  mock.state.setStatus(5, 'bezahlt');
  expect(shown()).toContain('K-1');
  expect(warn.mock.calls.join()).not.toContain('K-1');
});

const listed = { data: { orders: [{ id: 5, status: 'abgeschlossen' }] } };
const detailed = (status: string | null) => ({ data: { id: 5, status, items: [{ license_codes: codes }] } });
test.each([
  { orders: [listed, detailed('ausstehend')], status: 'ausstehend', shown: 0 },
  { orders: [listed, detailed('bezahlt')], status: 'bezahlt', shown: 1 },
  { orders: [listed, detailed(null)], status: 'abgeschlossen', shown: 1 },
  { orders: [detailed('ausstehend'), listed], status: 'abgeschlossen', shown: 1 },
])(
  'if list and detail have different statuses, the later one counts: $status [S-34 S-37]',
  ({ orders, status, shown }) => {
    silenced('warn');
    const mock = createInnerMock({ orders });
    const { data } = get(mock, '/orders/5');
    expect([data.status, data.items[0].license_codes.length]).toEqual([status, shown]);
    expect(get(mock, `/orders?status=${status}`).data.orders).toMatchObject([{ id: 5, status }]);
  },
);

test('serves fields of a response as given, even if they describe codes in hand-written orders', () => {
  const warn = silenced('warn');
  const item = { menge: 2, code_typ: null, downloads: 3, aktivierungen_bestellung: 'x' };
  const data = { id: 5, status: 'bezahlt', delivered: 'ja', items: [item] };
  const served = get(createInnerMock({ orders: { data } }), '/orders/5').data;
  expect(served).toMatchObject({ ...data, items: [{ ...item, license_codes: [{}, {}] }] });
  expect(String(warn.mock.calls)).toMatch(/: delivered, code_typ, downloads, aktivierungen_bestellung$/);
});

test('items with negative quantities reduce the generated total [S-20 U-53]', () => {
  const items = [{ menge: 3 }, { menge: -1 }, { menge: 0 }].map((item) => ({ ...item, einzelpreis_brutto: '49.00' }));
  const { data } = get(createInnerMock({ orders: [{ id: 5, status: 'bezahlt', items }] }), '/orders/5');
  expect(data.gesamtpreis_brutto).toBe('98.00');
  expect(data.items.map(({ license_codes }: Json) => license_codes.length)).toEqual([3, 0, 0]);
});

test('generated items and codes of an order with a large ID have different safe IDs [S-28 S-29]', () => {
  for (const id of [20_261_123_190_700, Number.MAX_SAFE_INTEGER]) {
    const items = [{ menge: 3 }, { menge: 2 }];
    const { data } = get(createInnerMock({ orders: [{ id, status: 'bezahlt', items }] }), `/orders/${id}`);
    const codes = data.items.flatMap(({ license_codes }: Json) => license_codes);
    for (const list of [data.items, codes]) {
      const ids: number[] = list.map((one: Json) => one.id);
      expect(new Set(ids).size).toBe(list.length);
      expect(ids.every((one) => Number.isSafeInteger(one) && one > 0)).toBe(true);
    }
  }
});

test('rejects misspelled fields and unreadable dates of all orders in one error', () => {
  const orders = [
    { id: 1, bestelnummer: 'B-1', created_at: 'gestern' },
    { id: 2 },
    { id: 3, items: [{ mange: 2 }, { licence_codes: [], menge: 1 }, { meneg: 1 }] },
    { id: 'x', created_at: 1_774_965_900 },
  ];
  const sentence = [
    '3 problems:',
    'orders[0]: "bestelnummer" is one letter away from "bestellnummer"; correct the spelling,',
    'created_at must be a date such as 2026-03-31 14:05:00 in UTC, or null, not "gestern";',
    'orders[2]: "items[0].mange" is one letter away from "menge"; correct the spelling,',
    '"items[1].licence_codes" is one letter away from "license_codes"; correct the spelling,',
    '"items[2].meneg" is one letter away from "menge"; correct the spelling;',
    'orders[3]: id must be a whole number from 1 to 2^53 - 1, as a number or a string, not "x",',
    'created_at must be a date such as 2026-03-31 14:05:00 in UTC, or null, not "1774965900"',
  ].join(' ');
  expect(() => createInnerMock({ orders })).toThrow(sentence);
  const mock = createInnerMock({ orders: 0 });
  expect(() => mock.state.insertOrders('business', orders)).toThrow(sentence.replaceAll('orders[', '['));
  expect(mock.state.orders('business').count()).toBe(0);
});

test('your own orders replace only the orders of `business`; `otherAccount` keeps its orders and its sample [S-57]', () => {
  const mock = createInnerMock({ orders: [{ id: 5 }] });
  expect(idsOf(get(mock, '/orders'))).toEqual([5]);
  expect(() => mock.samples.manyCodes).toThrow(/there is no sample/);
  expect(get(mock, `/orders/${mock.samples.ofOtherAccount.id}`).status).toBe(404);
  expect(mock.state.orders('otherAccount').count()).toBe(30);
  const [taken] = mock.state.orders('otherAccount').page(0, 1);
  const copy = createInnerMock({ orders: [{ id: taken?.id as number }] });
  expect(idsOf(get(copy, '/orders'))).toEqual([taken?.id]);
  expect(copy.samples.ofOtherAccount.id).not.toBe(taken?.id);
});

test.each<[value: unknown, sentence: string]>([
  [[{ data: { orders: [{ id: 1 }, { id: 2, created_at: 'x' }] } }], '[0].data.orders[1]: created_at must be a date'],
  [{ data: { id: 1, items: [{ license_codes: [7] }] } }, '.data: items[0].license_codes[0] must be an object'],
  [{ id: 1, items: [{ downloads: 'some' }] }, ': items[0].downloads must be one of both'],
  [{ id: 1, delivered: -1 }, ': delivered must be a whole number'],
  [{ id: 0 }, ': id must be a whole number from 1'],
  ...['2026-02-30', '2026-02-30T10:00:00+01:00', '2026-02-30 10:00:00'].map((created_at): [object, string] => {
    return [{ created_at }, ': created_at must be a date such as '];
  }),
  [{ status: 401, error: 'no' }, ': this is an error response, without orders'],
  [[7], '[0]: an order or API response must be an object or an array'],
  [{ a: 1 }, ': this is not an order'],
  [
    { data: { user_id: 12, email: 'a@b.example' } },
    ".data: this is not an order: it has none of an order's fields, such as id",
  ],
  // a user with an `id` instead of `user_id`
  [{ data: { id: 7, email: 'a@b.example', company: 'C', vat_id: '' } }, '.data: this is not an order'],
])('rejects the orders %j, and names the path: %s', (orders, sentence) => {
  expect(() => createInnerMock({ orders: orders as object })).toThrow(`orders${sentence}`);
});

test('inserts either all orders of a response or none', () => {
  const mock = createInnerMock({ orders: 2 });
  const before = get(mock, '/orders');
  const [taken] = idsOf(get(mock, '/orders'));
  expect(() => mock.state.insertOrders('business', [{ id: 5 }, { id: taken }])).toThrow(
    `the id ${taken} belongs to another order; choose a different id`,
  );
  expect(get(mock, '/orders')).toEqual(before);
  expect(mock.state.insertOrders('business', { data: { id: 5, bestellnummer: 'X' } })).toEqual([
    { id: 5, bestellnummer: 'X' },
  ]);
});

test('generated IDs never collide with given IDs', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 10_001, max: 10_120 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, fc.nat(30), (own, more) => {
      const mock = createInnerMock({ orders: own.map((id) => ({ id })) });
      for (let n = 0; n < more; n++) mock.state.insertOrder(n % 2 === 0 ? 'business' : 'otherAccount');
      const all = fixtureAccounts.flatMap(({ account: name }) =>
        mock.state
          .orders(name)
          .page(0, 1_000)
          .map(({ id }) => id),
      );
      expect(new Set(all).size).toBe(all.length);
      for (const id of own) expect(mock.state.order(id).id).toBe(id);
    }),
    { numRuns: 60 },
  );
});

test.each<[orders: object[], place: string]>([
  [
    [{ id: 5, status: 'bezahlt' }, { id: 6 }, { id: 5 }],
    'orders[2]: the id 5 belongs to another order, at orders[0]; ',
  ],
  [
    ['bezahlt', 'storniert'].map((status) => ({ data: { orders: [{ id: 5, status }] } })),
    'at orders[0].data.orders[0]; give each order an id of its own or, if the order changed between two responses, remove one',
  ],
  [[{ data: { id: 5, items: [] } }, { id: 5 }], 'orders[1]: the id 5'],
])('rejects two different orders with one ID, and names both places: %j', (orders, place) => {
  expect(() => createInnerMock({ orders })).toThrow(place);
});

test('warns that not all license codes of a huge item are generated', () => {
  const warn = silenced('warn');
  const mock = createInnerMock({ orders: [{ id: 1, items: [{ menge: 1_000_000 }] }] });
  expect(get(mock, '/orders/1').data.items[0].license_codes).toHaveLength(1024);
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('items[0].menge is 1000000, but only 1024 license codes are made up')],
  ]);
});

test('rejects more orders than --orders allows', () => {
  const { state } = createInnerMock({ orders: 1 });
  const orders = Array.from({ length: 100_001 }, () => ({}));
  expect(() => state.replaceOrders('business', orders)).toThrow('there are 100001 orders; the maximum is 100000');
});
