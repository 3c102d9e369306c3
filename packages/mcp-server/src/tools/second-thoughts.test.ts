import { createClient, type Host, type Order, type OrderSummary } from '@order-license/core/portable';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool, type ToolAnswer } from '../testing/mcp-session.fixture.ts';
import { orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

type Json = Record<string, unknown>;
type Detail = OrderSummary & Partial<Pick<Order, 'items'>>;

let apis = 0;

/** Connects a client to an API in this process with these orders, which may have items and may change. */
const connectTo = async (orders: Detail[]) => {
  const host: Host = {
    now: () => 0,
    sleep: async () => undefined,
    async send({ url }) {
      const { pathname, searchParams } = new URL(url);
      const one = orders.find(({ id }) => pathname.endsWith(`/orders/${id}`));
      const [page, perPage] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 20)];
      const status = searchParams.get('status');
      const list = orders.filter((order) => !status || order.status === status).map(({ items, ...order }) => order);
      const pagination = { page, per_page: perPage, total: list.length, pages: Math.ceil(list.length / perPage) };
      const { zahlungsstatus, lieferstatus, created_at, ...detail } = one ?? ({} as Detail);
      const data = one
        ? { items: [], ...detail }
        : { orders: list.slice((page - 1) * perPage, page * perPage), pagination };
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify({ status: 200, data })) };
    },
  };
  const baseUrl = `https://second-${++apis}.example/api/v1`;
  const client = await connectInProcess(async (onEvent) =>
    createClient({ host, baseUrl, apiKey: 'key', rateLimit: { minGapMs: 0, requests: 10_000 }, onEvent }),
  );
  const call = (tool: string, args: object): Promise<ToolAnswer> =>
    callTool(client, `order_license_${tool}`, { ...args });
  return {
    call,
    /** Repeats a call with the arguments in `continue` until nothing remains. */
    async callToEnd(tool: string, args: object): Promise<ToolAnswer[]> {
      const answers: ToolAnswer[] = [];
      for (let next: object | undefined = args; next; next = answers.at(-1)?.data.continue as object | undefined) {
        answers.push(await call(tool, next));
      }
      return answers;
    },
  };
};

const year = { created_from: '2026-01-01', created_before: '2027-01-01' };
const keys = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    id: 1_000 + from + n,
    license_key: `KEY-${from + n}`,
    code_typ: 'retail',
  }));
const itemWith = (id: number, license_codes: unknown[]) => ({ id, product_name: 'Office', menge: 1, license_codes });
const ordersOf = (count: number, more: (n: number) => Partial<Detail> = () => ({})): Detail[] =>
  Array.from({ length: count }, (_, n) => orderAt((count - n) * 3_600, more(n) as Partial<OrderSummary>) as Detail);

test('filters a period and its sums by payment and delivery status, in any case', async () => {
  const orders = ordersOf(300, (n) => ({
    zahlungsstatus: n % 3 === 0 ? 'Offen' : 'bezahlt',
    lieferstatus: n % 2 === 0 ? 'offen' : 'geliefert',
  }));
  const { callToEnd } = await connectTo(orders);
  const state = { zahlungsstatus: 'bezahlt', lieferstatus: ['offen', 'teilgeliefert'] };
  const wanted = orders.filter((_, n) => n % 3 !== 0 && n % 2 === 0).map(({ id }) => id);
  const parts = await callToEnd('list_orders', { ...state, ...year, per_page: 40 });
  expect(parts.flatMap(({ data }) => rowsOf(data)).map(({ id }) => id)).toEqual(wanted);
  expect(parts).toHaveLength(Math.ceil(wanted.length / 40));
  const [sums] = await callToEnd('list_orders', { ...state, summary: true });
  expect(sums?.data).toMatchObject({ complete: true, count: wanted.length, by_currency: [{ count: wanted.length }] });
  const [open] = await callToEnd('list_orders', { zahlungsstatus: ['offen'], summary: true });
  expect(open?.data).toMatchObject({ count: 100 });
});

test('if no order has the payment status, names those that its orders have', async () => {
  const { call } = await connectTo(ordersOf(5, (n) => ({ zahlungsstatus: n === 0 ? 'offen' : 'bezahlt' })));
  const { data } = await call('list_orders', { zahlungsstatus: 'open', ...year });
  expect(data).toMatchObject({ count: 0, seen: { zahlungsstatus: ['offen', 'bezahlt'], lieferstatus: ['geliefert'] } });
});

test('a summary counts orders by status, and says how much of a sum is cancelled', async () => {
  const { call } = await connectTo(ordersOf(4, (n) => ({ status: n === 0 ? 'storniert' : 'bezahlt' })));
  const { data } = await call('list_orders', { summary: true });
  expect(data).toMatchObject({
    by_status: { storniert: 1, bezahlt: 3 },
    by_currency: [{ count: 4, sum: '4.00', of_which_storniert: { count: 1, sum: '1.00' } }],
  });
});

test('names the weeks that a range covers only partly', async () => {
  const { call } = await connectTo(ordersOf(24 * 20));
  const range = { created_from: '2026-01-07', created_before: '2026-01-19', summary: 'week' };
  expect((await call('list_orders', range)).data.partial_periods).toEqual(['2026-01-05']);
  const whole = { created_from: '2026-01-05', created_before: '2026-01-19', summary: 'week' };
  expect((await call('list_orders', whole)).data).not.toHaveProperty('partial_periods');
});

test('`continue` has the types of the schema', async () => {
  const { call } = await connectTo(ordersOf(60));
  const { data } = await call('list_orders', { ...year, status: 'bezahlt', per_page: 10 });
  expect(data.continue).toMatchObject({ status: ['bezahlt'], per_page: 10 });
});

test('a single order says why it has no codes, and which fields only the list has', async () => {
  const [pending, cancelled, paid] = ordersOf(3, (n) => ({ status: ['ausstehend', 'storniert', 'bezahlt'][n] ?? '' }));
  const { call } = await connectTo([pending, cancelled, paid] as Detail[]);
  const onlyListed = 'zahlungsstatus, lieferstatus, created_at are only in order_license_list_orders.';
  const adviceFor = async (args: object) => (await call('get_order', args)).data.advice;
  expect(await adviceFor({ id: pending?.id })).toBe(
    `Orders with status ausstehend have no license codes. ${onlyListed}`,
  );
  expect(await adviceFor({ id: paid?.id })).toBe(onlyListed);
  expect(await adviceFor({ order_number: cancelled?.bestellnummer })).toBe(
    'Orders with status storniert have no license codes.',
  );
  expect(await adviceFor({ order_number: paid?.bestellnummer })).toBeUndefined();
});

test('orders read by their IDs say which fields only the list has', async () => {
  const orders = ordersOf(2);
  const { call } = await connectTo(orders);
  const only_in_list = ['zahlungsstatus', 'lieferstatus', 'created_at'];
  expect((await call('get_order', { ids: orders.map(({ id }) => id) })).data).toMatchObject({ only_in_list });
  expect((await call('get_order', { ...year, codes: false })).data).not.toHaveProperty('only_in_list');
});

test('a period of unpaid orders says how many it left out, by status', async () => {
  const { call } = await connectTo(ordersOf(50, (n) => ({ status: n % 5 === 0 ? 'storniert' : 'ausstehend' })));
  const { data } = await call('get_order', year);
  expect(data).toMatchObject({
    complete: true,
    skipped_without_codes: { ausstehend: 40, storniert: 10 },
    orders: { rows: [] },
  });
});

test('all parts of a period have the same fields, however they are split', async () => {
  const orders = ordersOf(70, (n) => ({ items: [itemWith(n + 1, keys(30, 30 * n))] as never }));
  const { callToEnd } = await connectTo(orders);
  const parts = await callToEnd('get_order', year);
  expect(parts.length).toBeGreaterThan(2);
  const rows = parts.flatMap(({ data }) => rowsOf(data.orders));
  expect(rows.map(({ id }) => id)).toEqual(orders.map(({ id }) => id));
  for (const row of rows) {
    expect(row).toMatchObject({ created_at: /2026/, zahlungsstatus: 'bezahlt', lieferstatus: 'geliefert' });
  }
  expect(
    new Set(parts.flatMap(({ data }) => rowsOf(data.license_codes)).map(({ license_key }) => license_key)).size,
  ).toBe(2_100);
});

test('a part that continues an order whose codes have changed says so', async () => {
  const [order] = ordersOf(1, () => ({ items: [itemWith(1, keys(2_000))] as never }));
  const { call, callToEnd } = await connectTo([order as Detail]);
  for (const args of [{ id: order?.id }, year]) {
    const { data } = await call('get_order', args);
    const next = data.continue as Json;
    const items = order?.items as unknown as { license_codes: unknown[] }[];
    const codes = items[0]?.license_codes as unknown[];
    codes.push({ id: 5, license_key: 'NEW' });
    const rest = await callToEnd('get_order', next);
    expect(rest.flatMap(({ data }) => rowsOf(data.license_codes)).at(-1)).toMatchObject({ license_key: 'NEW' });
    codes.unshift(codes.pop());
    expect((await call('get_order', next)).text).toBe(
      `bad_request: The items or codes of order ${order?.id} have changed since the previous part. Call again with the same arguments without \`skip\`, and discard what you have of this order.`,
    );
    codes.shift();
  }
});

test('a part with a large order behind it is full', async () => {
  const key = (n: number) =>
    `${(n * 7_919_000_003).toString(36).toUpperCase().padStart(10, 'X').slice(-10)}-A7K2Q-9X4TB-M3PL8`;
  const codes = Array.from({ length: 900 }, (_, n) => ({ id: 90_000 + n, license_key: key(n), code_typ: 'retail' }));
  const orders = ordersOf(2, (n) => ({ items: [itemWith(n + 1, n === 0 ? codes : keys(5_000))] as never }));
  const { call } = await connectTo(orders);
  const { data, text } = await call('get_order', { ids: orders.map(({ id }) => id) });
  expect(rowsOf(data.license_codes).length).toBeGreaterThan(360);
  expect(encode(text).length).toBeLessThanOrEqual(12_000);
});

test('splits a page that is too long for a result, and loses no order', async () => {
  const orders = ordersOf(70, (n) => ({ export_url: `https://shop.example/${n}/${'signature'.repeat(90)}` }) as never);
  const { call } = await connectTo(orders);
  const found: unknown[] = [];
  let next: Json | undefined = { per_page: 50 };
  for (let part = 0; next && part < 99; part++) {
    const { data, text } = await call('list_orders', next);
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(encode(text).length).toBeLessThanOrEqual(12_000);
    found.push(...(data.orders as Json[]).map(({ id }) => id));
    const { page, pages } = data.pagination as { page: number; pages: number };
    const isLast = page >= pages && !data.continue;
    next = isLast ? undefined : ((data.continue ?? { ...next, page: page + 1 }) as Json);
  }
  expect(found).toEqual(orders.map(({ id }) => id));
});

test.each([
  ['list_orders', { per_page: 50 }],
  ['list_orders', year],
  ['list_orders', { summary: 'day' }],
  ['get_order', year],
  ['get_order', { ...year, codes: false }],
])('%s with %j stays within 12,000 tokens and 40,000 characters, whatever an order contains', async (tool, args) => {
  const texts = ['https://s.example/?sig=', '👩🏽‍💻', 'ÄÖÜ', '東京都', 'q7Z', '\\"{[', '0', ' x'];
  for (const [index, text] of texts.entries()) {
    const orders = ordersOf(
      60,
      (n) =>
        ({
          [`own_${index}_${n % 7}`]: text.repeat(40 + 9 * n),
          waehrung: index === 4 ? `Q${n}` : 'EUR',
          items: [
            itemWith(
              n + 1,
              keys(20, 20 * n).map((code) => ({ ...code, [text.slice(0, 2)]: text.repeat(n) })),
            ),
          ],
        }) as never,
    );
    const { call } = await connectTo(orders);
    let next: object | undefined = args;
    for (let part = 0; next && part < 4; part++) {
      const { text, data, isError } = await call(tool, next);
      expect(isError, text.slice(0, 300)).toBe(false);
      expect(text.length).toBeLessThanOrEqual(40_000);
      expect(encode(text).length).toBeLessThanOrEqual(12_000);
      next = data.continue as object | undefined;
    }
  }
});
