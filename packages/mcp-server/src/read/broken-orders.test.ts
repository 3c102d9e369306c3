import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { parseCsv } from '../testing/csv.fixture.ts';
import { connectToService, orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

type Json = Record<string, unknown>;

const day = { created_from: '2026-01-01', created_before: '2026-01-02' };

/** Connects to an API with 24 orders, the newest first, which returns these statuses for some of them, by position. */
const connectTo = async (statusOf: (n: number) => number | undefined, folder?: string) => {
  const orders = Array.from({ length: 24 }, (_, n) => orderAt(24 - n));
  const items = [{ id: 1, product_name: 'Bulk', license_codes: [{ id: 2, license_key: 'KEY' }] }];
  const details = (order: (typeof orders)[0]) => statusOf(orders.indexOf(order)) ?? { ...order, items };
  const options = folder === undefined ? {} : { folder };
  const service = await connectToService({ orders, details }, options);
  return { ...service, ids: orders.map(({ id }) => id) };
};
const failedIds = (data: Json): unknown[] => ((data.failed ?? []) as Json[]).map(({ id }) => id);

/** The tools that read the orders of a period, each with the IDs in its result. */
const tools: [string, object, (data: Json) => unknown[]][] = [
  ['get_order', { codes: false }, (data) => rowsOf(data.orders).map(({ id }) => id)],
  ['list_orders', { product: 'Bulk' }, (data) => rowsOf(data).map(({ id }) => id)],
];
const cases = (starts: number[]) =>
  tools.flatMap(([tool, ...rest]) => starts.map((at) => [tool, at, ...rest] as const));

test.each(cases([0, 8, 22]))(
  '%s names two broken orders in a row, from order %i of a period on, and reads the others',
  async (tool, from, args, idsOf) => {
    const { ids, call, requests } = await connectTo((n) => (n >= from && n < from + 2 ? 500 : undefined));
    const { data } = await call(tool, { ...args, ...day });
    expect(failedIds(data)).toEqual(ids.slice(from, from + 2));
    expect(idsOf(data)).toEqual(ids.toSpliced(from, 2));
    expect(data).toMatchObject({ complete: false });
    expect(data).not.toHaveProperty('continue');
    expect(data).not.toHaveProperty('interrupted_by');
    expect(requests()).toBe(1 + 24);
  },
);

test.each(cases([0, 8, 21]))(
  '%s ends after three broken orders in a row (%i) with what was read, and `continue` begins after them',
  async (tool, from, args, idsOf) => {
    const { ids, call } = await connectTo((n) => (n >= from && n < from + 3 ? 500 : undefined));
    const { data: first } = await call(tool, { ...args, ...day });
    expect(failedIds(first)).toEqual(ids.slice(from, from + 3));
    expect(idsOf(first)).toEqual(ids.slice(0, from));
    expect(first).toMatchObject({ complete: false, interrupted_by: 'server' });
    const rest = first.continue ? (await call(tool, first.continue)).data : undefined;
    expect(rest ? idsOf(rest) : []).toEqual(ids.slice(from + 3));
    expect(rest ?? {}).not.toHaveProperty('failed');
  },
);

test.each<[string, (n: number) => number | undefined, boolean]>([
  ['orders that do not exist do not count as broken', (n) => (n >= 4 && n < 12 ? 404 : undefined), true],
  ['an order that can be read ends a row of broken ones', (n) => (n % 3 === 2 ? undefined : 500), false],
])('%s', async (_, statusOf, complete) => {
  const { ids, call } = await connectTo(statusOf);
  const { data } = await call('get_order', { ids, codes: false });
  expect(failedIds(data)).toEqual(ids.filter((_, n) => statusOf(n) !== undefined));
  expect(data).toMatchObject({ complete });
  expect(data).not.toHaveProperty('continue');
});

test('during an outage, a call stops after a few failed orders', async () => {
  const { ids, call, requests } = await connectTo((n) => (n < 8 ? undefined : 503));
  const { data } = await call('get_order', { ids, codes: false });
  expect(rowsOf(data.orders).map(({ id }) => id)).toEqual(ids.slice(0, 8));
  expect(data).toMatchObject({ complete: false, orders_left: 13, continue: { ids: ids.slice(11) } });
  expect(failedIds(data)).toEqual(ids.slice(8, 11));
  expect(requests()).toBe(1 + 2 + 4 + 8);
});

test('an export continues after three broken orders, and names them', async () => {
  const folder = temporaryFolder();
  const { ids, callToEnd } = await connectTo((n) => (n >= 5 && n < 8 ? 500 : undefined), folder);
  const [first = {}, last = {}] = await callToEnd('export_orders', { what: 'codes', ...day });
  expect(failedIds(first)).toEqual(ids.slice(5, 8));
  expect(first).toMatchObject({ complete: false, interrupted_by: 'server' });
  expect(last.file).toMatch(/_incomplete\.csv$/);
  expect(parseCsv(readFileSync(join(folder, String(last.file)), 'utf8'))).toHaveLength(21);
});
