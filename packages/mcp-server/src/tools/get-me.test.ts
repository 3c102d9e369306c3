import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';

test("order_license_get_me returns the user's six fields unchanged [S-15 S-05]", async () => {
  const session = await startSession();
  const { data, text } = await session.call('order_license_get_me');
  expect(Object.keys(data)).toEqual(['user_id', 'email', 'name', 'company', 'vat_id', 'api_version']);
  expect(data).toEqual(await askDirectly(session, '/me'));
  expect(data.company).toBe('Müller & Söhne GmbH');
  expect(JSON.parse(text)).toEqual(data);
});

test('order_license_get_me sends one GET /me without query or body [S-40 S-41 S-59 S-60]', async () => {
  const { call, mock } = await startSession();
  await call('order_license_get_me');
  expect(mock.journal.entries()).toMatchObject([
    {
      method: 'GET',
      path: '/api/v1/me',
      query: '',
      headers: { accept: 'application/json', authorization: 'Bearer ***' },
      violations: [],
    },
  ]);
  expect(mock.journal.entries()[0]?.headers).not.toHaveProperty('content-length');
  expect(mock.journal.entries()[0]?.headers).not.toHaveProperty('content-type');
});

test('advises the owner of a private account to enter a company or VAT ID [S-67 S-74]', async () => {
  const { call } = await startSession({ key: 'private' });
  for (const [name, args] of [
    ['order_license_get_me', {}],
    ['order_license_list_orders', {}],
    ['order_license_get_order', { id: 10001 }],
  ] as const) {
    const { text, isError } = await call(name, args);
    expect(isError).toBe(true);
    expect(text).toMatch(/^not_business_account: .*company or a VAT ID/);
  }
});

test('accepts an API key with any visible ASCII characters [S-70]', async () => {
  const odd = `!"#$%&'()*+,-./:;<=>?@[]^_{|}~${'x'.repeat(200)}`;
  const { call } = await startSession({ mock: { keys: { business: odd } } });
  expect((await call('order_license_get_me')).data).toMatchObject({ user_id: 4711 });
});

test('returns a user without a company, or with null fields [U-46 U-59]', async () => {
  const { call, mock } = await startSession({ key: 'otherAccount', mock: { set: { emptyText: 'null' } } });
  expect((await call('order_license_get_me')).data).toMatchObject({ company: null, vat_id: 'ATU12345678' });
  mock.set({ missing: ['me.user_id', 'me.name', 'me.api_version'] });
  expect((await call('order_license_get_me')).data).toEqual({
    email: 'zoë@strøm.example.test',
    company: null,
    vat_id: 'ATU12345678',
  });
});

test('order_license_get_me ignores arguments, which some clients always send', async () => {
  const { call } = await startSession();
  expect((await call('order_license_get_me', { random_string: 'x' })).data).toMatchObject({ user_id: 4711 });
});
