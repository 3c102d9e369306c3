import { afterAll, expect, test } from 'vitest';
import { listen } from '../server/listen.ts';
import { ask, type Json, walk } from '../test-client.fixture.ts';
import type { Settings } from './settings.ts';

const mock = await listen({ limit: 'off' });
const summaries: Json[] = await walk(mock);
const orders: Json[] = await Promise.all(summaries.map(async ({ id }) => (await ask(mock, `/orders/${id}`)).body.data));
afterAll(() => mock.close());

const codes = (order: Json): Json[] => order.items.flatMap((item: Json) => item.license_codes);
const seeded = (status: string): Json => orders.find((order) => order.status === status);

/** Returns the `data` of a response under these settings. */
const withSettings = async (set: Partial<Settings>, id: number, path = `/orders/${id}`): Promise<Json> => {
  mock.setProfile('strict', { limit: 'off', ...set });
  const { body } = await ask(mock, path);
  mock.setProfile('strict', { limit: 'off' });
  return body.data;
};

test('extraFields adds fields to the order detail [S-27 U-16 U-20]', async () => {
  const [summary] = summaries;
  const more = await withSettings({ extraFields: 'summary' }, summary.id);
  expect(more).toMatchObject(summary);
  const unknown = await withSettings({ extraFields: 'unknown' }, summary.id);
  expect(unknown).toMatchObject({ rechnungsnummer: expect.any(String), steuer: { satz: '19.00' } });
});

test('settings change the billing address, and the license codes of unpaid orders [U-12 U-17]', async () => {
  const { id } = seeded('ausstehend');
  const [item] = (await withSettings({ ineligibleCodes: 'absent' }, id)).items;
  expect('license_codes' in item).toBe(false);
  expect((await withSettings({ ineligibleCodes: 'null' }, id)).items[0].license_codes).toBeNull();
  const billing = async (style: Settings['billing']) => (await withSettings({ billing: style }, id)).billing_address;
  expect(await billing('german')).toHaveProperty('plz');
  expect([await billing('emptyObject'), await billing('emptyArray'), await billing('null')]).toEqual([{}, [], null]);
});

test('payment and delivery statuses can be any word or null [U-18 U-19]', async () => {
  const { orders: entries } = await withSettings(
    { zahlungsstatus: ['überfällig', 'teilbezahlt', 'null'], lieferstatus: ['null'] },
    0,
    '/orders?per_page=50',
  );
  expect(new Set(entries.map((order: Json) => order.zahlungsstatus))).toEqual(
    new Set(['überfällig', 'teilbezahlt', null]),
  );
  expect(new Set(entries.map((order: Json) => order.lieferstatus))).toEqual(new Set([null]));
});

test('a setting changes the format of amounts [U-22]', async () => {
  const amount = async (money: Settings['money']) => {
    const { orders: entries } = await withSettings({ money }, 0, '/orders');
    return [entries[1], entries[7]].map((order) => order.gesamtpreis_brutto);
  };
  expect(await amount('number')).toEqual([1234567.89, 0.1]);
  expect(await amount('oneDigit')).toEqual(['1234567.89', '0.1']);
  expect(await amount('comma')).toEqual(['1234567,89', '0,10']);
  expect(await amount('dotComma')).toEqual(['1.234.567,89', '0,10']);
  expect(await amount('negative')).toEqual(['-1234567.89', '-0.10']);
  expect(await amount('null')).toEqual([null, null]);
  const { orders: whole } = await withSettings({ money: 'integer' }, 0, '/orders');
  expect(whole[0].gesamtpreis_brutto).toMatch(/^\d+$/);
});

test('dates can be zero, null or ISO 8601 [U-24]', async () => {
  const date = async (dates: Settings['dates']) => (await withSettings({ dates }, 0, '/orders')).orders[0].created_at;
  expect(await date('zero')).toBe('0000-00-00 00:00:00');
  expect(await date('null')).toBeNull();
  expect(await date('iso')).toBe(`${summaries[0].created_at.replace(' ', 'T')}.000Z`);
});

test('large, negative and string IDs still find their order [U-25]', async () => {
  const [{ id, bestellnummer }] = summaries;
  const listed = async (ids: Settings['ids']) => {
    mock.setProfile('strict', { limit: 'off', ids });
    const { text } = await ask(mock, '/orders?per_page=1');
    const shown = /"id":"?(-?\d+)/.exec(text)?.[1] ?? '';
    const detail = (await ask(mock, `/orders/${shown}`)).body.data;
    const lost = (await ask(mock, `/orders/${Number(shown)}`)).body.data;
    mock.setProfile('strict', { limit: 'off' });
    return { shown, detail, lost, quoted: text.includes(`"${shown}"`) };
  };
  const big = await listed('big');
  expect(Number.isSafeInteger(Number(big.shown))).toBe(false);
  expect(big.detail.bestellnummer).toBe(bestellnummer);
  expect(BigInt(big.shown)).not.toBe(BigInt(Number(big.shown)));
  expect(big.lost?.bestellnummer).not.toBe(bestellnummer);
  const text = await listed('string');
  expect([text.shown, text.quoted, text.detail.bestellnummer]).toEqual([String(id), true, bestellnummer]);
  const negative = await listed('negative');
  expect([negative.shown, negative.detail.bestellnummer]).toEqual([String(-id), bestellnummer]);
});

test('an empty company and any documented field can be absent or null [U-46 U-59]', async () => {
  const me = async (set: Partial<Settings>) => {
    mock.setProfile('strict', { limit: 'off', ...set });
    const { data } = (await ask(mock, '/me', { key: mock.keys.otherAccount })).body;
    mock.setProfile('strict', { limit: 'off' });
    return data;
  };
  expect((await me({})).company).toBe('');
  expect((await me({ emptyText: 'null' })).company).toBeNull();
  expect('company' in (await me({ emptyText: 'absent' }))).toBe(false);
  expect((await me({ nulls: ['me.email'], missing: ['me.name'] })).email).toBeNull();
  const full = orders.find((order) => codes(order).length === 4);
  const order = await withSettings(
    { missing: ['order.waehrung', 'items[].menge'], nulls: ['license_codes[].code_typ', 'order.id'] },
    full.id,
  );
  expect('waehrung' in order || 'menge' in order.items[0]).toBe(false);
  expect([order.id, codes(order)[0].code_typ]).toEqual([null, null]);
  const page = await withSettings({ missing: ['orders[].lieferstatus', 'pagination.total'] }, 0, '/orders');
  expect('lieferstatus' in page.orders[0] || 'total' in page.pagination).toBe(false);
});

test('a setting changes the format of download URLs [U-50]', async () => {
  const { id } = orders.find((order) => codes(order).length === 4);
  const url = async (set: Partial<Settings>) => codes(await withSettings(set, id))[0].download_url_64;
  expect(await url({ downloadUrls: 'relative' })).toMatch(/^\/downloads\/\d+\//);
  expect(await url({ downloadUrls: 'http' })).toMatch(/^http:/);
  expect(await url({ downloadUrls: 'expiring' })).toMatch(/\?expires=\d+&signature=/);
  expect(await url({ downloadUrls: 'empty' })).toBe('');
});

test('futureValues adds values that v1 does not define, but no license keys for pending orders [U-54]', async () => {
  const page = await withSettings({ futureValues: 'on' }, 0, '/orders?per_page=50');
  const strange = page.orders.find((order: Json) => order.status === 'in_pruefung');
  const detail = await withSettings({ futureValues: 'on' }, strange.id);
  expect(detail.status).toBe('in_pruefung');
  expect(JSON.stringify(detail)).not.toContain('license_key');
  const abo = orders.find((order) => codes(order).some((code) => code.code_typ === 'abo'));
  expect(codes(await withSettings({ futureValues: 'on' }, abo.id)).some((code) => code.code_typ === 'cloud')).toBe(
    true,
  );
});
