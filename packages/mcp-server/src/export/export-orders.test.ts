import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createClient, type Order } from '@order-license/core';
import type { ListenOptions, MockServer } from '@order-license/mock-api';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { parseCsv } from '../testing/csv.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callsOf, connect, startMock } from '../testing/mcp-session.fixture.ts';
import { orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';
import { openExportFile } from './export-file.ts';
import { rowsOf as codeRowsOf } from './export-rows.ts';

type Json = Record<string, unknown>;

/** Starts a server that may send this many requests until `lift` is called. `run` exports. */
const start = async ({ masked = false, requests = 10_000, ...options }: ListenOptions & Started = {}) => {
  const { mock, env } = await startMock({ orders: 30, ...options });
  const folder = temporaryFolder();
  const rateLimit = { requests, minGapMs: 0 };
  const lift = (requests = 10_000) => Object.assign(rateLimit, { requests });
  const settings = { baseUrl: mock.baseUrl, apiKey: mock.keys.business, rateLimit, maxWaitMs: 0 };
  const masking = { licenseKeys: masked, personalData: false };
  const client = await connectInProcess(async (onEvent) => createClient({ ...settings, onEvent }), masking, folder);
  return { mock, env, client, folder, lift, run: (args: Json) => callsOf(client).call('export_orders', args) };
};
interface Started {
  masked?: boolean;
  requests?: number;
}

const day = { created_from: '2026-03-03', created_before: '2026-03-04' };
const addOrders = (mock: MockServer, count: number, item: Json = { product_name: 'Bulk', menge: 2 }): number[] =>
  Array.from({ length: count }, (_, n) => {
    const created_at = new Date(Date.UTC(2026, 2, 3, 0, 0, n)).toISOString();
    return mock.state.insertOrder('business', { status: 'bezahlt', created_at, items: [item as never] }).id;
  });
const read = (folder: string, name: unknown) => parseCsv(readFileSync(join(folder, String(name)), 'utf8'));
const keysIn = (folder: string, name: unknown) => read(folder, name).map(({ license_key }) => license_key);
const sumOf = (parts: readonly Json[], field: string) => parts.reduce((sum, part) => sum + Number(part[field]), 0);

/** Calls until nothing remains, with this many more requests for each call. Returns the results. */
const exportInParts = async (
  { run, lift }: Pick<Awaited<ReturnType<typeof start>>, 'run' | 'lift'>,
  args: Json,
  perCall: number,
): Promise<Json[]> => {
  const parts: Json[] = [];
  let next: Json | undefined = args;
  while (next && parts.length < 20) {
    lift((parts.length + 1) * perCall);
    const { data } = await run(next);
    parts.push(data);
    next = data.continue as Json | undefined;
  }
  return parts;
};

test('writes the orders in a period, and returns their number and sums instead of their rows', async () => {
  const { mock, folder, client, run } = await start();
  addOrders(mock, 120, { product_name: 'Bulk', menge: 1, einzelpreis_brutto: '10.10' });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'order_license_export_orders')?.annotations).toMatchObject({
    readOnlyHint: false,
  });
  const { data, text } = await run({ what: 'orders', ...day });
  const rows = read(folder, data.file);
  expect(rows.filter(({ gesamtpreis_brutto }) => gesamtpreis_brutto === '10.10')).toHaveLength(120);
  expect(data).toMatchObject({ complete: true, rows: rows.length, orders: rows.length });
  expect(sumOf(rowsOf(data.sums), 'count')).toBe(rows.length);
  expect(data).not.toHaveProperty('sums_of');
  expect(text.length).toBeLessThan(1_500);
  expect(statSync(join(folder, String(data.file))).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual([data.file]);
  expect(mock.journal.total()).toBeLessThanOrEqual(5);
});

test('writes every license code of a product in a period, and no other codes', async () => {
  const { mock, folder, run } = await start({ licenseKeyPrefix: 'CANARY' });
  const ids = addOrders(mock, 20, { product_name: 'Bulk, "large"', menge: 25 });
  addOrders(mock, 3, { product_name: 'Other', menge: 4 });
  const { data, text } = await run({ what: 'codes', product: 'bulk', ...day });
  const rows = read(folder, data.file);
  expect(rows).toHaveLength(500);
  expect(new Set(rows.map(({ license_key }) => license_key)).size).toBe(500);
  expect(new Set(rows.map(({ product_name }) => product_name))).toEqual(new Set(['Bulk, "large"']));
  expect(data).toMatchObject({ complete: true, rows: 500, orders: ids.length });
  expect(data.first_row).toMatchObject({ product_name: 'Bulk, "large"' });
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

test('masks the keys in the file if the settings mask keys, and says so in each part', async () => {
  const { mock, folder, lift, run } = await start({ licenseKeyPrefix: 'CANARY', masked: true, requests: 12 });
  addOrders(mock, 15);
  const { data: first, text } = await run({ what: 'codes', ...day });
  lift();
  const { data: last } = await run(first.continue as Json);
  const file = readFileSync(join(folder, String(last.file)), 'utf8');
  expect(read(folder, last.file).length).toBeGreaterThanOrEqual(30);
  expect(file + text).not.toContain('CANARY');
  for (const part of [first, last])
    expect(part).toMatchObject({ masking: { masked: ['license_keys', 'other_fields'] } });
});

test('after the rate limit is reached, continues the same file, which is named `.partial` until it is complete', async () => {
  const { mock, folder, lift, run } = await start({ requests: 12 });
  const ids = addOrders(mock, 15);
  const { data: first } = await run({ what: 'codes', product: 'Bulk', ...day });
  const [partial] = readdirSync(folder);
  expect(partial).toMatch(/^license-codes_2026-03-03_2026-03-03_[\da-f]{8}\.csv\.partial$/);
  expect(first).toMatchObject({
    complete: false,
    interrupted_by: 'rate_limited',
    folder,
    continue: {
      what: 'codes',
      product: 'Bulk',
      created_from: '2026-03-03T00:00:00Z',
      file: partial,
      bytes: statSync(join(folder, String(partial))).size,
      check: expect.any(String),
    },
  });
  expect(first).not.toHaveProperty('file');
  lift();
  const { data: last } = await run(first.continue as Json);
  expect(last).toMatchObject({ complete: true, folder, file: partial?.replace('.partial', '') });
  expect(sumOf([first, last], 'rows')).toBe(2 * ids.length);
  expect(sumOf([first, last], 'orders')).toBe(ids.length);
  expect(new Set(keysIn(folder, last.file)).size).toBe(2 * ids.length);
  expect(readdirSync(folder)).toEqual([last.file]);
});

test('the sums and failures of all parts add up, and the last part and the file name say that the file is incomplete', async () => {
  const started = await start();
  addOrders(started.mock, 130, { product_name: 'Bulk', menge: 1, einzelpreis_brutto: '10.10' });
  started.mock.faults.add({ kind: '404', operation: 'order', times: 2 });
  const parts = await exportInParts(started, { what: 'orders', product: 'Bulk', ...day }, 40);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.sums_of).toBe('whole orders, with their other products');
  expect(parts.flatMap(({ failed = [] }) => failed)).toHaveLength(2);
  const cents = parts.flatMap(({ sums }) => rowsOf(sums)).reduce((sum, { sum: own }) => sum + Number(own) * 100, 0);
  expect(Math.round(cents)).toBe(128 * 1010);
  expect(sumOf(parts, 'orders')).toBe(128);
  expect(parts[0]).toMatchObject({ failed: [{ code: 'not_found' }, {}], continue: { incomplete: true } });
  const file = expect.stringMatching(/_incomplete\.csv$/);
  expect(parts.at(-1)).toMatchObject({ complete: false, earlier_parts: 'incomplete', file });
  expect(parts.at(-1)).not.toHaveProperty('failed');
});

test('continues with every argument of the first call, even between orders that were created in one second', async () => {
  const started = await start();
  const order = { status: 'bezahlt', created_at: '2026-03-03T00:00:05Z', items: [{ product_name: 'Bulk', menge: 1 }] };
  for (let n = 0; n < 45; n++) started.mock.state.insertOrder('business', order as never);
  const more = { status: ['bezahlt', 'abgeschlossen'], time_zone: 'Europe/Berlin', csv: 'semicolon' };
  const args = { what: 'codes', product: ' Bulk ', ...more, ...day, created_before: '2026-03-05' };
  const parts = await exportInParts(started, args, 18);
  expect(parts.length).toBeGreaterThan(2);
  for (const { continue: next } of parts.slice(0, -1)) {
    expect(next).toMatchObject({ ...more, product: 'Bulk', continue_id: expect.any(String) });
  }
  expect(sumOf(parts, 'rows')).toBe(45);
  const text = readFileSync(join(started.folder, String(parts.at(-1)?.file)), 'utf8');
  expect(new Set(parseCsv(text, ';').map(({ license_key }) => license_key)).size).toBe(45);
});

test("an export by order number writes the order's codes and date, if necessary in a later call", async () => {
  const { mock, folder, run } = await start();
  const made = { bestellnummer: 'B-7', created_at: '2030-03-03 00:00:00' };
  mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 500 }], ...made });
  mock.faults.add({ kind: '503', operation: 'order', times: 5 });
  const { data: first } = await run({ what: 'codes', order_number: 'B-7' });
  expect(first).toMatchObject({ complete: false, continue: { order_number: 'B-7' } });
  mock.faults.clear();
  const { data: last } = await run(first.continue as Json);
  expect(last).toMatchObject({ complete: true, rows: 500, orders: 1 });
  expect(last.file).toMatch(/^license-codes_B-7_[\da-f]{8}\.csv$/);
  expect(read(folder, last.file)).toMatchObject(Array(500).fill(made));
});

/** Begins an export of 50 license codes that needs two more calls. Returns the first two results. */
const startUnfinished = async () => {
  const started = await start({ requests: 12 });
  addOrders(started.mock, 25);
  const { data: first } = await started.run({ what: 'codes', product: 'Bulk', ...day });
  started.lift(24);
  const next = first.continue as Json;
  const { data: second } = await started.run(next);
  started.lift();
  return { ...started, first, next, second, partial: join(started.folder, String(next.file)) };
};

test('a repeated call writes no key twice, and names the file if the export is finished', async () => {
  const { folder, run, first, next, second } = await startUnfinished();
  expect(second).toMatchObject({ complete: false });
  const { data: last } = await run(next); // the client has not received the second result
  expect(last).toMatchObject({ complete: true });
  expect(sumOf([first, last], 'rows')).toBe(50);
  expect(keysIn(folder, last.file)).toHaveLength(50);
  expect(new Set(keysIn(folder, last.file)).size).toBe(50);
  const text = `bad_request: This export is already finished; its file is ${last.file}.`;
  expect(await run(next)).toMatchObject({ isError: true, text });
  expect(readdirSync(folder)).toEqual([last.file]);
});

test('an unfinished file stays if a call that continues it fails', async () => {
  const { mock, folder, run, next } = await startUnfinished();
  mock.faults.add({ kind: '401', operation: 'order', times: 1 });
  expect((await run(next)).text).toMatch(/^authentication: /);
  const { data: last } = await run(next);
  expect(new Set(keysIn(folder, last.file)).size).toBe(50);
});

test('rejects changed arguments in `continue`, and leaves the file unchanged', async () => {
  const { mock, run, next, partial } = await startUnfinished();
  const [before, requests] = [readFileSync(partial, 'utf8'), mock.journal.total()];
  for (const change of [
    ...[{ bytes: 90 }, { product: 'Other' }, { created_before: '2026-03-05' }, { csv: 'semicolon' }],
    ...[{ incomplete: true }, { check: '0123456789abcdef' }, { check: undefined }, { file: undefined }],
    ...[{ bytes: undefined }, { file: 'license-codes_2026-03-03_2026-03-03_ffffffff.csv.partial' }],
  ]) {
    const { text } = await run({ ...next, ...change });
    expect(text).toMatch(/^bad_request: These are not the arguments in `continue` .* pass all of them unchanged/);
  }
  expect([readFileSync(partial, 'utf8'), mock.journal.total()]).toEqual([before, requests]);
});

test('rejects a file that has become shorter, and one that is gone', async () => {
  const { run, next, partial } = await startUnfinished();
  writeFileSync(partial, 'x');
  expect((await run(next)).text).toMatch(/^bad_request: The file \S+\.partial is shorter than `bytes`/);
  expect(readFileSync(partial, 'utf8')).toBe('x');
  rmSync(partial);
  expect((await run(next)).text).toMatch(/^bad_request: There is no unfinished export license-codes_/);
});

test('a file is written by one call at a time', async () => {
  const { folder, run, next } = await startUnfinished();
  const [one, other] = await Promise.all([run(next), run(next)]);
  const [done, rejected] = one.isError ? [other, one] : [one, other];
  expect(rejected.text).toMatch(/^bad_request: Another call is writing \S+\.partial. Wait until/);
  expect(new Set(keysIn(folder, done.data.file)).size).toBe(50);
});

test.each([
  '../x_y_0a1b2c3d.csv.partial',
  'orders_a/../../b_0a1b2c3d.csv.partial',
  'mine.csv',
  'orders_x_0a1b2c3d.csv',
])('rejects the file name %s', async (name) => {
  await expect(openExportFile(temporaryFolder(), name, 1)).rejects.toThrow(/^`file` is not the name of an unfinished/);
});

/** Starts the built server. */
const startServer = async (env: Record<string, string>, folder: string) => {
  const client = await connect({ ...env, ORDER_LICENSE_EXPORT_FOLDER: folder });
  const { pid } = client.transport as StdioClientTransport;
  const run = (args: Json) => callsOf(client).call('export_orders', args);
  return { client, run, kill: (signal: NodeJS.Signals) => process.kill(Number(pid), signal) };
};

// Windows ends a process without a signal.
const signals = process.platform === 'win32' ? [] : (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const);
test('when a server ends, it leaves no unfinished file, even if another server had begun it', async () => {
  const { mock, env, folder: begun, next, partial } = await startUnfinished();
  mock.faults.add({ kind: '429', operation: 'order', times: 'always', headers: { 'retry-after': '30' } });
  for (const way of ['the end of stdin', ...signals] as const) {
    const folder = temporaryFolder();
    copyFileSync(partial, join(folder, String(next.file)));
    const server = await startServer(env, folder);
    const { data, text } = await server.run(next);
    expect(data, text).toMatchObject({ continue: { file: next.file } });
    expect(readdirSync(folder)).toEqual([next.file]);
    if (way === 'the end of stdin') await server.client.close();
    else server.kill(way);
    await expect.poll(() => readdirSync(folder), { message: way }).toEqual([]);
  }
  expect(readdirSync(begun)).toEqual([next.file]);
});

test('a server that ends keeps a file that another server continues', async () => {
  const { mock, env, folder, next } = await startUnfinished();
  mock.faults.add({ kind: '429', operation: 'order', times: 'always', headers: { 'retry-after': '30' } });
  const servers = [await startServer(env, folder), await startServer(env, folder)] as const;
  // Neither writes a row: the second one only cuts the file to the length that it has.
  for (const server of servers) expect((await server.run(next)).data).toMatchObject({ continue: { file: next.file } });
  await servers[0].client.close();
  expect(readdirSync(folder)).toEqual([next.file]);
  await servers[1].client.close();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test.each(['write', 'finish'] as const)('once another process continues a file, `%s` fails', async (name) => {
  const folder = temporaryFolder();
  const file = await openExportFile(folder, 'orders_c_00000000.csv.partial');
  await file.write('row');
  truncateSync(join(folder, 'orders_c_00000000.csv.partial'), 1);
  const work = name === 'write' ? file.write('row') : file.finish(true);
  await expect(work).rejects.toThrow(/^Another process is writing orders_c_/);
  await file.close();
  expect(readdirSync(folder)).toEqual(['orders_c_00000000.csv.partial']);
});

test('an export reports its progress, and leaves no file if it is cancelled', async () => {
  const { mock, folder, client } = await start();
  addOrders(mock, 160);
  const cancel = new AbortController();
  const messages: string[] = [];
  const onprogress = ({ message = '' }) => {
    messages.push(message);
    if (/^Wrote/m.test(messages.join('\n'))) cancel.abort();
  };
  const call = client.callTool(
    { name: 'order_license_export_orders', arguments: { what: 'codes', ...day } },
    { onprogress, signal: cancel.signal },
  );
  await expect(call).rejects.toThrow();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  expect(messages.join('\n')).toMatch(/Wrote \d+ rows from \d+ orders/);
});

test('if hundreds of orders are missing from a file, the result lists 100 of them and counts the rest', async () => {
  const { mock, run } = await start();
  addOrders(mock, 500, {});
  mock.faults.add({ kind: '404', operation: 'order', times: 400 });
  const { data, isError } = await run({ what: 'codes', ...day });
  expect(isError).toBe(false);
  const file = expect.stringMatching(/_incomplete\.csv$/);
  expect(data).toMatchObject({ complete: false, file, failed: { length: 100 }, failed_left_out: 300, orders: 100 });
});

test.each([
  ...[{}, { what: 'orders' }, { what: 'keys', ...day }, { what: 'orders', created_from: '2026-03-03' }],
  ...[{ continue: 'x', what: 'codes' }, { what: 'codes', order_number: 'B-1', ...day }, { order_number: 'B-1' }],
  { what: 'codes', order_number: 'B-1', status: 'bezahlt' },
])('rejects %j before anything is sent or written', async (args) => {
  const { mock, folder, run } = await start();
  expect((await run(args)).text).toMatch(/^bad_request: /);
  expect([mock.journal.total(), readdirSync(folder)]).toEqual([0, []]);
});

test('follows no link', async () => {
  const folder = temporaryFolder();
  const target = join(temporaryFolder(), 'target');
  writeFileSync(target, 'mine');
  const linked = 'orders_a_00000000.csv.partial';
  symlinkSync(target, join(folder, linked));
  await expect(openExportFile(folder, linked)).rejects.toThrow(/could not be written .*EEXIST/);
  await expect(openExportFile(folder, linked, 1)).rejects.toThrow(/could not be written .*ELOOP/);

  const file = await openExportFile(folder, 'orders_b_00000000.csv.partial');
  await file.write('x');
  symlinkSync(target, join(folder, 'orders_b_00000000.csv'));
  await file.finish(true);
  expect(readFileSync(join(folder, 'orders_b_00000000.csv'), 'utf8')).toBe('x');
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

test('if the folder is missing, the error names the variable and not the path', async () => {
  const { mock, folder, run } = await start();
  rmSync(folder, { recursive: true });
  const { text } = await run({ what: 'orders', ...day });
  expect(text).toMatch(/^configuration: .*ORDER_LICENSE_EXPORT_FOLDER/);
  expect(text).not.toContain(folder);
  expect(mock.journal.total()).toBe(0);
});

test('with `csv: semicolon`, writes a file that Excel in Germany opens by double-click', async () => {
  const { mock, folder, run } = await start();
  addOrders(mock, 1, { product_name: 'Bulk; "large"', menge: 1, einzelpreis_brutto: '1234.50' });
  const { data } = await run({ what: 'orders', csv: 'semicolon', ...day });
  const bytes = readFileSync(join(folder, String(data.file)));
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const rows = parseCsv(bytes.toString('utf8'), ';');
  expect(rows.filter((row) => row.gesamtpreis_brutto === '1234,50')).toHaveLength(1);
  expect(rows.every((row) => /^-?\d+,\d\d$/.test(row.gesamtpreis_brutto ?? ''))).toBe(true);
});

test.each(['0012345', '=1+1'])('protects the key %s, which spreadsheets change or run, and says so', async (key) => {
  const { mock, folder, run } = await start();
  const license_codes = [{ id: 1, license_key: key, code_typ: 'retail' }];
  const items = [{ product_name: 'Bulk', menge: 1, license_codes }];
  mock.state.insertOrder('business', { status: 'bezahlt', created_at: '2026-03-03T00:00:00Z', items } as never);
  const { data } = await run({ what: 'codes', product: 'Bulk', ...day });
  expect(read(folder, data.file)).toMatchObject([{ license_key: `'${key}`, key_has_apostrophe: 'yes' }]);
});

test('names the file after its first and last day, and states the folder and the time zones', async () => {
  const { mock, folder, run } = await start();
  mock.state.insertOrder('business', { status: 'bezahlt', created_at: '2026-03-31 20:00:00' });
  const period = { created_from: '2026-03-01', created_before: '2026-04-01', time_zone: 'Europe/Berlin' };
  const { data } = await run({ what: 'orders', ...period });
  expect(data).toMatchObject({
    folder,
    file: expect.stringMatching(/^orders_2026-03-01_2026-03-31_[\da-f]{8}\.csv$/),
    interval: { zone: 'Europe/Berlin', zone_of_created_at: 'UTC' },
    first_row: { created_at: '2026-03-31 20:00:00 UTC' },
  });
});
