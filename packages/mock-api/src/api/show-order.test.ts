import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeTypes } from '../orders/statuses.ts';
import { listen, type MockServer } from '../server/listen.ts';
import { ask, type Json, walk } from '../test-client.fixture.ts';

let mock: MockServer;
let summaries: Json[];
let orders: Json[];

beforeAll(async () => {
  mock = await listen({ limit: 'off' });
  summaries = await walk(mock);
  orders = await Promise.all(summaries.map(async ({ id }) => (await ask(mock, `/orders/${id}`)).body.data));
});
afterAll(() => mock.close());

const codes = (order: Json): Json[] => order.items.flatMap((item: Json) => item.license_codes);
const eligible = (order: Json): boolean => ['bezahlt', 'abgeschlossen'].includes(order.status);
const seeded = (status: string): Json => orders.find((order) => order.status === status);

test('every listed ID returns an order with the same values [S-18]', () => {
  expect(orders.length).toBe(120);
  for (const [n, summary] of summaries.entries()) expect(summary).toMatchObject(pickShared(orders[n]));
});

test('the seeded codes have every type, every combination of URLs, and one activation or more [S-30 S-31 S-32]', () => {
  const found = orders.flatMap(codes);
  expect(new Set(found.map((code) => code.id)).size).toBe(found.length);
  expect(new Set(found.map((code) => code.code_typ))).toEqual(new Set(codeTypes));
  const combinations = found.map((code) => `${code.download_url_64 === null}/${code.download_url_32 === null}`);
  expect(new Set(combinations).size).toBe(4);
  for (const url of found.flatMap((code) => [code.download_url_64, code.download_url_32]))
    if (url !== null) expect(url).toMatch(/^https:\/\//);
  const activations = found.map((code) => code.aktivierungen_bestellung);
  expect(activations).toContain(1);
  expect(Math.max(...activations)).toBeGreaterThan(1);
});

test('names and license keys contain characters that break careless clients [S-05 S-29 U-51]', () => {
  const names = orders.flatMap((order) => order.items.map((item: Json) => item.product_name)).join();
  for (const part of ['ü', 'ß', '办公', '🚀', '"', '&']) expect(names).toContain(part);
  const keys = orders.flatMap(codes).map((code) => code.license_key);
  expect(keys.some((key) => /^[A-Z0-9]{5}(-[A-Z0-9]{5}){4}$/.test(key))).toBe(true);
  expect(keys.some((key) => key.includes(' '))).toBe(true);
  expect(keys.some((key) => /^\S+@\S+:\S+$/.test(key))).toBe(true);
  expect(keys.some((key) => key.startsWith('=') && key.includes('密'))).toBe(true);
});

test('the total is the exact sum of the items [S-20]', () => {
  const cents = (text: string) => BigInt(text.replace('.', ''));
  for (const order of orders) {
    const sum = order.items.map((item: Json) => cents(item.einzelpreis_brutto) * BigInt(item.menge));
    expect(cents(order.gesamtpreis_brutto)).toBe(sum.reduce((a: bigint, b: bigint) => a + b, 0n));
  }
});

test('only paid and completed orders have license keys [S-37 S-58]', () => {
  for (const order of orders) {
    if (eligible(order)) continue;
    expect(JSON.stringify(order)).not.toContain('license_key');
    for (const item of order.items) expect(item.license_codes).toEqual([]);
  }
  for (const status of ['bezahlt', 'abgeschlossen']) {
    expect(orders.some((order) => order.status === status && codes(order).length > 0)).toBe(true);
  }
});

test('a status change adds and removes codes [S-37]', async () => {
  const { id } = seeded('ausstehend');
  const read = async () => (await ask(mock, `/orders/${id}`)).text;
  mock.state.setStatus(id, 'bezahlt');
  expect(await read()).toContain('license_key');
  mock.state.setStatus(id, 'storniert');
  expect(await read()).not.toContain('license_key');
  mock.state.setStatus(id, 'ausstehend');
  expect(await read()).not.toContain('license_key');
});

test('returns all 40 items of one order and all 500 codes of another [S-55]', () => {
  expect(orders.some((order) => order.items.length === 40)).toBe(true);
  const most = orders.find((order) => codes(order).length === 500);
  expect(new Set(codes(most).map((code) => code.license_key)).size).toBe(500);
});

test('paid orders show none, some or all of their codes, or one code for many units [U-13 U-14]', () => {
  const paid = orders.filter((order) => order.status === 'bezahlt');
  expect(paid.some((order) => codes(order).length === 0)).toBe(true);
  expect(
    paid.some((order) => order.items.length === 1 && codes(order).length === 4 && order.items[0].menge === 10),
  ).toBe(true);
  const items = orders.filter(eligible).flatMap((order) => order.items);
  expect(items.some((item) => item.menge === 25 && item.license_codes.length === 1)).toBe(true);
  expect(items.some((item) => item.menge === 500 && item.license_codes.length === 500)).toBe(true);
});

test('a non-integer ID returns 400, and an unknown integer returns 404 [S-56 U-26]', async () => {
  const status = async (id: string) => (await ask(mock, `/orders/${id}`)).status;
  for (const id of [summaries[0].bestellnummer, 'abc', '1.5', '1e3', '0x10', '%20', '+1', '%zz', '１２']) {
    expect(await status(id), id).toBe(400);
  }
  for (const id of ['0', '-1', '1', '%31', '9'.repeat(30)]) expect(await status(id), id).toBe(404);
  expect(await status(String(summaries[0].id).replace(/^1/, '%31'))).toBe(200);
});

const pickShared = ({ id, bestellnummer, status, gesamtpreis_brutto, waehrung }: Json): Json => ({
  id,
  bestellnummer,
  status,
  gesamtpreis_brutto,
  waehrung,
});
