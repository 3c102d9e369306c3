import { type Order, type OrderSummary, toMinorUnits } from '@order-license/core/portable';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { Masking } from '../answers/masked-answer.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool, startSession } from '../testing/mcp-session.fixture.ts';
import { movingService, orderAt, type ServiceOptions, timeText } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

interface Found {
  count: number;
  columns: string[];
  same?: Record<string, unknown>;
  rows: unknown[][];
  complete: boolean;
  gaps?: string[];
  continue?: Record<string, unknown>;
}
interface Sums {
  by_currency: { waehrung: string; count: number; sum: string }[];
  by_status: Record<string, number>;
  count: number;
  read_sums_with?: Record<string, unknown>;
  complete: boolean;
  continue?: Record<string, unknown>;
}

const connectTo = async (options: ServiceOptions, masking?: Masking) => {
  const service = movingService(options);
  const client = await connectInProcess(async (onEvent) => service.openClient(undefined, { onEvent }), masking);
  return {
    service,
    search: async (args: object) => {
      const answer = await callTool(client, 'order_license_list_orders', { ...args });
      return { ...answer, found: answer.data as unknown as Found, sums: answer.data as unknown as Sums };
    },
  };
};

const days = (count: number, more: Partial<OrderSummary> = {}) =>
  Array.from({ length: count }, (_, index) => orderAt((count - index) * 3_600, more));

test('returns the orders in a range as compact rows with every field that the API sent, and states the interval [S-24]', async () => {
  const orders = days(60, { zahlungsstatus: 'unerhört' });
  const { search } = await connectTo({ orders: [...orders] });
  const { found, data } = await search({
    created_from: '2026-01-01 10:00',
    created_before: '2026-01-02T03:00:00+01:00',
  });
  const expected = orders.filter(
    ({ created_at }) => created_at >= timeText(10 * 3_600) && created_at < timeText(26 * 3_600),
  );
  expect(rowsOf(found).map((order) => JSON.stringify(Object.entries(order).sort()))).toEqual(
    expected.map((order) => JSON.stringify(Object.entries(order).sort())),
  );
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
  const { text } = await call('order_license_list_orders', { created_from: '2020-01-01' });
  const rows = JSON.parse(text).count as number;
  const pages = await Promise.all([1, 2].map((page) => call('order_license_list_orders', { page, per_page: 50 })));
  const tokens = (texts: string[]) => texts.reduce((sum, text) => sum + encode(text).length, 0);
  expect(rows).toBe(100);
  expect(tokens([text])).toBeLessThanOrEqual((2 / 3) * tokens(pages.map(({ text }) => text)));
});

test('the arguments in `continue` return the rest: each order once, in rows and in sums [S-20]', async () => {
  // Of the orders in one second, the one with the higher ID comes first.
  const orders = Array.from({ length: 3_500 }, (_, n) => {
    const index = 3_499 - n;
    return orderAt(Math.floor((3_500 - index) / 3), {
      waehrung: index % 7 === 0 ? 'USD' : 'EUR',
      gesamtpreis_brutto: `${index}.${index % 10}${index % 7}`,
      status: index % 5 === 0 ? 'storniert' : 'bezahlt',
    });
  }).reverse();
  const before = [...orders];
  let second = 2_000;
  const { search } = await connectTo({ orders, beforeAnswer: () => orders.unshift(orderAt(++second)) });
  const range = { created_from: timeText(200), created_before: timeText(1_150), status: ['storniert', 'bezahlt'] };
  const inRange = before.filter(({ created_at }) => created_at >= timeText(200) && created_at < timeText(1_150));

  const ids: unknown[] = [];
  for (let next: object | undefined = range; next; ) {
    const { found }: { found: Found } = await search(next);
    ids.push(...rowsOf(found).map(({ id }) => id));
    next = found.continue;
  }
  expect(ids).toEqual(inRange.map(({ id }) => id));

  const totals = new Map<string, bigint>();
  let calls = 0;
  for (let next: object | undefined = { ...range, summary: true }; next; calls++) {
    const { sums }: { sums: Sums } = await search(next);
    for (const { waehrung, sum } of sums.by_currency) {
      totals.set(waehrung, (totals.get(waehrung) ?? 0n) + toMinorUnits(sum));
    }
    next = sums.continue;
  }
  const sumOf = (currency: string) =>
    inRange
      .filter(({ waehrung }) => waehrung === currency)
      .reduce((sum, order) => sum + toMinorUnits(order.gesamtpreis_brutto), 0n);
  expect(Object.fromEntries(totals)).toEqual({ EUR: sumOf('EUR'), USD: sumOf('USD') });
  expect(calls).toBe(2);
});

test('a summary adds up orders by currency and by the three status fields, and never mixes currencies [U-21 U-23]', async () => {
  const orders = [
    orderAt(5, { gesamtpreis_brutto: '0.10' }),
    orderAt(4, { gesamtpreis_brutto: '0.20', zahlungsstatus: 'offen' }),
    orderAt(3, { gesamtpreis_brutto: '7.00', waehrung: 'USD' }),
    orderAt(2, { gesamtpreis_brutto: 'free' }),
  ];
  const { search } = await connectTo({ orders });
  expect((await search({ summary: true })).data).toEqual({
    count: 4,
    by_status: { bezahlt: 4 },
    by_currency: [
      {
        ...{ waehrung: 'EUR', count: 3, sum: '0.30' },
        sum_by_zahlungsstatus: { bezahlt: '0.10', offen: '0.20' },
      },
      {
        ...{ waehrung: 'USD', count: 1, sum: '7.00' },
        sum_by_zahlungsstatus: { bezahlt: '7.00' },
      },
    ],
    groups: {
      same: { status: 'bezahlt', lieferstatus: 'geliefert' },
      columns: ['waehrung', 'zahlungsstatus', 'count', 'sum'],
      rows: [
        ['EUR', 'bezahlt', 2, '0.10'],
        ['EUR', 'offen', 1, '0.20'],
        ['USD', 'bezahlt', 1, '7.00'],
      ],
    },
    not_in_sums: { count: 1, orders: [{ id: orders[3]?.id, field: 'gesamtpreis_brutto', value: 'free' }] },
    interval: { created_from: null, created_before: null, zone: 'UTC' },
    complete: true,
    requests: 2,
    requests_left: 999_998,
  });
});

test('accepts the arguments in `continue` after a search from the year 0 in a time zone other than UTC', async () => {
  const { search } = await connectTo({ orders: days(150) });
  const { found } = await search({ created_from: '0000-01-01', time_zone: 'Europe/Berlin' });
  const { text, isError } = await search(found.continue as object);
  expect(isError, text.slice(0, 200)).toBe(false);
});

test('adds up thousands of orders that have many undocumented fields', async () => {
  const more = { more: Array.from({ length: 80 }, (_, n) => n) };
  const { search } = await connectTo({ orders: days(2_600, more as Partial<OrderSummary>) });
  const { sums, text } = await search({ created_from: '2026-01-01', summary: true });
  expect(sums, text.slice(0, 200)).toMatchObject({ complete: true, count: 2_600, by_currency: [{ sum: '2600.00' }] });
});

test('a summary says what is masked in any of its orders', async () => {
  const orders = days(450).with(0, orderAt(500 * 3_600, { waehrung: 'Zloty zzgl. MwSt.' }));
  const { search } = await connectTo({ orders }, { licenseKeys: true, personalData: false });
  const { data } = await search({ created_from: '2026-01-01', summary: true });
  expect(data).toMatchObject({ count: 450, masking: { masked: ['other_fields'] } });
});

test('a search for a product does not say that license keys are masked, because the table contains none', async () => {
  const session = await startSession({ env: { ORDER_LICENSE_LICENSE_KEYS: 'masked' } });
  const created_at = '2030-03-03 00:00:00';
  const items = [{ product_name: 'Bulk', menge: 1 }];
  session.mock.state.insertOrder('business', { status: 'bezahlt', created_at, items });
  const { data } = await session.call('order_license_list_orders', { created_from: '2030-01-01', product: 'Bulk' });
  expect(data).toMatchObject({ count: 1 });
  expect(data).not.toHaveProperty('masking');
});

test('a search for a product hides a license key that another order repeats', async () => {
  const session = await startSession({ env: { ORDER_LICENSE_LICENSE_KEYS: 'masked' } });
  const { state, baseUrl, keys } = session.mock;
  const items = [{ product_name: 'Bulk® 24', menge: 1 }];
  const { id } = state.insertOrder('business', { status: 'bezahlt', created_at: '2030-03-03 00:00:00', items });
  const response = await fetch(`${baseUrl}/orders/${id}`, { headers: { authorization: `Bearer ${keys.business}` } });
  const { data: order } = (await response.json()) as { data: Order };
  const key = String(order.items[0]?.license_codes?.[0]?.license_key);
  expect(key.length).toBeGreaterThan(8);
  state.insertOrder('business', { bestellnummer: `B ${key}`, created_at: '2030-03-04 00:00:00', items });
  const search = { created_from: '2030-01-01', product: 'bulk\u00a024' };
  const { data } = await session.call('order_license_list_orders', search);
  expect(data).toMatchObject({ count: 2, masking: { masked: ['license_keys'] } });
  expect(JSON.stringify(data)).not.toContain(key);
});

test('a summary by month follows the time zone, and has one row per period and currency', async () => {
  // 1 January 2026, 00:00 UTC is still December in New York.
  const orders = [orderAt(40 * 86_400), orderAt(86_400, { waehrung: 'USD' }), orderAt(43_200), orderAt(3_600)];
  const { search } = await connectTo({ orders });
  const { data } = await search({ summary: 'month', time_zone: 'America/New_York' });
  expect(data).toMatchObject({ complete: true, count: 4, interval: { zone: 'America/New_York' } });
  expect(rowsOf(data.periods)).toEqual([
    { period: '2026-02-01', waehrung: 'EUR', count: 1, sum: '1.00' },
    { period: '2026-01-01', waehrung: 'USD', count: 1, sum: '1.00' },
    { period: '2026-01-01', waehrung: 'EUR', count: 1, sum: '1.00' },
    { period: '2025-12-01', waehrung: 'EUR', count: 1, sum: '1.00' },
  ]);
  expect(data.by_currency).toMatchObject([{ waehrung: 'EUR', count: 3 }, { waehrung: 'USD' }]);
});

test('masked currencies are not added together [U-23]', async () => {
  const orders = [orderAt(2, { waehrung: 'gold' }), orderAt(1, { waehrung: 'silver' }), orderAt(0)];
  const service = movingService({ orders });
  const openClient = async () => service.openClient();
  const client = await connectInProcess(openClient, { licenseKeys: true, personalData: true });
  const { data, text } = await callTool(client, 'order_license_list_orders', { summary: true });
  expect(text).not.toMatch(/gold|silver|2\.00/);
  expect(data).toMatchObject({ count: 3, not_in_sums: { count: 2 } });
});

test('says that times in rows are in UTC if another time zone was passed, and that too few requests remain', async () => {
  const service = movingService({ orders: days(200) });
  const client = await connectInProcess(async (onEvent) =>
    service.openClient({ requests: 1, minGapMs: 0 }, { onEvent }),
  );
  const args = { created_from: '2026-01-01', time_zone: 'Europe/Berlin', per_page: 10 };
  const { data } = await callTool(client, 'order_license_list_orders', args);
  expect(data).toMatchObject({
    interval: { zone: 'Europe/Berlin', zone_of_created_at: 'UTC' },
    requests_left: expect.any(Number),
    advice: expect.stringMatching(/`continue`\. Wait a minute before the next call: it may need 1 request\.$/),
  });
});

test('splits a summary by day for a long period into parts whose sums add up', async () => {
  const orders = Array.from({ length: 2_900 }, (_, index) => orderAt((2_900 - index) * 40_000));
  const { search } = await connectTo({ orders });
  const sums = new Map<unknown, number>();
  let calls = 0;
  for (let next: object | undefined = { created_from: '2026-01-01', summary: 'day' }; next; calls++) {
    const { data, text } = await search(next);
    expect(text.length).toBeLessThan(40_000);
    for (const { period, count } of rowsOf(data.periods)) sums.set(period, (sums.get(period) ?? 0) + Number(count));
    next = data.continue as object | undefined;
  }
  expect(calls).toBe(3);
  expect([...sums.values()].reduce((sum, count) => sum + count, 0)).toBe(2_900);
  expect(Math.max(...sums.values())).toBe(3);
});

test('counts a long list by status with five requests, and says how to get sums [U-11]', async () => {
  const orders = days(2_000).map((order, index) => ({ ...order, status: index % 4 === 0 ? 'storniert' : 'bezahlt' }));
  const { search, service } = await connectTo({ orders });
  const { sums, data } = await search({ summary: true });
  expect(service.requests()).toBe(5);
  expect(data).toMatchObject({
    count: 2_000,
    by_status: { ausstehend: 0, bezahlt: 1_500, abgeschlossen: 0, storniert: 500 },
    complete: true,
    advice: expect.stringMatching(/^The counts include all orders\. Sums are omitted/),
  });
  expect(data).not.toHaveProperty('continue'); // with `continue`, a client would read more parts and count orders twice
  const next = await search(sums.read_sums_with ?? {});
  expect(next.sums.count).toBeGreaterThan(1_400);
});

test('in a long list, counts only the requested statuses', async () => {
  const orders = days(4_000).map((order, index) => ({ ...order, status: index % 4 === 0 ? 'storniert' : 'bezahlt' }));
  const { search } = await connectTo({ orders });
  const { data } = await search({ summary: true, status: ['storniert', 'ausstehend'] });
  expect(data).toMatchObject({ count: 1_000, by_status: { ausstehend: 0, storniert: 1_000 } });
  expect(data.by_status).not.toHaveProperty('bezahlt');
  expect((await search({ summary: true, status: 'bezahlt' })).data).toMatchObject({ count: 3_000 });
});

test('counts an order only once if its status changes between two counts, and says why the counts differ', async () => {
  const orders = days(2_000, { status: 'ausstehend' });
  const beforeAnswer = (request: number) => {
    const [newest] = orders;
    // The status changes after the pending orders are counted, but before the paid orders are counted.
    if (request === 3 && newest) newest.status = 'bezahlt';
  };
  const { search } = await connectTo({ orders, beforeAnswer });
  expect((await search({ summary: true })).data).toMatchObject({
    count: 2_000,
    by_status: { ausstehend: 2_000, bezahlt: 1, abgeschlossen: 0, storniert: 0 },
    advice: expect.stringContaining(
      'The counts in by_status add up to 2001 instead of 2000: each status is counted in a separate request',
    ),
  });
});

test("counts the orders if `total` can't be trusted [U-11]", async () => {
  const orders = days(3_200);
  const distort: ServiceOptions['distort'] = ({ orders, pagination }) => ({
    orders,
    pagination: { ...pagination, total: 3_200 },
  });
  const { search } = await connectTo({ orders, distort });
  const { sums } = await search({ summary: true });
  expect(sums).toMatchObject({ by_currency: [{ count: sums.count }], complete: false });
  expect(sums.count).toBeGreaterThan(2_000);
});

test('accepts UTC, the default, as the time zone of a page', async () => {
  const { call } = await startSession();
  const plain = await call('order_license_list_orders', { per_page: 2 });
  expect(await call('order_license_list_orders', { per_page: 2, time_zone: 'UTC' })).toEqual(plain);
  expect((await call('order_license_get_order', { ids: [10_025], time_zone: 'UTC' })).isError).toBe(false);
});

test('the first page of a search is the search, and a summary ignores `per_page`, because models fill in both', async () => {
  const { search } = await connectTo({ orders: days(30) });
  const ask = async (args: object) => {
    const { requests_left: _, ...data } = (await search({ created_from: '2026-01-01', ...args })).data;
    return data;
  };
  expect(await ask({ page: 1, per_page: 5 })).toEqual(await ask({ per_page: 5 }));
  expect(await ask({ page: 1, per_page: 20, summary: true })).toEqual(await ask({ summary: true }));
});

test('`per_page` limits the rows of a search and of its continuation', async () => {
  const { search } = await connectTo({ orders: days(30) });
  const { found } = await search({ created_from: '2026-01-01', per_page: 5 });
  expect(found.rows).toHaveLength(5);
  expect((await search(found.continue ?? {})).found.rows).toHaveLength(5);
  expect(found.continue).toEqual({
    created_from: '2026-01-01T00:00:00Z',
    created_before: '2026-01-02T01:00:01Z',
    per_page: 5,
  });
});

test('`continue` returns all orders that were created in one second', async () => {
  const orders = Array.from({ length: 290 }, (_, n) => orderAt(n < 140 ? 5 : 7));
  const { search } = await connectTo({ orders: orders.toReversed() });
  const found: unknown[] = [];
  for (let next: object | undefined = { created_from: '2026-01-01' }; next; ) {
    const { data, text, isError } = await search(next);
    expect(isError, text).toBe(false);
    found.push(...rowsOf(data).map(({ id }) => id));
    next = data.continue as object | undefined;
  }
  expect(found).toHaveLength(290);
  expect(new Set(found)).toEqual(new Set(orders.map(({ id }) => id)));
});

test('returns a page if only one status is passed, or if `summary` is false', async () => {
  const { call, mock } = await startSession();
  const plain = await call('order_license_list_orders', { status: 'bezahlt', page: 1 });
  expect(await call('order_license_list_orders', { status: ['bezahlt', 'bezahlt'], page: 1, summary: false })).toEqual(
    plain,
  );
  expect(mock.journal.entries().map(({ query }) => query)).toEqual(['page=1&status=bezahlt', 'page=1&status=bezahlt']);
});

test.each<[object, RegExp]>([
  [{ page: 2, created_from: '2026-01-01' }, /^`page` cannot be combined with dates/],
  [
    { page: 2, status: ['bezahlt', 'storniert'] },
    /^`page` cannot be combined with dates, `product`, `zahlungsstatus`, `lieferstatus`, several statuses or `summary`/,
  ],
  [{ page: 2, summary: true }, /^`page` cannot be combined/],
  [{ created_from: '2026-01-01', created_before: '2026-01-01' }, /earlier than `created_before`, which is exclusive/],
  [{ created_from: '2026-02-30' }, /^`created_from` must be a date/],
  [{ created_from: '1.3.2026' }, /^`created_from` must be a date/],
  [{ created_before: 'yesterday' }, /^`created_before` must be a date/],
  [{ created_before: 1_767_225_600 }, /^`created_before` must be a date/],
  [{ created_from: '2026-01-01T10:00:00+25:00' }, /^`created_from` must be a date/],
  [{ page: 2, product: 'x' }, /^`page` cannot be combined/],
  [{ product: 'x', summary: true }, /^`summary` counts whole orders/],
  [{ created_from: '2026-01-01', time_zone: 'Europe/Bärlin' }, /^`time_zone` must be an IANA name/],
  [{ page: 1, time_zone: 'Europe/Berlin' }, /^`time_zone` requires dates/],
  [{ status: ['bezahlt', 'paid'] }, /^`status` must be one of/],
  [{ continue_id: '7', per_page: 5 }, /^`continue_id` must be copied from `continue`, with all other arguments there/],
  [{ summary: 'yes' }, /^`summary` must be true, false, day, week or month/],
])('rejects %j before anything is sent [S-33]', async (args, detail) => {
  const { search, service } = await connectTo({ orders: days(3) });
  const { text, isError } = await search(args);
  expect(isError).toBe(true);
  expect(text.replace(/^bad_request: /, '')).toMatch(detail);
  expect(service.requests()).toBe(0);
});

test.each([
  ['2026-11-01', '2026-11-01 00:00:00'],
  ['2026-11-01 09:30', '2026-11-01 09:30:00'],
  ['2026-11-01T09:30:15Z', '2026-11-01 09:30:15'],
  ['2026-11-01T00:30:00+01:00', '2026-10-31 23:30:00'],
  ['2026-11-01T00:30:00-0530', '2026-11-01 06:00:00'],
  ['2026-11-01T09:30:15.000Z', '2026-11-01 09:30:15'],
  ['2026-11-01T09:30:15.250Z', '2026-11-01 09:30:16'],
])('reads the time %s as %s UTC [S-22]', async (given, read) => {
  const { search } = await connectTo({ orders: days(3) });
  expect((await search({ created_from: given })).data).toMatchObject({ interval: { created_from: read } });
});

test("if the list isn't sorted by date, reports the result as incomplete, with the reason [U-63]", async () => {
  const { search } = await connectTo({ orders: days(40).reverse() });
  const { found, data } = await search({ created_from: '2026-01-01' });
  expect(found).toMatchObject({ complete: false, gaps: ['unsorted'] });
  expect(data.advice).toBe('The API does not sort its list by date, so orders may be missing.');
});

test('orders without a readable date are counted and named, not returned [U-24]', async () => {
  const undated = orderAt(0, { created_at: '0000-00-00 00:00:00' });
  const { search } = await connectTo({ orders: [...days(3), undated] });
  expect((await search({ created_from: '2026-01-01' })).data).toMatchObject({
    count: 3,
    undated: { count: 1, ids: [undated.id] },
    complete: false,
    gaps: ['undated'],
  });
});

test('an empty range is complete', async () => {
  const { search } = await connectTo({ orders: days(3) });
  expect((await search({ created_from: '2020-01-01', created_before: '2020-02-01' })).data).toMatchObject({
    count: 0,
    rows: [],
    complete: true,
  });
});

test('reports the progress of a search to a client that asked for it [U-60]', async () => {
  const service = movingService({ orders: days(180) });
  const client = await connectInProcess(async () => service.openClient());
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
  const service = movingService({ orders: days(400), beforeAnswer: (request) => request === 3 && cancel.abort() });
  const client = await connectInProcess(async () => service.openClient());
  const search = client.callTool(
    { name: 'order_license_list_orders', arguments: { summary: true } },
    { signal: cancel.signal },
  );
  await expect(search).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(service.requests()).toBeLessThanOrEqual(4);
});

test('a summary by month has the months of dates that masking hides', async () => {
  const orders = [orderAt(40 * 86_400), orderAt(0)].map((order) => ({
    ...order,
    created_at: `${order.created_at.replace(' ', 'T')}Z`,
  }));
  const { search } = await connectTo({ orders }, { licenseKeys: true, personalData: false });
  const { data } = await search({ summary: 'month' });
  expect(rowsOf(data.periods).map(({ period }) => period)).toEqual(['2026-02-01', '2026-01-01']);
});

test('returns a summary even if the payment status is different for each of a thousand orders', async () => {
  const orders = days(1_200).map((order, n) => ({ ...order, zahlungsstatus: `bezahlt per Überweisung, Beleg ${n}` }));
  const { search } = await connectTo({ orders });
  const { data, text } = await search({ summary: true });
  expect(data, text.slice(0, 200)).toMatchObject({
    complete: true,
    by_currency: [{ waehrung: 'EUR', count: 1_200, sum: '1200.00' }],
  });
  expect(rowsOf(data.groups)).toEqual([expect.objectContaining({ status: 'bezahlt', count: 1_200 })]);
});
