import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { innerOf } from '../mock.ts';
import { listen, type MockServer } from '../server/listen.ts';
import { ask, walk } from '../test-client.fixture.ts';

let mock: MockServer;
let paths: string[];

beforeAll(async () => {
  mock = await listen({ limit: 'off' });
  const [order] = await walk(mock);
  paths = ['/me', '/orders', `/orders/${order.id}`];
});
afterAll(() => mock.close());

test('every path returns 403 for an account without a company and a VAT ID [S-06 S-67 S-74]', async () => {
  for (const key of [mock.keys.business, mock.keys.companyOnly, mock.keys.otherAccount]) {
    expect((await ask(mock, '/me', { key })).status).toBe(200);
  }
  for (const path of paths) {
    const { status, body } = await ask(mock, path, { key: mock.keys.private });
    expect(status).toBe(403);
    expect(Object.keys(body).sort()).toEqual(['error', 'status']);
    expect(body.error).toMatch(/business account/);
  }
});

test('an account cannot read the orders of another account [S-07 S-62]', async () => {
  const mine = await walk(mock);
  const others = await walk(mock, '', { key: mock.keys.otherAccount });
  expect(others.length).toBeGreaterThan(20);
  expect(others.length).not.toBe(mine.length);
  const ids = new Set(mine.map((order) => order.id));
  expect(others.filter((order) => ids.has(order.id))).toEqual([]);
  for (const order of mine.slice(0, 30)) {
    expect((await ask(mock, `/orders/${order.id}`, { key: mock.keys.otherAccount })).status).toBe(404);
  }
});

test("another account's order and an unknown order return byte-identical 404 responses [S-08 S-57 S-75]", async () => {
  const [foreign] = await walk(mock, '', { key: mock.keys.otherAccount });
  const other = await ask(mock, `/orders/${foreign.id}`);
  const nobody = await ask(mock, '/orders/99999999');
  expect([other.status, nobody.status]).toEqual([404, 404]);
  expect(other.text).toBe(nobody.text);
  expect(Object.keys(nobody.body).sort()).toEqual(['error', 'status']);
});

test('a missing, empty, unknown, inactive or revoked key returns the same 401 on every path [S-38 S-68 S-69 S-73 U-49]', async () => {
  const texts = new Set<string>();
  for (const path of paths) {
    const attempts = [
      { key: null },
      { key: null, headers: { authorization: '' } },
      { key: null, headers: { authorization: 'Bearer' } },
      { key: null, headers: { authorization: `Bearer  ${mock.keys.business}` } },
      { key: null, headers: { authorization: `Basic ${mock.keys.business}` } },
      { key: 'never-made' },
      { key: `${mock.keys.business}x` },
      { key: 'k'.repeat(16_384) },
      { key: mock.keys.inactive },
      { key: mock.keys.revoked },
    ];
    for (const attempt of attempts) {
      const { status, text, body } = await ask(mock, path, attempt);
      expect(status).toBe(401);
      expect(body.error).toMatch(/key.*invalid.*inactive/i);
      texts.add(text);
    }
  }
  expect(texts.size).toBe(1);
});

test('two Authorization headers or a key in the query return 401 [S-69]', async () => {
  const { keys } = mock;
  const rawHeaders = ['Authorization', `Bearer ${keys.business}`, 'Authorization', `Bearer ${keys.business}`];
  const send = (target: string, headers: string[]) =>
    innerOf(mock).answer({ method: 'GET', target, rawHeaders: headers, secure: false }).response.status;
  expect(send('/api/v1/me', rawHeaders)).toBe(401);
  expect(send('/api/v1/me', rawHeaders.slice(2))).toBe(200);
  expect(send(`/api/v1/me?api_key=${keys.business}`, [])).toBe(401);
});

test('both keys of an account return the same user [S-42]', async () => {
  const first = await ask(mock, '/me');
  expect((await ask(mock, '/me', { key: mock.keys.businessSecond })).text).toBe(first.text);
  const other = await ask(mock, '/me', { key: mock.keys.otherAccount });
  expect(other.body.data.user_id).not.toBe(first.body.data.user_id);
});

test('the same key for two accounts is rejected [S-61]', () => {
  expect(() => createMock({ keys: { business: 'same', otherAccount: 'same' } })).toThrow(/exactly one account/);
});

test('the sixth key of an account is rejected [S-63]', () => {
  const { state } = createMock();
  state.createKey('companyOnly');
  state.createKey('companyOnly');
  state.createKey('companyOnly');
  state.createKey('companyOnly', 'fifth');
  expect(() => state.createKey('companyOnly')).toThrow(/already has 5 keys/);
  state.revokeKey('fifth');
  expect(state.createKey('companyOnly').key).toMatch(/^\S{40}$/);
});

test('a revoked key returns 401 immediately and permanently, and the other keys still work [S-64]', async () => {
  const { name, key } = mock.state.createKey('business', 'passing');
  expect((await ask(mock, '/me', { key })).status).toBe(200);
  mock.state.revokeKey(name);
  expect((await ask(mock, '/me', { key })).status).toBe(401);
  expect((await ask(mock, '/me')).status).toBe(200);
  expect(Object.keys(mock.state).filter((call) => /restore|activate|unrevoke/i.test(call))).toEqual([]);
});

test('the state contains key hashes but no keys [S-65 S-66]', () => {
  const own = createMock({ keys: { business: 'canary-key-7f3a' } });
  const { key } = own.state.createKey('business');
  const dump = JSON.stringify(own.state.keys());
  for (const secret of [key, ...Object.values(own.keys)]) {
    expect(dump).not.toContain(secret);
    expect(dump).toContain(createHash('sha256').update(secret).digest('hex'));
  }
});

test('keys can contain any visible ASCII characters, but no spaces or umlauts [S-70]', async () => {
  for (const key of ['k', '!~"#$%&()*+,-./', 'x'.repeat(4000), 'Bearer']) {
    const own = await listen({ keys: { business: key } });
    expect((await ask(own, '/me')).status).toBe(200);
    expect(JSON.stringify(own.journal.entries())).not.toContain(`Bearer ${key}`);
    await own.close();
  }
  expect(() => createMock({ keys: { business: 'a b' } })).toThrow(/visible ASCII/);
  expect(() => createMock({ keys: { business: 'schlüssel' } })).toThrow(/visible ASCII/);
  expect(() => createMock({ order: 5 } as never)).toThrow(/a mock has no "order"; use one of seed, orders, .*/);
  expect(() => createMock({ orders: 100_001 })).toThrow('orders must be a whole number from 0 to 100000, not "100001"');
  expect(() => createMock({ keys: { nobody: 'x' } as never })).toThrow(/no key named "nobody"/);
});

test('company and VAT ID are checked on every request, and whitespace counts as missing [U-47 U-48]', async () => {
  const own = await listen({ limit: 'off' });
  const status = async () => (await ask(own, '/me', { key: own.keys.companyOnly })).status;
  expect(await status()).toBe(200);
  own.state.setBusiness('companyOnly', { company: '  ' });
  expect(await status()).toBe(403);
  own.state.setBusiness('companyOnly', { vat_id: 'DE1' });
  expect(await status()).toBe(200);
  await own.close();
});
