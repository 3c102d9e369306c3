import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';

const masked = { ORDER_LICENSE_LICENSE_KEYS: 'masked' };

test('a search for a product finds an order whose ID is also the login in one of its license codes', async () => {
  const license_codes = [{ license_key: '100245: geheim', code_typ: 'account' as const }];
  const orders = [{ id: 100_245, status: 'bezahlt' as const, items: [{ product_name: 'Mail', license_codes }] }];
  const { call } = await startSession({ mock: { orders }, env: masked });
  const { data } = await call('order_license_list_orders', { product: 'mail' });
  expect(data).toMatchObject({ complete: true, count: 1 });
  expect((await call('order_license_get_order', { id: 100_245 })).data).toMatchObject({ id: 100_245 });
});

test.each(['order_license_list_orders', 'order_license_get_order'])(
  'the result of %s is marked incomplete if a masked product name could match',
  async (tool) => {
    const license_codes = [{ license_key: 'AAAAA-BBBBB' }];
    const items = [{ product_name: 'Windows 11 AAAAA-BBBBB', license_codes }, { product_name: 'Office' }];
    const { call } = await startSession({ mock: { orders: [{ id: 1, status: 'bezahlt', items }] }, env: masked });
    const dates = { created_from: '2020-01-01', created_before: '2100-01-01' };
    expect((await call(tool, { ...dates, product: 'windows' })).data).toMatchObject({
      complete: false,
      gaps: ['masked_names'],
      advice: expect.stringMatching(/^Some product names are masked/),
    });
  },
);

test('masks license keys only, and says who can show them [S-29 S-55]', async () => {
  const session = await startSession({ env: masked, mock: { licenseKeyPrefix: 'CANARY' } });
  const { id } = session.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const { data, text } = await session.call('order_license_get_order', { id });
  expect(data.masking).toEqual({
    masked: ['license_keys', 'other_fields'],
    advice: expect.stringMatching(/person who set up this MCP server.*ORDER_LICENSE_LICENSE_KEYS=full/),
  });
  expect(text).not.toContain('CANARY');
  const { bestellnummer, gesamtpreis_brutto } = await askDirectly(session, `/orders/${id}`);
  expect(data).toMatchObject({ id, bestellnummer, status: 'bezahlt', gesamtpreis_brutto, waehrung: 'EUR' });
  expect(session.client.getInstructions()).toContain('License keys are masked by configuration');
  expect((await session.call('order_license_list_orders', { per_page: 2 })).data).not.toHaveProperty('masking');
});

test('masks personal data in the account and in orders, but not license keys', async () => {
  const session = await startSession({ env: { ORDER_LICENSE_PERSONAL_DATA: 'masked' } });
  const me = await askDirectly(session, '/me');
  const note = { masked: ['personal_data'], advice: expect.stringContaining('ORDER_LICENSE_PERSONAL_DATA=full') };
  const account = await session.call('order_license_get_me');
  expect(account.data).toEqual({ ...me, email: '****', name: '****', masking: note });
  const { id } = session.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const plain = await askDirectly(session, `/orders/${id}`);
  const { advice, ...order } = (await session.call('order_license_get_order', { id })).data;
  expect(order).toEqual({ ...plain, billing_address: '****', masking: note });
});
