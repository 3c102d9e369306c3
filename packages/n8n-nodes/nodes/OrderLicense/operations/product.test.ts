import type { IDataObject } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';
import { serveEach, service } from '../../shared/service.fixture';
import { OrderLicense } from '../OrderLicense.node';
import { answering, pageOf, prepare, run, thrownBy } from '../run-node.fixture';

let ids: number[];
serveEach({ limit: 'off', orders: 0 });
beforeEach(() => {
  const insert = (...names: string[]) =>
    service.state.insertOrder('business', { items: names.map((product_name) => ({ product_name, menge: 2 })) }).id;
  ids = [insert('Office 2024'), insert('Server'), insert('OFFICE für Köln', 'Server'), insert('Backup')].reverse();
});

const list = async (parameters: IDataObject, options = {}): Promise<IDataObject[]> =>
  (await run(service, 'listOrders', { returnAll: true, ...parameters }, options)).map(({ json }) => json);

test('finds orders by part of a product name, ignoring case, with one request per order', async () => {
  const orders = await list({ filters: { product: ' office ' } });
  expect(orders.map(({ orderId }) => orderId)).toEqual([ids[1], ids[3]]);
  expect(orders[0]).not.toHaveProperty('lineItems');
  expect(service.journal.total()).toBe(1 + 4);
  expect(await list({ filters: { product: 'KO\u0308LN' } })).toHaveLength(1);
  expect(await list({ filters: { product: 'Unknown' } })).toEqual([]);
});

test('a list without line items does not mention missing license codes', async () => {
  service.state.insertOrder('business', { items: [{ product_name: 'Office', menge: 1 }], delivered: 0 });
  const execution = prepare(service, 'listOrders', { filters: { product: 'office' } });
  await new OrderLicense().execute.call(execution.context);
  expect(execution.hints).toEqual([]);
});

test('with Include Details, an order contains all its line items, not only those with the product', async () => {
  const [order] = await list({ filters: { product: 'office' }, includeDetails: true });
  expect(order?.lineItems).toHaveLength(2);
});

test.each(['lineItems', 'licenseCodes'])('outputs no %s of other products', async (output) => {
  const items = await list({ filters: { product: 'office' }, output });
  expect(items.map(({ productName }) => productName)).toEqual(
    output === 'lineItems'
      ? ['OFFICE für Köln', 'Office 2024']
      : ['OFFICE für Köln', 'OFFICE für Köln', 'Office 2024', 'Office 2024'],
  );
});

const canary = 'CANARY-7Q2X9-LK4ZT-8M1PV';
const itemWith = (product_name: string, ...keys: string[]) => ({
  ...{ id: 1, product_name, menge: 1, einzelpreis_brutto: '1.00' },
  license_codes: keys.map((license_key) => ({ id: 1, license_key, code_typ: 'retail', aktivierungen_bestellung: 1 })),
});
const orderWith = (id: number, bestellnummer: string) => ({
  ...{ id, bestellnummer, status: 'bezahlt', gesamtpreis_brutto: '1.00', waehrung: 'EUR' },
  created_at: `2026-01-0${3 - id} 08:00:00`,
});

test.each(['lineItems', 'licenseCodes'])(
  'masks keys of omitted products even if the %s repeat them',
  async (output) => {
    const order = orderWith(1, 'B-1');
    const items = [itemWith(`Office (${canary})`, 'OTHER-7Q2X9-LK4ZT-8M1PV'), itemWith('Server', canary)];
    const send = answering((url) => (url.endsWith('/1') ? { ...order, items } : pageOf(order)));
    const shown = await list({ output, licenseKeys: 'masked', filters: { product: 'office' } }, send);
    expect(shown).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toContain('CANARY');
  },
);

test('Limit counts only the orders with the product', async () => {
  expect(
    (await list({ returnAll: false, limit: 1, filters: { product: 'office' } })).map((one) => one.orderId),
  ).toEqual([ids[1]]);
});

test('rejects a product filter with Totals before anything is sent', async () => {
  const error = await thrownBy(list({ output: 'totals', filters: { product: 'office' } }));
  expect(error.message).toContain("'Product' cannot be combined with 'Totals'");
  expect(service.journal.total()).toBe(0);
});

test('accepts a number as part of a product name, as a spreadsheet returns it', async () => {
  service.state.insertOrder('business', { items: [{ product_name: 'Sonderheft 7777', menge: 1 }] });
  expect(await list({ filters: { product: '={{ 7777 }}' } })).toHaveLength(1);
});

test('accepts an empty product filter from a model', async () => {
  expect(await list({ filters: { product: '' } }, { asTool: true })).toHaveLength(4);
  expect(await thrownBy(list({ filters: { product: ' ' } }))).toMatchObject({ message: "'Product' is empty" });
});

test.each([{ includeDetails: true }, { output: 'lineItems' }, { filters: { product: 'office' } }])(
  'masks a license key that another order repeats: %j',
  async (parameters) => {
    const orders = [orderWith(1, `B-1, see ${canary}`), orderWith(2, 'B-2')];
    const details: Record<string, object> = {
      1: { ...orders[0], items: [itemWith('Office')] },
      2: { ...orders[1], items: [itemWith('Office', canary)] },
    };
    const send = answering((url) => details[/orders\/(\d)$/.exec(url)?.[1] ?? ''] ?? pageOf(...orders));
    const shown = await list({ licenseKeys: 'masked', ...parameters }, send);
    expect(shown).toHaveLength(2);
    expect(JSON.stringify(shown)).not.toContain('CANARY');
  },
);
