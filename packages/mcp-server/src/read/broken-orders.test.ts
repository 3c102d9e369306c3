import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createNodeHost } from '@order-license/core';
import { createClient } from '@order-license/core/portable';
import { listen, type MockServer } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { parseCsv } from '../testing/csv.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

type Json = Record<string, unknown>;

const range = { created_from: '2026-03-03 00:00:00', created_before: '2026-03-03 00:01:00' };

/**
 * Connects a client to a mock that has this many paid orders in the range. Waits take no time.
 * @returns the IDs of these orders, newest first
 */
const start = async (count: number, requests = 10_000) => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-broken-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mock = await listen({ limit: 'off', orders: 30 });
  onTestFinished(() => mock.close());
  const ids = Array.from({ length: count }, (_, n) => {
    const created_at = new Date(Date.UTC(2026, 2, 3, 0, 0, n)).toISOString();
    const items = [{ product_name: 'Bulk', menge: 1 }];
    return mock.state.insertOrder('business', { status: 'bezahlt', created_at, items }).id;
  }).toReversed();
  let clock = 0;
  const sleep = async (ms: number) => {
    const until = clock + ms;
    await setImmediate();
    clock = Math.max(clock, until);
  };
  const { baseUrl, keys } = mock;
  const rateLimit = { requests, minGapMs: 0 };
  const client = await connectInProcess(
    async (onEvent) => {
      const host = { ...createNodeHost(), now: () => clock, sleep };
      // No request waits for another one: a wait would end at once, at the call's deadline.
      return createClient({
        host,
        baseUrl,
        apiKey: keys.business,
        rateLimit,
        concurrency: 8,
        maxWaitMs: 20_000,
        onEvent,
      });
    },
    undefined,
    folder,
  );
  const pass = (ms: number) => {
    clock += ms;
  };
  return { mock, folder, ids, pass, call: (tool: string, args: object) => callTool(client, tool, { ...args }) };
};

const breakOrders = ({ faults }: MockServer, ids: readonly number[]): void => {
  for (const id of ids) faults.add({ kind: '500', operation: 'order', id, times: 'always' });
};
const readsOf = ({ journal }: MockServer): number =>
  journal.entries().filter(({ operation }) => operation === 'order').length;
const failedIds = (data: Json): unknown[] => ((data.failed ?? []) as Json[]).map(({ id }) => id);
const rowsIn = (folder: string, data: Json) => parseCsv(readFileSync(join(folder, String(data.file)), 'utf8'));

/** The tools that read the orders of a period, each with the IDs that its result contains. */
const tools: [string, object, (folder: string, data: Json) => unknown[]][] = [
  ['order_license_export_orders', { what: 'codes' }, (folder, data) => rowsIn(folder, data)],
  ['order_license_get_order', { codes: false }, (_, data) => rowsOf(data.orders)],
  ['order_license_list_orders', { product: 'Bulk' }, (_, data) => rowsOf(data)],
];

const places = [
  ['the first', 0],
  ['among the', 8],
  ['the last', 16],
] as const;

test.each(
  tools.flatMap(([tool, args, rows]) => places.map(([place, from]) => [tool, place, args, rows, from] as const)),
)(
  '%s names eight broken orders in a row that are %s orders of a period, and reads the others',
  async (tool, _, args, rows, from) => {
    const { mock, folder, ids, call } = await start(24);
    const broken = ids.slice(from, from + 8);
    breakOrders(mock, broken);
    const { data, text, isError } = await call(tool, { ...args, ...range });
    expect(isError, text).toBe(false);
    expect(failedIds(data)).toEqual(broken);
    expect(rows(folder, data)).toHaveLength(16);
    expect(data).not.toHaveProperty('continue');
    expect(data).not.toHaveProperty('interrupted_by');
    // Each broken order is read three times at first, and once more after one other order has been read again.
    expect(readsOf(mock)).toBe(16 + 8 * 4 + 1);
  },
);

test.each([1, 8])(
  'an export of a period in which all orders are broken (%i) ends with a file that names them',
  async (count) => {
    const { mock, folder, ids, call } = await start(count);
    breakOrders(mock, ids);
    const { data } = await call('order_license_export_orders', { what: 'codes', ...range });
    expect(failedIds(data)).toEqual(ids);
    expect(data.file).toMatch(/_incomplete\.csv$/);
    expect(rowsIn(folder, data)).toEqual([]);
  },
);

test('an export with one readable order reads past any number of broken orders', async () => {
  const { mock, folder, ids, call } = await start(60);
  const [, ...broken] = ids;
  breakOrders(mock, broken);
  const { data } = await call('order_license_export_orders', { what: 'codes', ...range });
  expect(failedIds(data)).toEqual(broken);
  expect(rowsIn(folder, data)).toHaveLength(1);
});

test('an export reads past eight broken orders even if the limit is 15 requests per minute', async () => {
  const { mock, folder, ids, call, pass } = await start(24, 15);
  const broken = ids.slice(0, 8);
  breakOrders(mock, broken);
  let { data } = await call('order_license_export_orders', { what: 'codes', ...range });
  const failed = failedIds(data);
  for (let n = 0; data.continue && n < 12; n++) {
    pass(61_000);
    ({ data } = await call('order_license_export_orders', data.continue as object));
    failed.push(...failedIds(data));
  }
  expect(failed).toEqual(broken);
  expect(rowsIn(folder, data)).toHaveLength(16);
});

test.each([0, 3, 16, 19, 22])(
  'if the API goes down after %i orders of an export, the export stops, and `continue` reads each of the other orders',
  async (before) => {
    const { mock, folder, call } = await start(24);
    mock.faults.add({ kind: '503', operation: 'order', skip: before, times: 'always' });
    let args: object = { what: 'codes', ...range };
    for (let n = 0; n < 3; n++) {
      const { data } = await call('order_license_export_orders', args);
      expect(data).toMatchObject({
        complete: false,
        interrupted_by: 'server',
        continue: { bytes: expect.any(Number) },
      });
      expect(data).not.toHaveProperty('failed');
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.csv\.partial$/)]);
      args = data.continue as object;
    }
    mock.faults.clear();
    const { data } = await call('order_license_export_orders', args);
    expect(data).toMatchObject({ complete: true });
    expect(rowsIn(folder, data)).toHaveLength(24);
    expect(new Set(rowsIn(folder, data).map(({ license_key }) => license_key)).size).toBe(24);
  },
);

test.each(['500', 'textBody', 'emptyReply'] as const)(
  'during an outage (%s), a call stops after eight failed orders and one check, and names none as broken',
  async (kind) => {
    const { mock, ids, call } = await start(24);
    mock.faults.add({ kind, operation: 'order', times: 'always', skip: 8 });
    const { data } = await call('order_license_get_order', { ids, codes: false });
    expect(rowsOf(data.orders).map(({ id }) => id)).toEqual(ids.slice(0, 8));
    expect(data).toMatchObject({ complete: false, orders_left: 16, continue: { ids: ids.slice(8) } });
    expect(data).not.toHaveProperty('failed');
    expect(readsOf(mock)).toBe(8 + 8 * (kind === 'textBody' ? 1 : 3) + 1);
  },
);

test('if only details cannot be read, no order is named as broken', async () => {
  const { mock, folder, call } = await start(24);
  mock.faults.add({ kind: '500', operation: 'order', times: 'always' });
  const { data } = await call('order_license_export_orders', { what: 'codes', ...range });
  expect(data).toMatchObject({ complete: false, interrupted_by: 'server', orders: 0 });
  expect(data).not.toHaveProperty('failed');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.csv\.partial$/)]);
});

test('an order that cannot be read only while the API is down is read when the API is back', async () => {
  const { mock, ids, call } = await start(16);
  // Each of the eight orders is read three times.
  mock.faults.add({ kind: '500', operation: 'order', times: 24 });
  const { data } = await call('order_license_get_order', { ...range, codes: false });
  expect(data).toMatchObject({ complete: true });
  expect(rowsOf(data.orders).map(({ id }) => id)).toEqual(ids);
});
