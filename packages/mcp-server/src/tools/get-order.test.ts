import type { OrderSummary } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { askDirectly, startSession } from '../testing/mcp-session.fixture.ts';
import { connectToService, orderAt } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

const onlyListed = 'zahlungsstatus, lieferstatus, created_at are only in order_license_list_orders.';

/** The fields of an order's details, as the API docs list them. */
const details = ({ zahlungsstatus, lieferstatus, created_at, ...order }: OrderSummary) => ({ ...order, items: [] });

test('returns a complete order byte for byte, including 50 codes and their URLs [S-05 S-20 S-29 S-31 S-55]', async () => {
  const session = await startSession();
  const license_codes = Array.from({ length: 50 }, (_, n) => ({
    license_key: [`A B-${n}`, `login${n}: pa ss`, `軽-${n}`][n % 3] ?? '',
    download_url_64: n % 2 ? null : `https://dl.example/${n}?a=b%20c`,
  }));
  const items = [{ product_name: 'Büro 東京 🧾', menge: 50, license_codes }, ...Array(40).fill({ license_codes: [] })];
  const { id } = session.mock.state.insertOrder('business', { status: 'bezahlt', items } as never);
  const order = await askDirectly(session, `/orders/${id}`);
  expect(JSON.stringify(order)).toContain('login1: pa ss');
  const { data, text } = await session.call('get_order', { id });
  expect(data).toEqual({ ...order, advice: onlyListed });
  expect(text).toBe(JSON.stringify({ ...order, advice: onlyListed }));
});

test('reports a missing order as not_found, and says how to pass an order number [S-75]', async () => {
  const { call } = await connectToService({ orders: [] });
  const text = expect.stringMatching(/^not_found: .*If 424242 is an order number, pass it as `order_number`\./);
  expect(await call('get_order', { id: '424242' })).toMatchObject({ isError: true, text });
});

test('an order found by number has the fields of its list entry, even where its details have null', async () => {
  const [entry] = [orderAt(0)];
  const { call } = await connectToService({
    orders: [entry],
    details: (order) => ({ ...details(order), status: null, created_at: null, billing_address: null }),
  });
  const args = { order_number: entry.bestellnummer };
  expect((await call('get_order', args)).data).toEqual({ ...entry, billing_address: null, items: [] });
  const { data } = await call('get_order', { ...args, codes: false });
  expect(rowsOf(data.orders)).toMatchObject([{ lieferstatus: entry.lieferstatus }]);
});

test('a single order says why it has no codes, and which fields only the list has', async () => {
  const orders = ['ausstehend', 'storniert', 'bezahlt'].map((status, n) => orderAt(9 - n, { status }));
  const [pending, cancelled, paid] = orders;
  const { call } = await connectToService({ orders, details });
  const adviceFor = async (args: object) => (await call('get_order', args)).data.advice;
  const noCodes = (status: string) => `Orders with status ${status} have no license codes.`;
  expect(await adviceFor({ id: pending?.id })).toBe(`${noCodes('ausstehend')} ${onlyListed}`);
  expect(await adviceFor({ id: paid?.id })).toBe(onlyListed);
  expect(await adviceFor({ order_number: cancelled?.bestellnummer })).toBe(noCodes('storniert'));
  expect(await adviceFor({ order_number: paid?.bestellnummer })).toBeUndefined();
});
