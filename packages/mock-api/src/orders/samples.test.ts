import { afterAll, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { ask, type Json, started } from '../test-client.fixture.ts';
import type { SampleName } from './samples.ts';

const mock = await listen({ limit: 'off' });
afterAll(() => mock.close());

const codesOf = (order: Json): Json[] => order.items.flatMap((item: Json) => item.license_codes);
const urlsOf = ({ code_typ, download_url_64, download_url_32 }: Json): string =>
  [code_typ, download_url_64 === null, download_url_32 === null].join();
const list = (await ask(mock, '/orders?per_page=50')).body.data.orders;

test.each<[SampleName, (order: Json, entry: Json) => unknown, unknown]>([
  ['undelivered', (order, { lieferstatus }) => [order.status, lieferstatus, codesOf(order)], ['bezahlt', 'offen', []]],
  ['millions', (order) => order.gesamtpreis_brutto, '1234567.89'],
  ['pending', (order) => [order.status, codesOf(order)], ['ausstehend', []]],
  ['cancelled', (order) => [order.status, codesOf(order)], ['storniert', []]],
  ['manyItems', (order) => order.items.length, 40],
  ['manyCodes', (order) => [order.items.length, codesOf(order).length], [1, 500]],
  ['free', (order) => order.gesamtpreis_brutto, '0.00'],
  ['dollars', (order) => order.waehrung, 'USD'],
  ['allCodeTypes', (order) => new Set(codesOf(order).map(urlsOf)).size, 16],
  ['onInvoice', (order, { zahlungsstatus }) => [order.status, zahlungsstatus], ['abgeschlossen', 'offen']],
  ['hugeTotal', (order) => order.gesamtpreis_brutto, '90071992547409.93'],
  [
    'volumeLicense',
    (order) => [order.items[0].menge, codesOf(order).map((code) => code.aktivierungen_bestellung)],
    [25, [25]],
  ],
  ['noCodes', (order, { lieferstatus }) => [codesOf(order), lieferstatus], [[], 'geliefert']],
  ['partlyDelivered', (order, entry) => [codesOf(order).length, entry.lieferstatus], [4, 'teilgeliefert']],
])('the sample %s matches its description [S-55 U-13 U-14 U-21]', async (name, read, expected) => {
  const { id, bestellnummer } = mock.samples[name];
  const entry = list.find((order: Json) => order.id === id);
  const order = (await ask(mock, `/orders/${id}`)).body.data;
  expect([order.bestellnummer, entry.bestellnummer]).toEqual([bestellnummer, bestellnummer]);
  expect(read(order, entry)).toEqual(expected);
});

test('the sample ofOtherAccount is readable only with the key of its own account [S-57]', async () => {
  const { id } = mock.samples.ofOtherAccount;
  expect((await ask(mock, `/orders/${id}`)).status).toBe(404);
  expect((await ask(mock, `/orders/${id}`, { key: mock.keys.otherAccount })).status).toBe(200);
});

test('the samples depend on the seed', () => {
  const other = createMock({ seed: 7, orders: 500 });
  expect(other.samples.partlyDelivered.id).not.toBe(mock.samples.partlyDelivered.id);
});

test('reading a sample throws a helpful error if there are too few seeded orders', async () => {
  const few = await started({ orders: 4 });
  expect(few.samples.cancelled.id).toBeGreaterThan(0);
  expect(() => few.samples.partlyDelivered).toThrow(
    /no sample "partlyDelivered": [^;]+ in the account "business"; start the mock with its default data/,
  );
  const there = await (await fetch(`${few.controlUrl}/samples`)).json();
  expect(Object.keys(there as object)).toEqual(['undelivered', 'millions', 'pending', 'cancelled', 'ofOtherAccount']);
});

test('GET /__mock/samples lists the samples of the library', async () => {
  const there = await (await fetch(`${mock.controlUrl}/samples`)).json();
  expect(there).toEqual(JSON.parse(JSON.stringify(mock.samples)));
  expect(Object.keys(there as object).length).toBe(15);
});
