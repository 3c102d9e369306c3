import { afterAll, expect, test } from 'vitest';
import { codeTypes } from '../orders/statuses.ts';
import { listen } from '../server/listen.ts';
import { ask, type Json, walk } from '../test-client.fixture.ts';

const mock = await listen({ limit: 'off' });
const summaries: Json[] = await walk(mock);
const orders: Json[] = await Promise.all(summaries.map(async ({ id }) => (await ask(mock, `/orders/${id}`)).body.data));
afterAll(() => mock.close());

const codes = (order: Json): Json[] => order.items.flatMap((item: Json) => item.license_codes);

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

test.each<[status: number, ids: string[]]>([
  [400, [summaries[0].bestellnummer, 'abc', '1.5', '1e3', '0x10', '%20', '+1', '%zz', '１２']],
  [404, ['0', '-1', '1', '%31', '9'.repeat(30)]],
  [200, [String(summaries[0].id).replace(/^1/, '%31')]],
])('returns %i for the order IDs %j [S-56 U-26]', async (status, ids) => {
  for (const id of ids) expect((await ask(mock, `/orders/${id}`)).status, id).toBe(status);
});
