import type { OrderSummary } from '@order-license/core/portable';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { startSession } from '../testing/mcp-session.fixture.ts';
import { connectToService, hourly, orderAt, type ServiceOptions } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

const masking = { licenseKeys: true, personalData: false };
const year = { created_from: '2026-01-01' };
const sorted = (order: object): string => JSON.stringify(Object.entries(order).sort());

test('returns the orders in a range as compact rows with every field that the API sent, and states the interval [S-24]', async () => {
  const orders = hourly(60, () => ({ zahlungsstatus: 'unerhört' }));
  const { call } = await connectToService({ orders });
  const range = { created_from: '2026-01-01 10:00', created_before: '2026-01-02T03:00:00+01:00' };
  const { data } = await call('list_orders', range);
  expect(rowsOf(data).map(sorted)).toEqual(orders.slice(-25, -9).map(sorted));
  expect(data).toMatchObject({
    count: 16,
    complete: true,
    interval: { created_from: '2026-01-01 10:00:00', created_before: '2026-01-02 02:00:00', zone: 'UTC' },
    same: { zahlungsstatus: 'unerhört', waehrung: 'EUR' },
  });
  expect(data).not.toHaveProperty('continue');
});

test('compact rows take at most two thirds of the tokens of the same orders in pages', async () => {
  const { call } = await startSession({ mock: { orders: 400 } });
  const { text, data } = await call('list_orders', { created_from: '2020-01-01' });
  const pages = await Promise.all([1, 2].map((page) => call('list_orders', { page, per_page: 50 })));
  const tokens = pages.reduce((sum, { text }) => sum + encode(text).length, 0);
  expect(data.count).toBe(100);
  expect(encode(text).length).toBeLessThanOrEqual((2 / 3) * tokens);
});

test('`per_page` limits the rows of a search and of its continuation, and page 1 is where a search begins', async () => {
  const { call } = await connectToService({ orders: hourly(30) });
  const { data } = await call('list_orders', { ...year, status: 'bezahlt', page: 1, per_page: 5, summary: false });
  expect(rowsOf(data)).toHaveLength(5);
  // `continue` has the types of the schema, and no argument that means nothing.
  expect(data.continue).toEqual({
    created_from: '2026-01-01T00:00:00Z',
    created_before: '2026-01-02T01:00:01Z',
    status: ['bezahlt'],
    per_page: 5,
  });
  expect(rowsOf((await call('list_orders', data.continue as object)).data)).toHaveLength(5);
});

test('accepts the arguments in `continue` after a search from the year 0 in a time zone other than UTC', async () => {
  const { callToEnd } = await connectToService({ orders: hourly(150) });
  const parts = await callToEnd('list_orders', { created_from: '0000-01-01', time_zone: 'Europe/Berlin' });
  expect(parts.map(({ count }) => count)).toEqual([100, 50]);
});

test('says that times in rows are in UTC if another time zone was passed, and that too few requests remain', async () => {
  const { call } = await connectToService({ orders: hourly(200) }, { rateLimit: { requests: 1, minGapMs: 0 } });
  const { data } = await call('list_orders', { ...year, time_zone: 'Europe/Berlin', per_page: 10 });
  expect(data).toMatchObject({
    interval: { zone: 'Europe/Berlin', zone_of_created_at: 'UTC' },
    requests_left: expect.any(Number),
    advice: expect.stringMatching(/`continue`\. Wait a minute before the next call: it may need 1 request\.$/),
  });
});

test('a search for a product does not say that license keys are masked, because the table contains none', async () => {
  const details = (order: OrderSummary) => ({
    ...order,
    items: [{ id: 1, product_name: 'Bulk', license_codes: [{ license_key: 'AAAAA-BBBBB' }] }],
  });
  const { call } = await connectToService({ orders: hourly(1), details }, { masking });
  const { data } = await call('list_orders', { ...year, product: 'Bulk' });
  expect(data).toMatchObject({ count: 1 });
  expect(data).not.toHaveProperty('masking');
});

test('a search for a product hides a license key that another order repeats', async () => {
  const license_key = 'AAAAA-BBBBB-CCCCC';
  const orders = [orderAt(2, { bestellnummer: `B ${license_key}` }), orderAt(1)];
  const details = (order: OrderSummary) => ({
    ...order,
    items: [{ id: 1, product_name: 'Bulk® 24', license_codes: order === orders[1] ? [{ license_key }] : [] }],
  });
  const { call } = await connectToService({ orders, details }, { masking });
  const { data, text } = await call('list_orders', { ...year, product: 'bulk\u00a024' });
  expect(data).toMatchObject({ count: 2, masking: { masked: ['license_keys'] } });
  expect(text).not.toContain(license_key);
});

test('filters a period and its sums by payment and delivery status, in any case', async () => {
  const orders = hourly(300, (n) => ({
    zahlungsstatus: n % 3 === 0 ? 'Offen' : 'bezahlt',
    lieferstatus: n % 2 === 0 ? 'offen' : 'geliefert',
  }));
  const { call, callToEnd } = await connectToService({ orders });
  const state = { zahlungsstatus: 'bezahlt', lieferstatus: ['offen', 'teilgeliefert'] };
  const parts = await callToEnd('list_orders', { ...state, per_page: 40 });
  const wanted = orders.filter((_, n) => n % 3 !== 0 && n % 2 === 0).map(({ id }) => id);
  expect(parts.flatMap(rowsOf).map(({ id }) => id)).toEqual(wanted);
  expect(parts).toHaveLength(Math.ceil(wanted.length / 40));
  const counted = { complete: true, count: wanted.length, by_currency: [{ count: wanted.length }] };
  expect((await call('list_orders', { ...state, summary: true })).data).toMatchObject(counted);
  expect((await call('list_orders', { zahlungsstatus: ['offen'], summary: true })).data).toMatchObject({ count: 100 });
});

test('if no order has the requested payment status, lists the statuses that occur', async () => {
  const orders = hourly(5, (n) => ({ zahlungsstatus: n === 0 ? 'offen' : 'bezahlt' }));
  const { call } = await connectToService({ orders });
  const seen = { zahlungsstatus: ['offen', 'bezahlt'], lieferstatus: ['geliefert'] };
  const { data } = await call('list_orders', { zahlungsstatus: 'open', ...year });
  expect(data).toMatchObject({ count: 0, rows: [], seen });
});

const undated = orderAt(0, { created_at: '0000-00-00 00:00:00' });
test.each<[string, ServiceOptions, object, object]>([
  [
    "isn't sorted by date [U-63]",
    { orders: hourly(40).reverse() },
    year,
    {
      complete: false,
      gaps: ['unsorted'],
      advice: 'The API does not sort its list by date, so orders may be missing.',
    },
  ],
  [
    'has an order without a readable date [U-24]',
    { orders: [...hourly(3), undated] },
    year,
    { complete: false, gaps: ['undated'], count: 3, undated: { count: 1, ids: [undated.id] } },
  ],
  [
    'has no order in the range',
    { orders: hourly(3) },
    { created_from: '2020-01-01', created_before: '2020-02-01' },
    { complete: true, count: 0, rows: [] },
  ],
])('if the list %s, says so', async (_, options, args, expected) => {
  const { call } = await connectToService(options);
  const { data } = await call('list_orders', args);
  expect(data).toMatchObject(expected);
});

test('reports the progress of a search to a client that asked for it [U-60]', async () => {
  const { client } = await connectToService({ orders: hourly(180) });
  const messages: unknown[] = [];
  await client.callTool(
    { name: 'order_license_list_orders', arguments: { summary: true } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  expect(messages).toEqual([
    'Read 49 orders, back to 2026-01-06 12:00:00 UTC.',
    'Read 99 orders, back to 2026-01-04 10:00:00 UTC.',
    'Read 149 orders, back to 2026-01-02 08:00:00 UTC.',
    'Read 179 orders, back to 2026-01-01 02:00:00 UTC.',
  ]);
});

test('cancelling a search aborts its request to the API', async () => {
  const cancel = new AbortController();
  const beforeAnswer = (request: number) => request === 3 && cancel.abort();
  const { client, requests } = await connectToService({ orders: hourly(400), beforeAnswer });
  const search = { name: 'order_license_list_orders', arguments: { summary: true } };
  await expect(client.callTool(search, { signal: cancel.signal })).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requests()).toBeLessThanOrEqual(4);
});
