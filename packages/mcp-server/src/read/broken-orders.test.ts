import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createNodeHost } from '@order-license/core';
import { createClient } from '@order-license/core/portable';
import { listen, type MockServer } from '@order-license/mock-api';
import { faultOf } from '@order-license/testing/odd-responses';
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
const rowsIn = (folder: string, data: Json) => parseCsv(readFileSync(join(folder, String(data.file)), 'utf8'));
const readsOf = ({ journal }: MockServer): number =>
  journal.entries().filter(({ operation }) => operation === 'order').length;
const failedIds = (data: Json): unknown[] => ((data.failed ?? []) as Json[]).map(({ id }) => id);

/** The tools that read the orders of a period, each with the IDs in its result. */
const tools: [string, object, (data: Json) => unknown[]][] = [
  ['order_license_get_order', { codes: false }, (data) => rowsOf(data.orders).map(({ id }) => id)],
  ['order_license_list_orders', { product: 'Bulk' }, (data) => rowsOf(data).map(({ id }) => id)],
];

test.each(tools.flatMap(([tool, args, idsOf]) => [0, 8, 22].map((from) => [tool, from, args, idsOf] as const)))(
  '%s names two broken orders in a row, from order %i of a period on, and reads the others',
  async (tool, from, args, idsOf) => {
    const { mock, ids, call } = await start(24);
    const broken = ids.slice(from, from + 2);
    breakOrders(mock, broken);
    const { data, text, isError } = await call(tool, { ...args, ...range });
    expect(isError, text).toBe(false);
    expect(failedIds(data)).toEqual(broken);
    expect(idsOf(data)).toEqual(ids.filter((id) => !broken.includes(id)));
    expect(data).toMatchObject({ complete: false });
    expect(data).not.toHaveProperty('continue');
    expect(data).not.toHaveProperty('interrupted_by');
    // A broken order is read three times.
    expect(readsOf(mock)).toBe(22 + 2 * 3);
  },
);

test.each(tools.flatMap(([tool, args, idsOf]) => [0, 8, 21].map((from) => [tool, from, args, idsOf] as const)))(
  'after three broken orders in a row, %s ends with what was read (%i), and `continue` begins behind them',
  async (tool, from, args, idsOf) => {
    const { mock, ids, call } = await start(24);
    const broken = ids.slice(from, from + 3);
    breakOrders(mock, broken);
    const { data: first } = await call(tool, { ...args, ...range });
    expect(failedIds(first)).toEqual(broken);
    expect(idsOf(first)).toEqual(ids.slice(0, from));
    expect(first).toMatchObject({ complete: false, interrupted_by: 'server' });
    const rest = first.continue ? (await call(tool, first.continue)).data : undefined;
    expect(rest ? idsOf(rest) : []).toEqual(ids.slice(from + 3));
    expect(rest ?? {}).not.toHaveProperty('failed');
  },
);

test('orders that do not exist do not count as broken', async () => {
  const { mock, ids, call } = await start(24);
  for (const id of ids.slice(4, 12)) mock.faults.add({ kind: '404', operation: 'order', id, times: 'always' });
  const { data } = await call('order_license_get_order', { ids, codes: false });
  expect(failedIds(data)).toEqual(ids.slice(4, 12));
  expect(data).toMatchObject({ complete: true, orders: { rows: { length: 16 } } });
});

test('an order that can be read ends a row of broken ones', async () => {
  const { mock, ids, call } = await start(24);
  const broken = ids.filter((_, n) => n % 3 !== 2);
  breakOrders(mock, broken);
  const { data } = await call('order_license_get_order', { ...range, codes: false });
  expect(failedIds(data)).toEqual(broken);
  expect(data).not.toHaveProperty('continue');
});

test.each(['500', 'textBody', 'emptyReply'] as const)('during an outage (%s), a call stops soon', async (kind) => {
  const { mock, ids, call } = await start(24);
  mock.faults.add({ ...faultOf(kind), operation: 'order', times: 'always', skip: 8 });
  const { data } = await call('order_license_get_order', { ids, codes: false });
  expect(rowsOf(data.orders).map(({ id }) => id)).toEqual(ids.slice(0, 8));
  expect(data).toMatchObject({ complete: false, orders_left: 13, continue: { ids: ids.slice(11) } });
  expect(failedIds(data)).toEqual(ids.slice(8, 11));
  expect(readsOf(mock)).toBe(8 + 8 * 3);
});

test('an export reads on behind three broken orders, and names them', async () => {
  const { mock, ids, call, folder } = await start(24);
  breakOrders(mock, ids.slice(5, 8));
  let { data } = await call('order_license_export_orders', { what: 'codes', ...range });
  expect(failedIds(data)).toEqual(ids.slice(5, 8));
  expect(data).toMatchObject({ complete: false, interrupted_by: 'server' });
  ({ data } = await call('order_license_export_orders', data.continue as object));
  expect(rowsIn(folder, data)).toHaveLength(21);
  expect(data.file).toMatch(/_incomplete\.csv$/);
});
