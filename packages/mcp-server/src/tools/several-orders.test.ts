import { createClient } from '@order-license/core';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { connectToCanned } from '../testing/canned-service.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { askDirectly, callTool, type Session, startSession } from '../testing/mcp-session.fixture.ts';
import { codeRowsOf, rowsOf } from '../testing/rows.fixture.ts';

type Json = Record<string, unknown>;
interface Item {
  id: number;
  product_name: string;
  license_codes: { id: number; license_key: string }[];
}

const startWithIds = async (options: Parameters<typeof startSession>[0] = {}) => {
  const session = await startSession(options);
  const { orders } = await askDirectly(session, '/orders?per_page=20');
  const ids = (orders as { id: number }[]).map(({ id }) => id);
  session.mock.journal.clear();
  return { ...session, ids };
};

/** Starts a server without a rate limit in this process, for tests whose calls would exceed the limit. */
const startUnlimited = async (): Promise<Session> => {
  const mock = await listen({ limit: 'off' });
  onTestFinished(() => mock.close());
  const { baseUrl, keys } = mock;
  const client = await connectInProcess(async (onEvent) =>
    createClient({ baseUrl, apiKey: keys.business, rateLimit: { requests: 10_000, minGapMs: 0 }, onEvent }),
  );
  return { mock, client, call: (name, args) => callTool(client, name, args) };
};

const itemsOf = async (session: Session, id: number): Promise<Item[]> =>
  (await askDirectly(session, `/orders/${id}`)).items as Item[];
const codesOf = (part: Json): Json[] => codeRowsOf(part);
const keysOf = (parts: readonly Json[]): unknown[] => parts.flatMap(codesOf).map(({ license_key }) => license_key);
const idsOf = (part: Json): unknown[] => rowsOf(part.orders).map(({ id }) => id);

/** Repeats a call with the arguments in `continue` until nothing remains. */
const readToEnd = async ({ call }: Session, args: Json): Promise<Json[]> => {
  const parts: Json[] = [];
  for (let next: Json | undefined = args; next; next = parts.at(-1)?.continue as Json | undefined) {
    const { data, isError, text } = await call('order_license_get_order', next);
    if (isError) throw new Error(text);
    expect(Object.keys(data)[0]).toBe('complete');
    expect(data.complete).toBe(data.continue === undefined && data.gaps === undefined);
    expect(text.length).toBeLessThan(40_000);
    parts.push(data);
  }
  return parts;
};

test('returns several orders as tables; following `continue` returns each of their codes once, in order [S-55]', async () => {
  const session = await startWithIds();
  const parts = await readToEnd(session, { ids: session.ids });
  const items = (await Promise.all(session.ids.map((id) => itemsOf(session, id)))).flat();
  const sent = items.flatMap(({ id, license_codes }) => license_codes.map((code) => ({ item: id, ...code })));
  expect(keysOf(parts).sort()).toEqual(sent.map(({ license_key }) => license_key).sort());
  expect(parts.flatMap(codesOf)).toEqual(expect.arrayContaining(sent.slice(0, 20)));
  expect([...new Set(parts.flatMap(idsOf))]).toEqual(session.ids);
  expect(parts.length).toBeLessThanOrEqual(4);
});

test('returns a long order in parts, and says in the last part that nothing remains [S-55]', async () => {
  const session = await startWithIds();
  const [id = 0] = session.ids.slice(5);
  const parts = await readToEnd(session, { id });
  const [first] = parts;
  expect(parts).toHaveLength(2);
  expect(first).toMatchObject({ complete: false, continue: { ids: [id], skip: expect.any(String) }, orders_left: 1 });
  expect(keysOf(parts)).toEqual(
    (await itemsOf(session, id)).flatMap(({ license_codes }) => license_codes.map(({ license_key }) => license_key)),
  );
  expect((await session.call('order_license_get_order', { id, skip: 600 })).text).toBe(
    'bad_request: The order has fewer entries than `skip`. Use the arguments in `continue`.',
  );
});

/** Connects to an API that fails to return order 5. */
const connectToFailing = (status: number) =>
  connectToCanned(
    (url) => {
      const id = Number(url.split('/').at(-1));
      return id === 5
        ? { status }
        : { data: { id, items: [{ id: 1, license_codes: [{ license_key: `KEY-${id}` }] }] } };
    },
    { retries: 0 },
  );

test('if an order cannot be read, does not apply its `skip` to the next order [S-55]', async () => {
  const args = { ids: [5, 6], skip: '2' };
  expect((await callTool(await connectToFailing(503), 'order_license_get_order', args)).text).toMatch(/^server: /);
  const { data } = await callTool(await connectToFailing(404), 'order_license_get_order', args);
  expect(keysOf([data])).toEqual(['KEY-6']);
  expect(data).toMatchObject({ complete: true, failed: [{ id: 5, code: 'not_found' }] });
});

test('an order that can never be read does not delay the other orders', async () => {
  const client = await connectToFailing(503);
  for (const ids of [
    [5, 6, 7],
    [1, 2, 3, 4, 6, 7, 8, 9, 5],
  ]) {
    const { data } = await callTool(client, 'order_license_get_order', { ids });
    expect(idsOf(data)).toEqual(ids.filter((id) => id !== 5));
    expect(data).toMatchObject({ complete: false, failed: [{ id: 5, code: 'server' }] });
    expect(data).not.toHaveProperty('continue');
  }
  const { data } = await callTool(client, 'order_license_get_order', { ids: [5] });
  expect(data).toMatchObject({ complete: false, failed: [{ id: 5, code: 'server' }] });
});

test('`product` with dates returns only the codes of that product, from every order that can have codes [S-55]', async () => {
  const session = await startSession({ mock: { licenseKeyPrefix: 'KEY' } });
  const { mock, call } = session;
  const wanted = ['bezahlt', 'abgeschlossen'].flatMap((status, index) =>
    [0, 1].map((n) => {
      const items = [
        { product_name: 'Netzwerkscanner Pro', menge: 2 },
        { product_name: 'Other', menge: 3 },
      ];
      const created_at = new Date(Date.UTC(2026, 2, 3, 9, 10 * index + n)).toISOString();
      return mock.state.insertOrder('business', { status: status as 'bezahlt', created_at, items }).id;
    }),
  );
  for (const [status, product_name] of [
    ['storniert', 'Netzwerkscanner Pro'],
    ['bezahlt', 'Other'],
  ] as const) {
    mock.state.insertOrder('business', {
      status,
      created_at: '2026-03-03T12:00:00Z',
      items: [{ product_name, menge: 1 }],
    });
  }
  const pages = await Promise.all([1, 2, 3].map((page) => askDirectly(session, `/orders?per_page=50&page=${page}`)));
  const ofDay = pages
    .flatMap(({ orders }) => orders as Json[])
    .filter(({ created_at }) => String(created_at).startsWith('2026-03-03'));
  mock.journal.clear();
  const range = { created_from: '2026-03-03', created_before: '2026-03-04' };
  const { data, text } = await call('order_license_get_order', { ...range, product: 'scanner pro' });
  const reads = mock.journal.entries().filter(({ path }) => /orders\/\d/.test(path)).length;
  expect(reads).toBe(ofDay.filter(({ status }) => status !== 'storniert' && status !== 'ausstehend').length);
  expect(data).toMatchObject({ complete: true, interval: { created_from: '2026-03-03 00:00:00', zone: 'UTC' } });
  expect(idsOf(data)).toEqual(wanted.toReversed());
  const items = await Promise.all(wanted.map((id) => itemsOf(session, id)));
  const [keys, others] = [true, false].map((isWanted) =>
    items
      .flat()
      .filter(({ product_name }) => (product_name === 'Netzwerkscanner Pro') === isWanted)
      .flatMap(({ license_codes }) => license_codes.map(({ license_key }) => license_key)),
  );
  expect(keysOf([data]).sort()).toEqual(keys?.sort());
  for (const key of others ?? []) expect(text).not.toContain(key);
  // The list entries say when the orders were created and whether they are paid.
  expect(rowsOf(data.orders)).toMatchObject(wanted.map(() => ({ zahlungsstatus: expect.any(String) })));
  const listed = await call('order_license_list_orders', { ...range, product: 'Netzwerkscanner' });
  expect(listed.data.count).toBe(5); // includes the cancelled order
  expect(listed.data).toMatchObject({ complete: true, requests: expect.any(Number) });
});

test('if a period has many codes, `continue` returns the remaining orders, then the rest of the period', async () => {
  const session = await startUnlimited();
  const { mock } = session;
  const ids = Array.from({ length: 90 }, (_, n) => {
    const created_at = new Date(Date.UTC(2026, 2, 3, 0, n)).toISOString();
    return mock.state.insertOrder('business', {
      status: 'bezahlt',
      created_at,
      items: [{ product_name: 'Bulk', menge: 15 }],
    }).id;
  }).toReversed();
  const range = { created_from: '2026-03-03T00:00:00Z', created_before: '2026-03-03T01:30:00Z', product: 'bulk' };
  mock.journal.clear();
  const parts = await readToEnd(session, range);
  expect(parts.flatMap(idsOf)).toEqual(ids);
  expect(new Set(keysOf(parts)).size).toBe(90 * 15);
  // An order is read again only if some of its codes did not fit into the previous result, which is rare.
  expect(mock.journal.total()).toBeLessThan(150);
  expect(Math.max(...parts.map((part) => codesOf(part).length))).toBeLessThanOrEqual(400);
});

test('`continue` reads all orders created in one second, however many there are', async () => {
  const session = await startUnlimited();
  const created_at = '2026-03-03T00:00:00Z';
  const ids = Array.from(
    { length: 170 },
    () => session.mock.state.insertOrder('business', { status: 'bezahlt', created_at, items: [{ menge: 1 }] }).id,
  );
  const range = { created_from: '2026-03-03 00:00:00', created_before: '2026-03-03 00:00:01' };
  const parts = await readToEnd(session, { ...range, codes: false });
  expect(parts.at(-1)).toMatchObject({ gaps: ['ties'] });
  expect(parts.flatMap(idsOf)).toHaveLength(170);
  expect(parts.flatMap(idsOf)).toEqual(expect.arrayContaining(ids));
});

test('searches a long period for a product in parts, and reads each order once', async () => {
  const session = await startUnlimited();
  const ids = Array.from({ length: 100 }, (_, n) => {
    const created_at = new Date(Date.UTC(2026, 2, 3, 0, n)).toISOString();
    const product_name = n % 3 === 0 ? 'Wanted' : 'Other';
    return session.mock.state.insertOrder('business', { status: 'bezahlt', created_at, items: [{ product_name }] }).id;
  });
  const found: unknown[] = [];
  let next: Json | undefined = { created_from: '2026-03-03', created_before: '2026-03-04', product: 'wanted' };
  for (; next; ) {
    const { data } = await session.call('order_license_list_orders', next);
    expect(Object.keys(data)[0]).toBe('complete');
    found.push(...rowsOf(data).map(({ id }) => id));
    next = data.continue as Json | undefined;
  }
  expect(found.filter((id) => ids.includes(id as number))).toEqual(ids.filter((_, n) => n % 3 === 0).toReversed());
  expect(new Set(found).size).toBe(found.length);
});

test('if one second has more orders than the limit allows, a search for a product continues between them', async () => {
  const mock = await listen({ limit: 'off' });
  onTestFinished(() => mock.close());
  const { baseUrl, keys } = mock;
  const rateLimit = { requests: 12, minGapMs: 0 };
  const client = await connectInProcess(async () =>
    createClient({ baseUrl, apiKey: keys.business, rateLimit, maxWaitMs: 0 }),
  );
  const created_at = '2026-03-03T09:00:00Z';
  const items = [{ product_name: 'Bulk' }];
  const ids = Array.from({ length: 20 }, () => mock.state.insertOrder('business', { created_at, items }).id);
  const found: unknown[] = [];
  let next: Json | undefined = {
    created_from: '2026-03-03 09:00:00',
    created_before: '2026-03-03 09:00:01',
    product: 'Bulk',
  };
  for (; next; rateLimit.requests += 12) {
    const { data, text, isError } = await callTool(client, 'order_license_list_orders', next);
    expect(isError, text).toBe(false);
    found.push(...rowsOf(data).map(({ id }) => id));
    next = data.continue as Json | undefined;
  }
  expect(found).toEqual(ids.toReversed());
});

test('names the products if `product` matches several', async () => {
  const session = await startSession();
  for (const product_name of ['Modul 1', 'Modul 10', 'Other']) {
    const created_at = '2026-03-03T09:00:00Z';
    session.mock.state.insertOrder('business', { status: 'bezahlt', created_at, items: [{ product_name, menge: 1 }] });
  }
  const range = { created_from: '2026-03-03 09:00', created_before: '2026-03-03 09:01' };
  for (const tool of ['order_license_get_order', 'order_license_list_orders']) {
    const several = await session.call(tool, { ...range, product: 'Modul 1' });
    expect([...(several.data.products as string[])].sort()).toEqual(['Modul 1', 'Modul 10']);
    expect((await session.call(tool, { ...range, product: 'Modul 10' })).data).not.toHaveProperty('products');
  }
});

test('if `codes` is false, returns the items of every order in a period, paid or not', async () => {
  const session = await startSession();
  const created_at = '2026-03-03T09:00:00Z';
  for (const status of ['ausstehend', 'storniert', 'bezahlt'] as const) {
    session.mock.state.insertOrder('business', { status, created_at, items: [{ product_name: 'Bulk', menge: 3 }] });
  }
  const range = { created_from: '2026-03-03 09:00', created_before: '2026-03-03 09:01' };
  const { data, text } = await session.call('order_license_get_order', { ...range, codes: false });
  expect(rowsOf(data.items)).toHaveLength(3);
  expect(text).not.toContain('license_key');
  expect(rowsOf((await session.call('order_license_get_order', range)).data.orders)).toHaveLength(1);
});

test('reports an unknown ID among known ones [S-75]', async () => {
  const { call, ids } = await startWithIds();
  const { data, isError } = await call('order_license_get_order', {
    ids: [ids[3], 4_242_424, String(ids[2]), ids[3]],
    codes: false,
  });
  expect(isError).toBe(false);
  expect(idsOf(data)).toEqual([ids[3], ids[2]]);
  expect(data).toMatchObject({
    complete: true,
    failed: [
      {
        id: 4_242_424,
        code: 'not_found',
        detail: 'The account of this API key has no order with this ID (404)',
        advice: 'Check the ID.',
      },
    ],
  });
});

test('leaves orders beyond the limit to the next call [S-84]', async () => {
  const { call, ids, mock } = await startWithIds();
  mock.set({ limit: 10 });
  const { data } = await call('order_license_get_order', { ids, codes: false });
  expect(idsOf(data).length).toBeGreaterThan(0);
  expect(data).toMatchObject({
    complete: false,
    interrupted_by: 'rate_limited',
    retry_after_seconds: expect.any(Number),
    advice: expect.stringMatching(/Call again in \d+ s\./),
    continue: { ids: expect.arrayContaining(ids.filter((id) => !idsOf(data).includes(id))), codes: false },
  });
  expect((data.continue as { ids: unknown[] }).ids).toHaveLength(ids.length - idsOf(data).length);
});

test('an error that affects every order fails the call [S-64]', async () => {
  const { call } = await startSession({ key: 'revoked' });
  const { text, isError } = await call('order_license_get_order', { ids: [1, 2] });
  expect(isError).toBe(true);
  expect(text).toMatch(/^authentication: /);
});

test('if a firewall blocks this server, the call fails after a few requests [U-43]', async () => {
  const { call, mock } = await startSession();
  mock.faults.add('html;status=403;times=always');
  const { text, isError } = await call('order_license_get_order', {
    ids: Array.from({ length: 100 }, (_, index) => index + 1),
  });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^invalid_response: .*firewall or proxy/)]);
  expect(mock.journal.total()).toBeLessThanOrEqual(8);
});

test('rejects an invalid list of IDs before anything is sent [S-56]', async () => {
  const { call, mock } = await startSession();
  const tooMany = Array.from({ length: 3_001 }, (_, index) => index + 1);
  expect((await call('order_license_get_order', { ids: tooMany })).text).toMatch(
    /^bad_request: `ids` must be a list of 1 to 3000 whole numbers/,
  );
  for (const wrong of ['all', 'B-1', 0]) {
    expect((await call('order_license_get_order', { ids: [7, wrong] })).text).toBe(
      `bad_request: ${JSON.stringify(wrong)} in \`ids\` is not an order ID: pass whole numbers from the \`id\` field of order_license_list_orders, and an order number as \`order_number\`.`,
    );
  }
  const range = { created_from: '2026-03-03', created_before: '2026-03-04' };
  expect((await call('order_license_get_order', { ...range, skip: 2 })).text).toMatch(/^bad_request: `skip` requires/);
  expect(mock.journal.total()).toBe(0);
});
