import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Order } from '@order-license/core';
import { type ListenOptions, listen, type MockServer } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { parseCsv } from '../testing/csv.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool, startSession } from '../testing/mcp-session.fixture.ts';
import { orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';
import { createExportFile } from './export-file.ts';
import { rowsOf as codeRowsOf } from './export-rows.ts';

type Json = Record<string, unknown>;

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const start = async (more: { mock?: ListenOptions; masked?: boolean; requests?: number } = {}) => {
  const folder = newFolder();
  const mock = await listen({ limit: 'off', orders: 30, ...more.mock });
  onTestFinished(() => mock.close());
  const { baseUrl, keys } = mock;
  const rateLimit = { requests: more.requests ?? 10_000, minGapMs: 0 };
  const lift = () => Object.assign(rateLimit, { requests: 10_000 });
  const client = await connectInProcess(
    async (onEvent) => createClient({ baseUrl, apiKey: keys.business, rateLimit, maxWaitMs: 0, onEvent }),
    { licenseKeys: more.masked ?? false, personalData: false },
    folder,
  );
  return { mock, folder, client, lift, call: (args: Json) => callTool(client, 'order_license_export_orders', args) };
};

const day = { created_from: '2026-03-03', created_before: '2026-03-04' };
const addOrders = (mock: MockServer, count: number, item: Json = { product_name: 'Bulk', menge: 2 }): number[] =>
  Array.from({ length: count }, (_, n) => {
    const created_at = new Date(Date.UTC(2026, 2, 3, 0, 0, n)).toISOString();
    return mock.state.insertOrder('business', { status: 'bezahlt', created_at, items: [item as never] }).id;
  });
const read = (folder: string, name: unknown) => parseCsv(readFileSync(join(folder, String(name)), 'utf8'));

test('offers no export tool without a folder', async () => {
  const client = await connectInProcess(async () => Promise.reject(new Error('unused')));
  expect((await client.listTools()).tools).toHaveLength(3);
});

test('writes the orders in a period, and returns their number and sums instead of their rows', async () => {
  const { mock, folder, client, call } = await start();
  addOrders(mock, 120, { product_name: 'Bulk', menge: 1, einzelpreis_brutto: '10.10' });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'order_license_export_orders')?.annotations).toMatchObject({
    readOnlyHint: false,
  });
  const { data, text } = await call({ what: 'orders', ...day });
  const rows = read(folder, data.file);
  expect(rows.filter(({ gesamtpreis_brutto }) => gesamtpreis_brutto === '10.10')).toHaveLength(120);
  expect(data).toMatchObject({ complete: true, rows: rows.length, orders: rows.length });
  const count = rowsOf(data.sums).reduce((sum, group) => sum + Number(group.count), 0);
  expect(count).toBe(rows.length);
  expect(text.length).toBeLessThan(1_500);
  expect(statSync(join(folder, String(data.file))).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual([data.file]);
});

test('writes every license code of a product in a period, and no other codes', async () => {
  const { mock, folder, call } = await start({ mock: { licenseKeyPrefix: 'CANARY' } });
  const ids = addOrders(mock, 20, { product_name: 'Bulk, "large"', menge: 25 });
  addOrders(mock, 3, { product_name: 'Other', menge: 4 });
  const { data, text } = await call({ what: 'codes', product: 'bulk', ...day });
  const rows = read(folder, data.file);
  expect(rows).toHaveLength(500);
  expect(new Set(rows.map(({ license_key }) => license_key)).size).toBe(500);
  expect(new Set(rows.map(({ product_name }) => product_name))).toEqual(new Set(['Bulk, "large"']));
  expect(data).toMatchObject({ complete: true, rows: 500, orders: ids.length });
  expect(data.first_row).toMatchObject({ product_name: 'Bulk, "large"' });
  expect(text).not.toContain('CANARY');
});

test("for an order number, writes the order's codes and the date from the order's list entry", async () => {
  const { mock, folder, call } = await start({ mock: { licenseKeyPrefix: 'CANARY' } });
  addOrders(mock, 1, { product_name: 'Bulk', menge: 500 });
  const { data: list } = await call({ what: 'orders', ...day });
  const isMade = ({ created_at = '' }) => created_at.startsWith('2026-03-03T00:00:00');
  const made = read(folder, list.file).find(isMade);
  const { data, text } = await call({ what: 'codes', order_number: made?.bestellnummer });
  expect(data).toMatchObject({ complete: true, rows: 500, orders: 1 });
  expect(read(folder, data.file).every(isMade)).toBe(true);
  expect(text).not.toContain('CANARY');
});

test('writes the number and the date of the order, even if a license code has fields with these names', () => {
  const code = { id: 3, license_key: 'KEY', created_at: '2020-01-01 00:00:00', bestellnummer: 'X', product_name: 'Y' };
  const order = {
    ...orderAt(0, { bestellnummer: 'B-1' }),
    items: [{ id: 2, product_name: 'Office', license_codes: [code] }],
  };
  expect(codeRowsOf('codes', order as unknown as Order)).toMatchObject([
    { bestellnummer: 'B-1', created_at: '2026-01-01 00:00:00', product_name: 'Office', item: 2, code: 3 },
  ]);
});

test('masks the keys in the file if the settings mask keys', async () => {
  const { mock, folder, call } = await start({ mock: { licenseKeyPrefix: 'CANARY' }, masked: true });
  addOrders(mock, 3);
  const { data, text } = await call({ what: 'codes', ...day });
  const file = readFileSync(join(folder, String(data.file)), 'utf8');
  expect(read(folder, data.file).length).toBeGreaterThanOrEqual(6);
  expect(file + text).not.toContain('CANARY');
});

test('says what is masked in any part of the file, even if the export continues in another call', async () => {
  const { mock, lift, call } = await start({ masked: true, requests: 12 });
  const orders = Array.from({ length: 15 }, (_, n) => ({
    created_at: new Date(Date.UTC(2026, 2, 3, 0, 0, n)).toISOString(),
    items: n === 14 ? [{ menge: 1 }] : [],
  }));
  for (const order of orders) mock.state.insertOrder('business', { status: 'bezahlt', ...order });
  const { data: first } = await call({ what: 'codes', ...day });
  lift();
  const { data: last } = await call(first.continue as Json);
  expect(last).toMatchObject({ complete: true, rows: 1, masking: { masked: ['license_keys', 'other_fields'] } });
});

test('removes hidden text from the sums that the model reads [S-05]', async () => {
  const { mock, call } = await start();
  const created_at = '2026-03-03T00:00:00Z';
  mock.state.insertOrder('business', { status: 'bezahlt', created_at, zahlungsstatus: 'of\u{E0041}fen' });
  const { text } = await call({ what: 'orders', ...day });
  expect(text).toContain('offen');
  expect(text).not.toContain('\u{E0041}');
});

test('marks and escapes a key that a spreadsheet would execute', async () => {
  const { mock, folder, call } = await start({ mock: { licenseKeyPrefix: '=1+' } });
  addOrders(mock, 1);
  const { data } = await call({ what: 'codes', product: 'Bulk', ...day });
  for (const { license_key, key_has_apostrophe } of read(folder, data.file)) {
    expect([license_key?.slice(0, 4), key_has_apostrophe]).toEqual(["'=1+", 'yes']);
  }
});

test('after the rate limit is reached, continues the same file, which is named `.partial` until it is complete', async () => {
  const { mock, folder, lift, call } = await start({ requests: 12 });
  const ids = addOrders(mock, 15);
  const { data: first } = await call({ what: 'codes', product: 'Bulk', ...day });
  expect(first).toMatchObject({
    complete: false,
    interrupted_by: 'rate_limited',
    continue: { continue: expect.any(String) },
  });
  expect(first).not.toHaveProperty('file');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.csv\.partial$/)]);
  lift();
  const { data: last } = await call(first.continue as Json);
  expect(last).toMatchObject({ complete: true, rows: 2 * ids.length });
  expect(new Set(read(folder, last.file).map(({ license_key }) => license_key)).size).toBe(2 * ids.length);
  expect(readdirSync(folder)).toEqual([last.file]);
  expect((await call(first.continue as Json)).text).toMatch(/^bad_request: There is no export to continue/);
});

test('if the server ends while an export is unfinished, removes the file', async () => {
  const folder = newFolder();
  const { client, mock, call } = await startSession({ env: { ORDER_LICENSE_EXPORT_FOLDER: folder } });
  addOrders(mock, 3);
  mock.faults.add({ kind: '429', operation: 'order' });
  const { data } = await call('order_license_export_orders', { what: 'codes', ...day });
  expect(data).toMatchObject({ complete: false, continue: { continue: expect.any(String) } });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.csv\.partial$/)]);
  await client.close();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test('removes an unfinished file that is more than a day old, and no other files', async () => {
  const { folder, call } = await start();
  const left = 'license-codes_2026-03-03_2026-03-04_0a1b2c3d.csv.partial';
  const others = ['orders_2026-03-03_2026-03-04_0a1b2c3d.csv', 'mine.csv.partial'];
  const recent = 'orders_2026-03-03_2026-03-04_ffffffff.csv.partial';
  const dayAgo = Date.now() / 1000 - 86_500;
  for (const name of [left, recent, ...others]) writeFileSync(join(folder, name), 'KEY-1');
  for (const name of [left, ...others]) utimesSync(join(folder, name), dayAgo, dayAgo);
  const { data } = await call({ what: 'orders', ...day });
  expect(readdirSync(folder).toSorted()).toEqual([data.file, recent, ...others].toSorted());
});

test('an export reports its progress, and leaves no file if it is cancelled', async () => {
  const { mock, folder, client } = await start();
  addOrders(mock, 60);
  const cancel = new AbortController();
  const messages: string[] = [];
  const onprogress = ({ message = '' }) => {
    messages.push(message);
    if (messages.length === 8) cancel.abort();
  };
  const call = client.callTool(
    { name: 'order_license_export_orders', arguments: { what: 'codes', ...day } },
    { onprogress, signal: cancel.signal },
  );
  await expect(call).rejects.toThrow();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  expect(messages.join('\n')).toMatch(/Wrote \d+ rows from \d+ orders/);
});

test('if an order cannot be read, the file name and the result say that the file is incomplete', async () => {
  const { mock, folder, call } = await start();
  addOrders(mock, 3);
  mock.faults.add({ kind: '404', operation: 'order', times: 1 });
  const { data } = await call({ what: 'codes', product: 'Bulk', ...day });
  expect(data).toMatchObject({
    complete: false,
    failed: [{ code: 'not_found' }],
    file: expect.stringMatching(/_incomplete\.csv$/),
  });
  expect(read(folder, data.file)).toHaveLength(4);
});

test('lists the orders of a period with about one request per 50 orders', async () => {
  const { mock, call } = await start();
  addOrders(mock, 1_000, {});
  const { data } = await call({ what: 'orders', ...day });
  expect(data).toMatchObject({ complete: true, rows: 1_000 });
  expect(mock.journal.total()).toBeLessThanOrEqual(30);
});

test('if hundreds of orders are missing from a file, the result lists 100 of them and counts the rest', async () => {
  const { mock, call } = await start();
  addOrders(mock, 500, {});
  mock.faults.add({ kind: '404', operation: 'order', times: 400 });
  const { data, isError } = await call({ what: 'codes', ...day });
  expect(isError).toBe(false);
  const { failed, failed_left_out } = data as { failed: unknown[]; failed_left_out: number };
  expect(failed).toHaveLength(100);
  expect(data).toMatchObject({ complete: false, file: expect.stringMatching(/_incomplete\.csv$/) });
  expect([failed_left_out, data.orders]).toEqual([300, 100]);
});

test('if the payment status has hundreds of values, returns sums by order status only', async () => {
  const { mock, call } = await start();
  for (let n = 0; n < 500; n++) {
    const created_at = new Date(Date.UTC(2026, 2, 3, 0, 0, n)).toISOString();
    mock.state.insertOrder('business', { status: 'bezahlt', created_at, zahlungsstatus: `bezahlt am ${n}. Tag` });
  }
  const { data } = await call({ what: 'orders', ...day });
  expect(data).toMatchObject({ complete: true, orders: 500, sums_left_out: { by: 'zahlungsstatus', count: 500 } });
  expect(rowsOf(data.sums)).toEqual([expect.objectContaining({ status: 'bezahlt', count: 500 })]);
});

test.each([
  {},
  { what: 'orders' },
  { what: 'keys', ...day },
  { what: 'orders', created_from: '2026-03-03' },
  { continue: 'x', what: 'codes' },
  { what: 'codes', order_number: 'B-1', ...day },
  { what: 'codes', order_number: 'B-1', status: 'bezahlt' },
  { order_number: 'B-1' },
])('rejects %j before anything is sent or written', async (args) => {
  const { mock, folder, call } = await start();
  expect((await call(args)).text).toMatch(/^bad_request: /);
  expect([mock.journal.total(), readdirSync(folder)]).toEqual([0, []]);
});

test('follows no link, and overwrites no file', async () => {
  const folder = newFolder();
  const target = join(newFolder(), 'target');
  writeFileSync(target, 'mine');
  symlinkSync(target, join(folder, 'a.csv.partial'));
  await expect(createExportFile(folder, 'a.csv')).rejects.toThrow(/could not be written .*EEXIST/);

  const file = await createExportFile(folder, 'b.csv');
  await file.write('x');
  for (const taken of ['b.csv', 'c.csv']) symlinkSync(target, join(folder, taken));
  await expect(file.finish('b.csv')).rejects.toThrow(/EEXIST/);
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('if the folder is missing, the error names the variable and not the path', async () => {
  const { mock, folder, call } = await start();
  rmSync(folder, { recursive: true });
  const { text } = await call({ what: 'orders', ...day });
  expect(text).toMatch(/^configuration: .*ORDER_LICENSE_EXPORT_FOLDER/);
  expect(text).not.toContain(folder);
  expect(mock.journal.total()).toBe(0);
});

test('says that the sums of an export for a product are those of whole orders', async () => {
  const { mock, call } = await start();
  addOrders(mock, 2, { product_name: 'Bulk', menge: 1, einzelpreis_brutto: '10.10' });
  const { data } = await call({ what: 'orders', product: 'Bulk', ...day });
  expect(data).toMatchObject({ orders: 2, sums_of: expect.stringMatching(/^whole orders/) });
  expect((await call({ what: 'orders', ...day })).data).not.toHaveProperty('sums_of');
});
