import { expect, test } from 'vitest';
import { askDirectly, type Session, startSession } from '../testing/mcp-session.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

interface Detail {
  id: number;
  bestellnummer: string;
  status: string;
  items: { license_codes: { license_key: string; download_url_64: unknown; download_url_32: unknown }[] }[];
}

const allOrders = async (session: Session): Promise<Detail[]> => {
  const details: Detail[] = [];
  for (const page of [1, 2, 3]) {
    const { orders } = await askDirectly(session, `/orders?page=${page}&per_page=50`);
    for (const { id } of orders as { id: number }[]) {
      details.push((await askDirectly(session, `/orders/${id}`)) as unknown as Detail);
    }
  }
  return details;
};
const codesOf = ({ items }: Detail) => items.flatMap(({ license_codes }) => license_codes);

test('returns complete orders byte for byte, including codes and URLs [S-05 S-20 S-29 S-31 S-55]', async () => {
  const session = await startSession();
  const all = await allOrders(session);
  const most = (count: (order: Detail) => number) =>
    all.filter((order) => codesOf(order).length <= 50).reduce((a, b) => (count(b) > count(a) ? b : a));
  const chosen = [
    most(({ items }) => items.length),
    most((order) => codesOf(order).length),
    all.find((order) => codesOf(order).some(({ license_key }) => license_key.includes(' '))),
    all.find((order) => codesOf(order).some(({ license_key }) => license_key.includes(':'))),
    all.find((order) => codesOf(order).some((code) => code.download_url_32 === null && code.download_url_64 === null)),
    all.find((order) => /\p{Script=Han}/u.test(JSON.stringify(order))),
    all.find((order) => /\p{Extended_Pictographic}/u.test(JSON.stringify(order))),
  ];
  expect(chosen[0]?.items.length).toBeGreaterThanOrEqual(40);
  expect(codesOf(chosen[1] as Detail).length).toBeGreaterThanOrEqual(40);
  for (const order of chosen) {
    const { data, text } = await session.call('order_license_get_order', { id: order?.id });
    const { advice, ...sent } = data;
    expect(sent).toEqual(order);
    expect(text).toBe(JSON.stringify({ ...order, advice }));
    expect(advice).toBe('zahlungsstatus, lieferstatus, created_at are only in order_license_list_orders.');
  }
});

test('returns no license keys for unpaid orders [S-37]', async () => {
  const session = await startSession();
  for (const status of ['ausstehend', 'storniert']) {
    const { data } = await session.call('order_license_list_orders', { status, per_page: 3 });
    for (const { id } of data.orders as Detail[]) {
      for (const ineligibleCodes of ['empty', 'absent', 'null'] as const) {
        session.mock.set({ ineligibleCodes });
        const answer = await session.call('order_license_get_order', { id });
        expect(answer.isError).toBe(false);
        expect(answer.text).not.toContain('license_key');
      }
    }
  }
});

test("returns additional fields, and does not require the list's fields in an order [S-27 S-88]", async () => {
  const session = await startSession();
  const { data } = await session.call('order_license_list_orders', { per_page: 1 });
  const [{ id }] = data.orders as [Detail];
  const plain = await session.call('order_license_get_order', { id });
  expect(plain.data).not.toHaveProperty('zahlungsstatus');
  expect(plain.data).not.toHaveProperty('created_at');
  for (const extraFields of ['summary', 'unknown'] as const) {
    session.mock.set({ extraFields });
    const { advice, ...data } = (await session.call('order_license_get_order', { id })).data;
    expect(data).toEqual(await askDirectly(session, `/orders/${id}`));
    expect(Object.keys(data).length).toBeGreaterThanOrEqual(Object.keys(plain.data).length);
    expect(advice).toBe(extraFields === 'summary' ? undefined : plain.data.advice);
  }
});

test("rejects an id that isn't a positive integer, before any request [S-56]", async () => {
  const { call, mock } = await startSession();
  for (const id of [
    'B-2026-000042',
    -1,
    1.5,
    '1e3',
    '007',
    '0x10',
    '1'.repeat(31),
    '9'.repeat(60_000),
    2 ** 53,
    true,
    {},
  ]) {
    const { text, isError } = await call('order_license_get_order', { id });
    expect(isError).toBe(true);
    expect(text).toBe(
      'bad_request: `id` must be a whole number, as in the `id` field of order_license_list_orders; pass an order number as `order_number`.',
    );
  }
  expect(mock.journal.total()).toBe(0);
});

test('sends an id unchanged, even if it is too large for an exact number [U-25]', async () => {
  const { call, mock } = await startSession();
  expect((await call('order_license_get_order', { id: ' 9007199254740993 ' })).text).toMatch(/^not_found: /);
  expect(mock.journal.entries().at(-1)?.path).toBe('/api/v1/orders/9007199254740993');
});

test('order_license_get_order requires exactly one of `id`, `ids`, `order_number` and a range of dates', async () => {
  const { call, mock } = await startSession();
  for (const args of [
    {},
    { id: 1, order_number: 'B-1' },
    { id: 1, ids: [1] },
    { id: null, order_number: null },
    { number: 'B-1' },
    { product: 'x' },
    { skip: 1 },
    { created_from: '2026-03-03' },
    { id: 1, created_from: '2026-03-03', created_before: '2026-03-04' },
    { ids: [1], created_from: '2026-03-03' },
  ]) {
    expect((await call('order_license_get_order', args)).text).toMatch(
      /^bad_request: (There is no argument "number"\. )?Pass one of `id` .* or `created_from` and/,
    );
  }
  for (const args of [
    { id: 1, status: 'bezahlt' },
    { order_number: 'B-1', time_zone: 'Europe/Berlin' },
  ]) {
    expect((await call('order_license_get_order', args)).text).toMatch(
      /^bad_request: `status` and `time_zone` require `created_from`/,
    );
  }
  expect(mock.journal.total()).toBe(0);
});

test('reports a missing order as not_found, and says how to pass an order number [S-75]', async () => {
  const { call } = await startSession();
  const { text, isError } = await call('order_license_get_order', { id: '424242' });
  expect(isError).toBe(true);
  expect(text).toMatch(/^not_found: .*If 424242 is an order number, pass it as `order_number`\./);
});

test('if `codes` is false, an order has the number of codes instead [S-55]', async () => {
  const { call, mock } = await startSession({ mock: { licenseKeyPrefix: 'CANARY' } });
  for (const menge of [2, 60]) {
    const { id } = mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge }] });
    const { data, text } = await call('order_license_get_order', { id, codes: false });
    expect(rowsOf(data.items)).toMatchObject([{ order: id, number_of_codes: menge }]);
    expect(data).not.toHaveProperty('continue');
    expect(text).not.toContain('CANARY');
    expect((await call('order_license_get_order', { id, codes: true })).text).toContain('CANARY');
  }
});

test('an order found by number has the fields of its list entry: payment, delivery and date', async () => {
  const session = await startSession();
  const { orders } = await askDirectly(session, '/orders?per_page=1');
  const [entry] = orders as [Record<string, unknown>];
  const { data } = await session.call('order_license_get_order', { order_number: entry.bestellnummer });
  expect(data).toEqual({ ...entry, ...(await askDirectly(session, `/orders/${entry.id}`)) });
  expect(data).toMatchObject({ zahlungsstatus: entry.zahlungsstatus, created_at: entry.created_at });
  const { data: some } = await session.call('order_license_get_order', {
    order_number: entry.bestellnummer,
    codes: false,
  });
  expect(rowsOf(some.orders)).toMatchObject([{ lieferstatus: entry.lieferstatus }]);
});
