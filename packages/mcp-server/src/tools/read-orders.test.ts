import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';

interface Read {
  id: number;
  items: { license_codes?: unknown[]; number_of_codes?: number }[];
  codes_left_out?: number;
  read_codes_with?: object;
  error?: object;
}
const readsOf = (data: Record<string, unknown>) => data.orders as Read[];
const codesOf = ({ items }: Read) => items.flatMap(({ license_codes }) => license_codes ?? []).length;

const startWithIds = async (options: Parameters<typeof startSession>[0] = {}) => {
  const session = await startSession(options);
  const { orders } = await askDirectly(session, '/orders?per_page=20');
  const ids = (orders as { id: number }[]).map(({ id }) => id);
  session.mock.journal.clear();
  return { ...session, ids };
};

test('returns several orders unchanged with at most 50 codes in all; the others say how to read theirs [S-55]', async () => {
  const session = await startWithIds();
  const { data } = await session.call('get_order', { ids: session.ids });
  const reads = readsOf(data);
  expect(reads.map(({ id }) => id)).toEqual(session.ids);
  expect(session.mock.journal.total()).toBe(20);
  expect(reads.reduce((sum, order) => sum + codesOf(order), 0)).toBeLessThanOrEqual(50);
  for (const order of reads) {
    const plain = (await askDirectly(session, `/orders/${order.id}`)) as unknown as Read;
    if (order.codes_left_out === undefined) expect(order).toEqual(plain);
    else {
      expect(order).toMatchObject({ codes_left_out: codesOf(plain), read_codes_with: { id: order.id } });
      expect(order.items.reduce((sum, item) => sum + (item.number_of_codes ?? 0), 0)).toBe(codesOf(plain));
      expect(JSON.stringify(order)).not.toContain('license_key');
    }
  }
  expect(reads.find(({ codes_left_out }) => codes_left_out === 500)).toBeDefined();
});

test('returns an error for an unknown ID among the orders [S-75]', async () => {
  const { call, ids } = await startWithIds();
  const { data, isError } = await call('get_order', { ids: [ids[3], 4_242_424, String(ids[2]), ids[3]] });
  expect(isError).toBe(false);
  expect(readsOf(data).map(({ id }) => id)).toEqual([ids[3], 4_242_424, ids[2]]);
  expect(readsOf(data)[1]).toEqual({
    id: 4_242_424,
    error: {
      code: 'not_found',
      detail: 'No order with this ID belongs to the account of the API key (404)',
      advice: 'Check the ID.',
    },
  });
});

test('leaves orders beyond the limit to the next call [S-84]', async () => {
  const { call, ids, mock } = await startWithIds();
  mock.set({ limit: 10 });
  const { data } = await call('get_order', { ids });
  const reads = readsOf(data);
  expect(reads.length).toBeGreaterThan(0);
  expect(data).toMatchObject({
    interrupted_by: 'rate_limited',
    retry_after_seconds: expect.any(Number),
    advice: expect.stringMatching(/Call again in \d+ s\./),
    continue: { ids: ids.filter((id) => !reads.some((order) => order.id === id)) },
  });
});

test('an error that affects every order fails the call [S-64]', async () => {
  const { call } = await startSession({ key: 'revoked' });
  const { text, isError } = await call('get_order', { ids: [1, 2] });
  expect(isError).toBe(true);
  expect(text).toMatch(/^authentication: /);
});

test('refuses an invalid list of IDs before anything is sent [S-56]', async () => {
  const { call, mock } = await startSession();
  for (const ids of [[], Array.from({ length: 21 }, (_, index) => index + 1), 7, 'all']) {
    expect((await call('get_order', { ids })).text).toMatch(
      /^bad_request: `ids` must be a list of 1 to 20 whole numbers/,
    );
  }
  expect((await call('get_order', { ids: ['B-1'] })).text).toMatch(/^bad_request: `id` must be a whole number/);
  expect((await call('get_order', { ids: [1], code_page: 2 })).text).toMatch(
    /^bad_request: `code_page` works with one order only/,
  );
  expect(mock.journal.total()).toBe(0);
});

test('returns an order with many codes in pages, each code once [S-55]', async () => {
  const session = await startWithIds();
  const [id] = session.ids.slice(5);
  const plain = (await askDirectly(session, `/orders/${id}`)) as unknown as {
    items: { license_codes: { id: number; license_key: string }[] }[];
  };
  const keys: unknown[] = [];
  let calls = 0;
  for (let next: unknown = { id }; next; calls++) {
    const { data } = await session.call('get_order', next as Record<string, unknown>);
    for (const { rows } of data.license_codes as { rows: unknown[][] }[]) keys.push(...rows);
    expect(data).toMatchObject({ id, codes: 500, codes_left: Math.max(0, 500 - 400 * (calls + 1)) });
    next = data.continue;
  }
  expect(calls).toBe(2);
  expect(keys).toEqual(
    plain.items.flatMap((item) => item.license_codes.map(({ id, license_key }) => [id, license_key])),
  );
  const { text } = await session.call('get_order', { id, code_page: 3 });
  expect(text).toBe(
    'bad_request: Code page 3 does not exist: the order has 500 license codes, and `code_page` goes up to 2.',
  );
});

test('an order with few codes has one code page: the order itself', async () => {
  const { call, ids } = await startWithIds();
  expect(await call('get_order', { id: ids[0], code_page: 1 })).toEqual(await call('get_order', { id: ids[0] }));
  expect((await call('get_order', { id: ids[0], code_page: 2 })).text).toMatch(
    /^bad_request: Code page 2 does not exist/,
  );
});
