import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';

const masked = { ORDER_LICENSE_LICENSE_KEYS: 'masked' };

test('if license keys are masked, results contain none, and documented fields are unchanged [S-29 S-55]', async () => {
  const session = await startSession({
    mock: { licenseKeyPrefix: 'CANARY', set: { extraFields: 'unknown' } },
    env: masked,
  });
  const { data } = await session.call('order_license_list_orders', { per_page: 50, status: 'bezahlt' });
  let codes = 0;
  for (const { id } of (data.orders as { id: number }[]).slice(0, 25)) {
    const { text, data } = await session.call('order_license_get_order', { id });
    const plain = await askDirectly(session, `/orders/${id}`);
    codes += (JSON.stringify(plain).match(/CANARY/g) ?? []).length;
    expect(text).not.toContain('CANARY');
    for (const name of ['id', 'bestellnummer', 'status', 'gesamtpreis_brutto', 'waehrung']) {
      expect(data[name]).toEqual(plain[name]);
    }
  }
  expect(codes).toBeGreaterThan(0);
});

test('a search for a product finds an order whose ID is also the login in one of its license codes', async () => {
  const license_codes = [{ license_key: '100245: geheim', code_typ: 'account' as const }];
  const orders = [{ id: 100_245, status: 'bezahlt' as const, items: [{ product_name: 'Mail', license_codes }] }];
  const { call } = await startSession({ mock: { orders }, env: masked });
  const { data } = await call('order_license_list_orders', { product: 'mail' });
  expect(data).toMatchObject({ complete: true, count: 1 });
  expect((await call('order_license_get_order', { id: 100_245 })).data).toMatchObject({ id: 100_245 });
});

test('a search for a product is marked incomplete if a masked product name could match', async () => {
  const license_codes = [{ license_key: 'AAAAA-BBBBB' }];
  const items = [{ product_name: 'Windows 11 AAAAA-BBBBB', license_codes }, { product_name: 'Office' }];
  const { call } = await startSession({ mock: { orders: [{ id: 1, status: 'bezahlt', items }] }, env: masked });
  for (const tool of ['order_license_list_orders', 'order_license_get_order']) {
    const dates = { created_from: '2020-01-01', created_before: '2100-01-01' };
    expect((await call(tool, { ...dates, product: 'windows' })).data).toMatchObject({
      complete: false,
      gaps: ['masked_names'],
      advice: expect.stringMatching(/^Some product names are masked/),
    });
  }
});

test("errors omit the API's message if anything is masked [S-90]", async () => {
  for (const env of [masked, { ORDER_LICENSE_PERSONAL_DATA: 'masked' }]) {
    const session = await startSession({ env });
    session.mock.set({ errorText: 'The key CANARY-1 is taken.' });
    const failed = await session.call('order_license_get_order', { id: 1 });
    expect(failed.text).toMatch(/^not_found: /);
    expect(failed.text).not.toContain('CANARY');
  }
});

test('the result says that license keys are masked and who can show them', async () => {
  const session = await startSession({ env: masked });
  const { id } = session.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const { data } = await session.call('order_license_get_order', { id });
  expect(data.masking).toEqual({
    masked: ['license_keys', 'other_fields'],
    advice: expect.stringMatching(/person who set up this MCP server.*ORDER_LICENSE_LICENSE_KEYS=full/),
  });
  expect(session.client.getInstructions()).toContain('License keys are masked by configuration');
  expect((await session.call('order_license_list_orders', { per_page: 2 })).data).not.toHaveProperty('masking');
});

test('the license_distribution prompt says not to distribute masked keys, and how to get the real ones', async () => {
  const session = await startSession({ env: masked });
  const args = { product: 'Office', from: '2026-03-02', to: '2026-03-02' };
  const { messages } = await session.client.getPrompt({ name: 'license_distribution', arguments: args });
  expect(JSON.stringify(messages)).toMatch(/do not prepare the keys of .*Office.*ORDER_LICENSE_LICENSE_KEYS=full/);
  expect(JSON.stringify(messages)).not.toContain('exactly as it came');
});

test('masks personal data in the account and in orders, but not license keys', async () => {
  const session = await startSession({ env: { ORDER_LICENSE_PERSONAL_DATA: 'masked' } });
  const me = await askDirectly(session, '/me');
  const account = await session.call('order_license_get_me');
  expect(account.data).toEqual({
    ...me,
    email: '****',
    name: '****',
    masking: { masked: ['personal_data'], advice: expect.stringContaining('ORDER_LICENSE_PERSONAL_DATA=full') },
  });
  const { id } = session.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const plain = await askDirectly(session, `/orders/${id}`);
  const { data } = await session.call('order_license_get_order', { id });
  const { masking, advice, ...order } = data;
  expect(order).toEqual({ ...plain, billing_address: '****' });
  expect(masking).toMatchObject({ masked: ['personal_data'] });
});
