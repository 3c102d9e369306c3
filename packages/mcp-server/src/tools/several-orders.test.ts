import type { OrderSummary } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';
import { connectToService, hourly, keyOf, orderAt } from '../testing/moving-service.fixture.ts';
import { codeRowsOf, rowsOf } from '../testing/rows.fixture.ts';

type Json = Record<string, unknown>;

const year = { created_from: '2026-01-01', created_before: '2027-01-01' };
const keysOf = (parts: readonly Json[]): unknown[] => parts.flatMap(codeRowsOf).map(({ license_key }) => license_key);
const idsOf = (part: Json): unknown[] => rowsOf(part.orders).map(({ id }) => id);

const codes = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    id: 90_000 + from + n,
    license_key: keyOf(from + n),
    code_typ: 'retail',
  }));
const item = (id: number, license_codes: unknown[], product_name = 'Office') => ({ id, product_name, license_codes });
/** Connects to an API whose orders have these items. Their details have no field that only the list has. */
const connectTo = (orders: OrderSummary[], itemsOf: (order: OrderSummary) => object[] = () => []) =>
  connectToService({ orders, details: (one) => ({ id: one.id, status: one.status, items: itemsOf(one) }) });

test('returns a long order in parts, and says in the last part that nothing remains [S-55]', async () => {
  const [order] = hourly(1);
  const sent = codes(500);
  const { call, callToEnd } = await connectTo([order] as OrderSummary[], () => [item(1, sent)]);
  const parts = await callToEnd('get_order', { id: order?.id });
  expect(parts).toHaveLength(2);
  const next = { ids: [order?.id], skip: expect.any(String) };
  expect(parts[0]).toMatchObject({ complete: false, continue: next, orders_left: 1 });
  expect(parts[1]).toMatchObject({ complete: true, only_in_list: ['zahlungsstatus', 'lieferstatus', 'created_at'] });
  expect(keysOf(parts)).toEqual(sent.map(({ license_key }) => license_key));
  expect((await call('get_order', { id: order?.id, skip: 600 })).text).toBe(
    'bad_request: The order has fewer entries than `skip`. Use the arguments in `continue`.',
  );
});

test.each([
  [503, { isError: true, text: expect.stringMatching(/^server: /) }],
  [404, { isError: false, data: { complete: true, failed: [{ code: 'not_found' }] } }],
])('if an order returns %i, does not apply its `skip` to the next order [S-55]', async (status, expected) => {
  const orders = hourly(2);
  const { call } = await connectToService({
    orders,
    details: (one) => (one === orders[0] ? status : { id: one.id, items: [item(1, codes(1))] }),
  });
  const answer = await call('get_order', { ids: orders.map(({ id }) => id), skip: '2' });
  expect(answer).toMatchObject(expected);
  if (!answer.isError) expect(keysOf([answer.data])).toEqual([keyOf(0)]);
});

test('`product` with dates returns only the codes of that product, from every order that can have codes [S-55]', async () => {
  const statuses = ['bezahlt', 'abgeschlossen', 'in Prüfung', 'storniert', 'ausstehend'];
  const orders = hourly(10, (n) => ({ status: statuses[n % 5] ?? '' }));
  const { call, requests } = await connectTo(orders, (order) => [
    ...(order.id === orders[5]?.id ? [] : [item(order.id, codes(2, 10 * order.id), 'Netzwerkscanner Pro')]),
    item(1_000 + order.id, codes(1, 100_000), 'Other'),
  ]);
  const { data } = await call('get_order', { ...year, product: 'scanner pro' });
  expect(requests()).toBe(1 + 6);
  expect(data).toMatchObject({ complete: true, interval: { created_from: '2026-01-01 00:00:00', zone: 'UTC' } });
  const wanted = [0, 1, 2, 6, 7].map((n) => orders[n]?.id ?? 0);
  expect(idsOf(data)).toEqual(wanted);
  expect(keysOf([data])).toEqual(wanted.flatMap((id) => [keyOf(10 * id), keyOf(10 * id + 1)]));
  expect(rowsOf(data.orders)).toMatchObject(wanted.map(() => ({ zahlungsstatus: 'bezahlt', created_at: /2026/ })));
  const listed = await call('list_orders', { ...year, product: 'Netzwerkscanner' });
  expect(listed.data).toMatchObject({ complete: true, count: 9, requests: expect.any(Number) });
});

test('all parts of a period have the same fields, and contain each order and each code once', async () => {
  const orders = hourly(70);
  const { callToEnd, requests } = await connectTo(orders, (one) => [item(one.id, codes(30, 30 * one.id))]);
  const parts = await callToEnd('get_order', year);
  const rows = parts.flatMap(({ orders }) => rowsOf(orders));
  expect([...new Set(rows.map(({ id }) => id))]).toEqual(orders.map(({ id }) => id));
  for (const row of rows) {
    expect(row).toMatchObject({ created_at: /2026/, zahlungsstatus: 'bezahlt', lieferstatus: 'geliefert' });
  }
  for (const part of parts) expect(part).not.toHaveProperty('only_in_list');
  expect(new Set(keysOf(parts)).size).toBe(2_100);
  expect(Math.max(...parts.map((part) => codeRowsOf(part).length))).toBeLessThanOrEqual(400);
  // An order is read again only if some of its codes did not fit into the previous result.
  expect(requests()).toBeLessThan(150);
});

test('a large order before others takes one request per part, and its last part is full', async () => {
  const orders = hourly(40);
  const itemsOf = (one: OrderSummary) => [item(one.id, codes(one === orders[0] ? 5_000 : 10, one.id * 10_000))];
  const { callToEnd, requests } = await connectToService(
    { orders, details: (one) => ({ ...one, items: itemsOf(one) }) },
    { rateLimit: { requests: 60, minGapMs: 0 }, maxWaitMs: 0 },
  );
  const parts = await callToEnd('get_order', { ids: orders.map(({ id }) => id) });
  expect(new Set(keysOf(parts)).size).toBe(5_390);
  const last = parts.findLastIndex((part) => idsOf(part).includes(orders[0]?.id));
  expect(idsOf(parts[last] ?? {}).length).toBeGreaterThan(1);
  expect(parts.slice(0, last).map((part) => part.requests)).toEqual(Array(last).fill(1));
  expect(requests()).toBeLessThanOrEqual(60);
  expect(JSON.stringify(parts.slice(0, last))).not.toContain('Wait a minute');
});

test.each([
  [500, undefined],
  [45, 5],
])('of %i orders in a period, `orders_left` is %o: unknown before all are listed', async (count, left) => {
  const { call } = await connectTo(hourly(count));
  const { data } = await call('get_order', { ...year, codes: false });
  expect(data.continue).toBeDefined();
  expect(data.orders_left).toBe(left);
});

test.each([['id'], ['a period']])(
  'a part reports that the codes of its first order changed since the part before (by %s)',
  async (by) => {
    const [order] = hourly(1);
    const sent = codes(2_000);
    const { call, callToEnd } = await connectTo([order] as OrderSummary[], () => [item(1, sent)]);
    const { data } = await call('get_order', by === 'id' ? { id: order?.id } : year);
    const next = data.continue as Json;
    const added = { id: 5, license_key: 'NEW', code_typ: 'retail' };
    sent.push(added);
    expect(keysOf(await callToEnd('get_order', next)).at(-1)).toBe('NEW');
    sent.unshift(added);
    expect((await call('get_order', next)).text).toBe(
      `bad_request: The items or codes of order ${order?.id} have changed since the previous part. Call again with the same arguments without \`skip\`, and discard what you have of this order.`,
    );
  },
);

test('`continue` reads all orders created in one second, however many there are', async () => {
  const orders = [...Array(60).fill(1), ...Array(170).fill(5), ...Array(60).fill(9)].map((at) => orderAt(at)).reverse();
  const second = { created_from: '2026-01-01 00:00:05', created_before: '2026-01-01 00:00:06' };
  const { callToEnd } = await connectTo(orders);
  const parts = await callToEnd('get_order', { ...second, codes: false });
  expect(parts.at(-1)).toMatchObject({ complete: false, gaps: ['ties'] });
  expect(parts.flatMap(idsOf)).toEqual(orders.slice(60, 230).map(({ id }) => id));
});

test('a product search that the rate limit interrupts among orders of the same second continues there, whatever the details say', async () => {
  const orders = [...Array(20).fill(5), ...Array(20).fill(9)].map((second) => orderAt(second)).reverse();
  const rateLimit = { requests: 12, minGapMs: 0 };
  const { call } = await connectToService(
    {
      orders,
      details: (one) => ({
        ...one,
        created_at: '2025-12-01 00:00:00',
        items: [item(1, [], one.id % 3 ? 'Bulk' : 'Other')],
      }),
    },
    { rateLimit, maxWaitMs: 0 },
  );
  const found: unknown[] = [];
  for (let next: unknown = { ...year, product: 'bulk' }; next; rateLimit.requests += 12) {
    const { data, text, isError } = await call('list_orders', next as object);
    expect(isError, text).toBe(false);
    expect(Object.keys(data)[0]).toBe('complete');
    found.push(...rowsOf(data).map(({ id }) => id));
    next = data.continue;
  }
  expect(found).toEqual(orders.filter(({ id }) => id % 3).map(({ id }) => id));
});

test.each(['get_order', 'list_orders'])('%s names the products if `product` matches several', async (tool) => {
  const names = ['Modul 1', 'Modul 10', 'Other'];
  const { call } = await connectTo(hourly(3), ({ id }) => [item(id, [], names[id % 3])]);
  const several = await call(tool, { ...year, product: 'Modul 1' });
  expect([...(several.data.products as string[])].sort()).toEqual(['Modul 1', 'Modul 10']);
  expect((await call(tool, { ...year, product: 'Modul 10' })).data).not.toHaveProperty('products');
});

test('if `codes` is false, returns the items of every order, paid or not, with the number of codes [S-55]', async () => {
  const statuses = ['ausstehend', 'storniert', 'bezahlt'];
  const orders = hourly(3, (n) => ({ status: statuses[n] ?? '' }));
  const { call } = await connectTo(orders, (one) => [item(one.id, one.status === 'bezahlt' ? codes(60) : [])]);
  const { data, text } = await call('get_order', { ...year, codes: false });
  expect(rowsOf(data.items)).toMatchObject([0, 0, 60].map((number_of_codes) => ({ number_of_codes })));
  expect(data).not.toHaveProperty('continue');
  expect(text).not.toContain('license_key');
  expect(text).not.toContain(keyOf(0));
  const one = await call('get_order', { id: orders[2]?.id, codes: false });
  expect(rowsOf(one.data.items)).toMatchObject([{ order: orders[2]?.id, number_of_codes: 60 }]);
});

test('for a period of unpaid orders, the result says how many were left out, by status', async () => {
  const orders = hourly(50, (n) => ({ status: n % 5 === 0 ? 'storniert' : 'ausstehend' }));
  const { call } = await connectTo(orders);
  expect((await call('get_order', year)).data).toMatchObject({
    complete: true,
    skipped_without_codes: { ausstehend: 40, storniert: 10 },
    orders: { rows: [] },
  });
});

test('reports an unknown ID among known ones, and reads a repeated ID only once [S-75]', async () => {
  const orders = hourly(2);
  const [one, other] = orders.map(({ id }) => id);
  const { call } = await connectTo(orders);
  const { data, isError } = await call('get_order', { ids: [other, 4_242_424, String(one), other], codes: false });
  expect(isError).toBe(false);
  expect(idsOf(data)).toEqual([other, one]);
  const detail = 'The account of this API key has no order with this ID (404)';
  const failed = [{ id: 4_242_424, code: 'not_found', detail, advice: 'Check the ID.' }];
  expect(data).toMatchObject({ complete: true, failed });
});

test('leaves orders beyond the limit to the next call [S-84]', async () => {
  const session = await startSession();
  const { orders } = await askDirectly(session, '/orders?per_page=20');
  const ids = (orders as { id: number }[]).map(({ id }) => id);
  session.mock.set({ limit: 10 });
  const { data } = await session.call('get_order', { ids, codes: false });
  const read = idsOf(data);
  expect(read.length).toBeGreaterThan(0);
  expect(data).toMatchObject({
    complete: false,
    interrupted_by: 'rate_limited',
    retry_after_seconds: expect.any(Number),
    advice: expect.stringMatching(/Call again in \d+ s\./),
    continue: { ids: ids.slice(read.length), codes: false },
  });
});

test('if a firewall blocks this server, the call fails after a few requests [U-43]', async () => {
  const { call, mock } = await startSession();
  mock.faults.add('html;status=403;times=always');
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const text = expect.stringMatching(/^invalid_response: .*firewall or proxy/);
  expect(await call('get_order', { ids })).toMatchObject({ isError: true, text });
  expect(mock.journal.total()).toBeLessThanOrEqual(8);
});

test('leaves room in a result for the IDs of hundreds of orders', async () => {
  const orders = Array.from({ length: 400 }, (_, n) => orderAt(400 - n, { id: 10_000_000 + n }));
  const { call } = await connectToService({
    orders,
    details: (order) => ({ ...order, items: [{ id: order.id, product_name: 'x'.repeat(950), license_codes: [] }] }),
  });
  const ids = orders.map(({ id }) => id);
  const { data, text, isError } = await call('get_order', { ids, codes: false });
  expect(isError, text.slice(0, 200)).toBe(false);
  const shown = rowsOf(data.orders).map(({ id }) => id);
  expect(shown.length).toBeGreaterThan(0);
  expect(data.continue).toMatchObject({ ids: ids.slice(shown.length) });
  expect(data).not.toHaveProperty('left_out');
});
