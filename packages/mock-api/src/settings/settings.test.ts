import { expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { type Json, send } from '../test-client.fixture.ts';
import type { SettingInput } from './profiles.ts';
import type { Settings } from './settings.ts';

const mockWith = (set: SettingInput) => createInnerMock({ limit: 'off', set });
const usual = mockWith({});
const { samples } = usual;
const get = (set: SettingInput, path: string, mock = mockWith(set)): Json => send(mock, path).body.data;
const orderOf = (set: SettingInput, name: keyof typeof samples): Json => get(set, `/orders/${samples[name].id}`);
const entriesOf = (set: SettingInput): Json[] => get(set, '/orders?per_page=50').orders;
const codes = (order: Json): Json[] => order.items.flatMap((item: Json) => item.license_codes);
const meOf = (set: SettingInput): Json => {
  const mock = mockWith(set);
  return send(mock, '/me', { key: mock.keys.otherAccount }).body.data;
};

test('extraFields adds fields to the order detail [S-27 U-16 U-20]', () => {
  const [entry] = entriesOf({});
  expect(get({ extraFields: 'summary' }, `/orders/${entry.id}`)).toMatchObject(entry);
  expect(get({ extraFields: 'unknown' }, `/orders/${entry.id}`)).toMatchObject({
    rechnungsnummer: expect.any(String),
    steuer: { satz: '19.00' },
  });
});

test('settings change the license codes of unpaid orders [U-12]', () => {
  const codesOf = (ineligibleCodes: Settings['ineligibleCodes']) =>
    orderOf({ ineligibleCodes }, 'pending').items[0].license_codes;
  expect([codesOf('empty'), codesOf('absent'), codesOf('null')]).toEqual([[], undefined, null]);
});

test.each<[Settings['billing'], unknown]>([
  ['german', expect.objectContaining({ plz: expect.any(String) })],
  ['emptyObject', {}],
  ['emptyArray', []],
  ['null', null],
])('a setting changes the billing address: %s [U-17]', (billing, expected) => {
  expect(orderOf({ billing }, 'pending').billing_address).toEqual(expected);
});

test('payment and delivery statuses can be any word or null [U-18 U-19]', () => {
  const entries = entriesOf({ zahlungsstatus: ['überfällig', 'teilbezahlt', 'null'], lieferstatus: ['null'] } as never);
  const words = (name: string) => new Set(entries.map((order) => order[name]));
  expect(words('zahlungsstatus')).toEqual(new Set(['überfällig', 'teilbezahlt', null]));
  expect(words('lieferstatus')).toEqual(new Set([null]));
});

test.each<[Settings['money'], unknown[]]>([
  ['number', [1234567.89, 0.1, 147]],
  ['oneDigit', ['1234567.89', '0.1', '147.0']],
  ['integer', ['1234567.89', '0.10', '147']],
  ['comma', ['1234567,89', '0,10', '147,00']],
  ['dotComma', ['1.234.567,89', '0,10', '147,00']],
  ['negative', ['-1234567.89', '-0.10', '-147.00']],
  ['null', [null, null, null]],
])('a setting changes the format of amounts: %s [U-22]', (money, amounts) => {
  const entries = entriesOf({ money });
  const shown = (['millions', 'dollars', 'undelivered'] as const).map(
    (name) => entries.find(({ id }) => id === samples[name].id).gesamtpreis_brutto,
  );
  expect(shown).toEqual(amounts);
});

test.each<[Settings['dates'], unknown]>([
  ['zero', '0000-00-00 00:00:00'],
  ['null', null],
  ['iso', `${entriesOf({})[0].created_at.replace(' ', 'T')}.000Z`],
])('a setting changes the format of dates: %s [U-24]', (dates, expected) => {
  expect(entriesOf({ dates })[0].created_at).toBe(expected);
});

test('large, negative and string IDs still find their order [U-25]', () => {
  const { id, bestellnummer } = samples.undelivered;
  const listed = (ids: Settings['ids']) => {
    const mock = mockWith({ ids });
    const [, shown = ''] = /"id":("?-?\d+"?)/.exec(send(mock, '/orders?per_page=1').text) ?? [];
    const digits = shown.replaceAll('"', '');
    const found = [digits, Number(digits)].map((one) => get({}, `/orders/${one}`, mock)?.bestellnummer);
    return { shown, digits, found };
  };
  const big = listed('big');
  expect(Number.isSafeInteger(Number(big.digits))).toBe(false);
  expect(big.found[0]).toBe(bestellnummer);
  expect(big.found[1]).not.toBe(bestellnummer);
  expect(listed('string')).toMatchObject({ shown: `"${id}"`, found: [bestellnummer, bestellnummer] });
  expect(listed('negative')).toMatchObject({ shown: String(-id), found: [bestellnummer, bestellnummer] });
});

test('an empty company can be absent or null [U-46]', () => {
  expect(meOf({}).company).toBe('');
  expect(meOf({ emptyText: 'null' }).company).toBeNull();
  expect(meOf({ emptyText: 'absent' })).not.toHaveProperty('company');
});

test('any documented field can be absent or null [U-59]', () => {
  const set = {
    missing: 'me.name,order.waehrung,items[].menge,orders[].lieferstatus,pagination.total',
    nulls: 'me.email,order.id,license_codes[].code_typ',
  };
  const [me, order, page] = [meOf(set), orderOf(set, 'allCodeTypes'), get(set, '/orders')];
  expect([me.email, order.id, codes(order)[0].code_typ]).toEqual([null, null, null]);
  const without = [me.name, order.waehrung, order.items[0].menge, page.orders[0].lieferstatus, page.pagination.total];
  expect(without).toEqual(Array(5).fill(undefined));
});

test.each<[Settings['downloadUrls'], RegExp]>([
  ['relative', /^\/downloads\/\d+\//],
  ['http', /^http:/],
  ['expiring', /\?expires=\d+&signature=/],
  ['empty', /^$/],
])('a setting changes the format of download URLs: %s [U-50]', (downloadUrls, form) => {
  expect(codes(orderOf({ downloadUrls }, 'manyCodes'))[0].download_url_64).toMatch(form);
});

test('futureValues adds values that v1 does not define, but no license keys for pending orders [U-54]', () => {
  const set = { futureValues: 'on' };
  const strange = entriesOf(set).find(({ status }) => status === 'in_pruefung');
  const detail = get(set, `/orders/${strange.id}`);
  expect(detail.status).toBe('in_pruefung');
  expect(JSON.stringify(detail)).not.toContain('license_key');
  expect(codes(orderOf(set, 'allCodeTypes')).some(({ code_typ }) => code_typ === 'cloud')).toBe(true);
});
