import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { createInnerMock, innerOf } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { ask, send, started, walk } from '../test-client.fixture.ts';

const mock = await listen({ limit: 'off' });
const [order] = await walk(mock);
const paths: string[] = ['/me', '/orders', `/orders/${order.id}`];
afterAll(() => mock.close());

test('only an account with a company or a VAT ID can use the API [S-06 S-67 S-74]', async () => {
  for (const key of [mock.keys.business, mock.keys.companyOnly, mock.keys.otherAccount])
    expect((await ask(mock, '/me', { key })).status).toBe(200);
  for (const path of paths)
    expect(await ask(mock, path, { key: mock.keys.private })).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/business account/) },
    });
});

test('an account cannot read the orders of another account [S-07 S-62]', async () => {
  const [mine, others] = [await walk(mock), await walk(mock, '', { key: mock.keys.otherAccount })];
  expect(others.length).toBeGreaterThan(20);
  const ids = new Set(mine.map(({ id }) => id));
  expect(others.filter(({ id }) => ids.has(id))).toEqual([]);
  for (const { id } of mine.slice(0, 30))
    expect((await ask(mock, `/orders/${id}`, { key: mock.keys.otherAccount })).status).toBe(404);
});

test("another account's order and an unknown order return byte-identical 404 responses [S-08 S-57 S-75]", async () => {
  const other = await ask(mock, `/orders/${mock.samples.ofOtherAccount.id}`);
  const nobody = await ask(mock, '/orders/99999999');
  expect([other.status, nobody.status]).toEqual([404, 404]);
  expect(other.text).toBe(nobody.text);
});

test('a missing, empty, unknown, inactive or revoked key returns the same 401 on every path [S-38 S-68 S-69 S-73 U-49]', async () => {
  const { business, inactive, revoked } = mock.keys;
  const headers = ['', 'Bearer', `Bearer  ${business}`, `Basic ${business}`];
  const attempts = [
    { key: null },
    ...headers.map((authorization) => ({ key: null, headers: { authorization } })),
    ...['never-made', `${business}x`, 'k'.repeat(16_384), inactive, revoked].map((key) => ({ key })),
  ];
  const answers = await Promise.all(paths.flatMap((path) => attempts.map((attempt) => ask(mock, path, attempt))));
  const [text = '', ...others] = new Set(answers.map(({ status, text }) => `${status} ${text}`));
  expect(text).toMatch(/^401 .*key.*invalid.*inactive/i);
  expect(others).toEqual([]);
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

test('rejects the sixth key of an account [S-63]', () => {
  const { state } = createMock();
  for (const name of ['second', 'third', 'fourth', 'fifth']) state.createKey('companyOnly', name);
  expect(() => state.createKey('companyOnly')).toThrow(/already has 5 keys/);
  state.revokeKey('fifth');
  expect(state.createKey('companyOnly').key).toMatch(/^\S{40}$/);
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

test.each(['k', '!~"#$%&()*+,-./', 'x'.repeat(4000), 'Bearer'])('the key %s works [S-70]', async (key) => {
  const own = await started({ keys: { business: key } });
  expect((await ask(own, '/me')).status).toBe(200);
  expect(JSON.stringify(own.journal.entries())).not.toContain(`Bearer ${key}`);
});

test.each<[options: object, sentence: string]>([
  [{ keys: { business: 'a b' } }, 'visible ASCII'],
  [{ keys: { business: 'schlüssel' } }, 'visible ASCII'],
  [{ keys: { business: 'same', otherAccount: 'same' } }, 'a key belongs to exactly one account'],
  [{ keys: { nobody: 'x' } }, 'no key named "nobody"'],
  [{ order: 5 }, 'a mock has no "order"; use one of seed, orders, '],
  [{ orders: 100_001 }, 'orders must be a whole number from 0 to 100000, not "100001"'],
  [{ relativeDates: 'yes' }, 'relativeDates must be true or false, not "yes"'],
])('rejects the options %j: %s [S-61]', (options, sentence) => {
  expect(() => createMock(options)).toThrow(sentence);
});

test('company and VAT ID are checked on every request, and whitespace counts as missing [U-47 U-48]', () => {
  const own = createInnerMock();
  const status = () => send(own, '/me', { key: own.keys.companyOnly }).status;
  expect(status()).toBe(200);
  own.state.setBusiness('companyOnly', { company: '  ' });
  expect(status()).toBe(403);
  own.state.setBusiness('companyOnly', { vat_id: 'DE1' });
  expect(status()).toBe(200);
});
