import { changeBodies } from '@order-license/testing/n8n-execution';
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { readApi, serveEach, serveInstead, service } from '../../shared/service.fixture';
import { OrderLicense } from '../OrderLicense.node';
import { orderBy, prepare, run, thrownBy } from '../run-node.fixture';

serveEach({ limit: 'off' });

const newest = async (): Promise<number[]> => {
  const items = await run(service, 'listOrders', { limit: 20 });
  service.journal.clear();
  return items.map(({ json }) => json.orderId as number);
};

const detail = (id: number) => readApi<IDataObject>(`/orders/${id}`);

const read = async (id: unknown, parameters: IDataObject = {}): Promise<IDataObject[]> =>
  (await run(service, 'getOrder', { ...orderBy('id', id), ...parameters })).map(({ json }) => json);

test('a raw order is what the API sent, with all items and codes byte for byte [S-55 S-20 S-29 S-31]', async () => {
  for (const id of await newest()) {
    expect(await read(id, { simplify: false })).toEqual([await detail(id)]);
  }
});

test('undocumented fields reach the raw output [S-27]', async () => {
  service.set({ extraFields: 'unknown', billing: 'german' });
  const [id] = await newest();
  const sent = await detail(id as number);
  expect(Object.keys(sent).length).toBeGreaterThan(7);
  const [lineItem] = await read(id, { simplify: false, output: 'lineItems' });
  expect({ ...(lineItem?.order as IDataObject), items: sent.items }).toEqual(sent);
});

test('returns one output item per line item, with its order, even for 40 line items [S-55]', async () => {
  const { id } = service.state.insertOrder('business', { items: Array.from({ length: 40 }, () => ({ menge: 2 })) });
  const { items } = (await detail(id)) as { items: IDataObject[] };
  const raw = await read(id, { output: 'lineItems', simplify: false });
  expect(raw.map(({ item }) => item)).toEqual(items);
  expect(new Set(raw.map(({ order }) => (order as IDataObject).id))).toEqual(new Set([id]));
  const code = {
    licenseKey: expect.any(String),
    codeType: expect.any(String),
    downloadUrl64: expect.toSatisfy((url) => url === null || typeof url === 'string'),
    downloadUrl32: expect.toSatisfy((url) => url === null || typeof url === 'string'),
    allowedActivations: expect.any(Number),
    licenseCodeId: expect.any(Number),
  };
  const [simple] = await read(id, { output: 'lineItems' });
  expect(simple).toEqual({
    orderId: id,
    orderNumber: expect.any(String),
    status: 'abgeschlossen',
    statusInEnglish: 'completed',
    lineItemId: expect.any(Number),
    productName: expect.any(String),
    quantity: 2,
    grossUnitPrice: expect.stringMatching(/^\d+\.\d\d$/),
    currency: 'EUR',
    licenseCodes: [code, code],
  });
});

test('returns one item per license code, with its order and product, even for 500 codes [S-29 S-31 S-55]', async () => {
  const { id } = service.state.insertOrder('business', { items: [{ menge: 500, downloads: 'all' }] });
  const { items } = (await detail(id)) as { items: { product_name: string; license_codes: IDataObject[] }[] };
  const [lineItem] = items;
  const raw = await read(id, { output: 'licenseCodes', simplify: false });
  expect(raw.map(({ license_code }) => license_code)).toEqual(lineItem?.license_codes);
  const simple = await read(id, { output: 'licenseCodes' });
  expect(simple.map(({ licenseKey }) => licenseKey)).toEqual(lineItem?.license_codes.map((code) => code.license_key));
  expect(simple).toHaveLength(500);
  expect(Object.keys(simple[0] as IDataObject)).toEqual([
    'orderNumber',
    'productName',
    'licenseKey',
    'codeType',
    'downloadUrl64',
    'downloadUrl32',
    'allowedActivations',
    'licenseCodeId',
    'status',
    'statusInEnglish',
    'orderId',
  ]);
  expect(new Set(simple.map(({ downloadUrl64 }) => downloadUrl64 === null))).toEqual(new Set([true, false]));
});

test('an unpaid order has no license key, however the API represents missing codes [S-37 U-12]', async () => {
  const { id } = service.state.insertOrder('business', { status: 'ausstehend', items: [{ menge: 3 }] });
  for (const ineligibleCodes of ['empty', 'absent', 'null'] as const) {
    service.set({ ineligibleCodes });
    expect(await read(id, { output: 'licenseCodes' })).toEqual([]);
    expect((await read(id, { output: 'lineItems' }))[0]).toMatchObject({ quantity: 3, licenseCodes: [] });
    expect(JSON.stringify(await read(id, { simplify: false }))).not.toContain('license_key');
  }
});

test('a simplified order has the values of the detail and an unchanged billing address', async () => {
  const { id } = service.state.insertOrder('business', { items: [{ menge: 1 }] });
  for (const billing of ['sample', 'german', 'emptyObject', 'emptyArray', 'null'] as const) {
    service.set({ billing });
    const { billing_address, bestellnummer, gesamtpreis_brutto } = await detail(id);
    expect((await read(id))[0]).toMatchObject({
      orderId: id,
      orderNumber: bestellnummer,
      status: 'abgeschlossen',
      statusInEnglish: 'completed',
      grossTotal: gesamtpreis_brutto,
      currency: 'EUR',
      billingAddress: billing_address,
      lineItems: [expect.objectContaining({ quantity: 1, licenseCodes: [expect.any(Object)] })],
    });
  }
});

test('a simplified order has list fields only if the API sends them [S-27 S-88 U-20]', async () => {
  const [id] = await newest();
  const fields = ['createdAt', 'paymentStatus', 'deliveryStatus'];
  expect(Object.keys((await read(id))[0] ?? {}).filter((name) => fields.includes(name))).toEqual([]);
  service.set({ extraFields: 'summary' });
  expect((await read(id))[0]).toMatchObject({
    createdAt: expect.stringMatching(/Z$/),
    paymentStatus: expect.any(String),
  });
});

test('rejects an invalid order ID before anything is sent [S-56]', async () => {
  for (const id of ['B-2026-000042', '1.5', '-1', '0', '1e3', 1.5, { toString: null } as unknown as number]) {
    const error = await thrownBy(read(id));
    expect(error.message).toContain('order ID is not a positive whole number');
    expect(error.description).toContain('not its order number');
  }
  expect(service.journal.total()).toBe(0);
});

test('does not change an ID that consists of digits [U-25]', async () => {
  const [id] = await newest();
  expect(await read(` ${id} `)).toHaveLength(1);
  expect(service.journal.entries()[0]?.path).toBe(`/api/v1/orders/${id}`);
});

test("reports another account's order as missing, with the API's message [S-75 S-90]", async () => {
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount };
  const [id] = await newest();
  const error = await thrownBy(run(service, 'getOrder', orderBy('id', id), { credential }));
  expect(error).toMatchObject({
    message: 'The account of this API key has no order with this ID (404)',
    httpCode: '404',
  });
  expect(error.description).toContain('The API says: ');
});

test.each(['list', 'number'] as const)(
  'if an order from the list cannot be read (404), does not blame what was entered [%s]',
  async (mode) => {
    const [listed] = await run(service, 'listOrders', { limit: 1 });
    const { orderId, orderNumber } = listed?.json ?? {};
    service.faults.add({ kind: 'status', status: 404, operation: 'order', times: 'always' } as never);
    const chosen = orderBy(mode, mode === 'list' ? orderId : orderNumber);
    const { description } = await thrownBy(run(service, 'getOrder', chosen));
    expect(description).toContain(
      'The order may have been removed, or may be too new to be read. Try again in a minute.',
    );
    expect(description).not.toContain("'Order'");
  },
);

test('if no order has the entered ID, names the field for users, and only the ID for models', async () => {
  const { description } = await thrownBy(run(service, 'getOrder', orderBy('id', 1)));
  expect(description).toContain("Check the 'Order' field.");
  const [item] = await run(service, 'getOrder', orderBy('id', 1), { asTool: true });
  expect(item?.json.details).toMatchObject({ advice: 'Check the ID.' });
});

test('an order found by its number, in upper or lower case, has the date, payment status and delivery status from the list', async () => {
  const [listed] = await run(service, 'listOrders', { limit: 1 });
  const { orderNumber, createdAt, paymentStatus, deliveryStatus } = listed?.json ?? {};
  const [found] = await run(service, 'getOrder', orderBy('number', String(orderNumber).toLowerCase()));
  expect(found?.json).toMatchObject({ orderNumber, createdAt, paymentStatus, deliveryStatus });
  const [code] = await run(service, 'getOrder', { ...orderBy('number', orderNumber), output: 'lineItems' });
  expect(Object.keys(code?.json ?? {}).slice(0, 3)).toEqual(['orderNumber', 'createdAt', 'productName']);
});

test('an empty ID and an empty number cause the same error', async () => {
  const errors = await Promise.all(
    (['id', 'number', 'list'] as const).map((mode) => thrownBy(run(service, 'getOrder', orderBy(mode, ' ')))),
  );
  expect(new Set(errors.map(({ message, description }) => `${message}: ${description}`)).size).toBe(1);
  expect(service.journal.total()).toBe(0);
});

test('finding many order numbers in one run reads the list only once', async () => {
  const items = (await run(service, 'listOrders', { limit: 60 })).map(({ json }) => ({ json }));
  service.journal.clear();
  const wanted = items.slice(40, 55);
  const found = await run(service, 'getOrder', orderBy('number', '={{ $json.orderNumber }}'), { items: wanted });
  expect(found.map(({ json }) => json.orderId)).toEqual(items.slice(40, 55).map(({ json }) => json.orderId));
  expect(service.journal.total()).toBe(15 + 2);
});

test.each([
  ['B-2026-*', '"*" cannot be part of an order number'],
  ['={{ $json }}', 'The order number is empty or not text'],
])('rejects the order number %s before any request, and shows a complete one', async (typed, message) => {
  expect(await thrownBy(run(service, 'getOrder', orderBy('number', typed)))).toMatchObject({
    message,
    description: expect.stringContaining('B-2026-000042'),
    context: { itemIndex: 0, details: { code: 'bad_request' } },
  });
  expect(service.journal.total()).toBe(0);
});

const missing = async (orderNumber: string) => {
  service.journal.clear();
  const { message, description } = await thrownBy(run(service, 'getOrder', orderBy('number', orderNumber)));
  return { message, description, requests: service.journal.total() };
};

test('reports an order number as not found only after all orders have been read', async () => {
  expect(await missing('B-1')).toEqual({
    message: 'No order in this account has the number "B-1"; all 120 orders were read',
    description: expect.stringMatching(/^Check the number: this account has numbers such as "B-\d{4}-\d+"\.$/),
    requests: 3,
  });
  expect((await missing('10890')).description).toContain("If you entered an order ID, choose 'By ID'.");
});

test('finds an old order by its number without reading all newer ones', async () => {
  await serveInstead({ limit: 'off', orders: 20_000 });
  const [, wanted] = (await readApi<{ orders: IDataObject[] }>('/orders?page=321&per_page=50')).orders;
  service.journal.clear();
  const [found] = await run(service, 'getOrder', orderBy('number', wanted?.bestellnummer));
  expect(found?.json.orderId).toBe(wanted?.id);
  expect(service.journal.total()).toBeLessThanOrEqual(12);
  expect(await missing(`${wanted?.bestellnummer}0`)).toEqual({
    message: expect.stringMatching(
      /^No order with the number ".*" was found where expected in the list, between "B-2023-\d+" and "B-2022-\d+"$/,
    ),
    description: expect.stringMatching(/"\. If newer orders can have lower numbers in your shop, choose 'By ID'\. /),
    requests: expect.any(Number),
  });
});

test('searches the newest 1,000 orders if numbers are unsorted, and the error says so', async () => {
  await serveInstead({ limit: 'off', orders: 1_234 });
  service.journal.clear();
  const execution = prepare(service, 'getOrder', orderBy('number', 'B-1'));
  const shuffled = (number: string) => `"bestellnummer":"${(Number(number.replace(/\D/g, '')) * 7919) % 100_003}"`;
  changeBodies(execution, (body) => body.replace(/"bestellnummer":"([^"]*)"/g, (_, number) => shuffled(number)));
  const error = await thrownBy(new OrderLicense().execute.call(execution.context));
  expect(error.message).toBe('No order with the number "B-1" was found among the 1000 of 1234 orders that were read');
  expect(error.description).toContain("If newer orders can have lower numbers in your shop, choose 'By ID'.");
  expect(error.context).toMatchObject({ details: { code: 'not_located' }, itemIndex: 0 });
  expect(service.journal.total()).toBe(20);
});

test('a simplified order found by its number keeps the status of the list if the response has none', async () => {
  const [listed] = await run(service, 'listOrders', { limit: 1 });
  service.set({ nulls: ['order.status'] });
  const { orderNumber, status } = listed?.json ?? {};
  expect((await run(service, 'getOrder', orderBy('number', orderNumber)))[0]?.json).toMatchObject({ status });
  const raw = { ...orderBy('number', orderNumber), simplify: false };
  expect((await run(service, 'getOrder', raw))[0]?.json).toMatchObject({ status: null });
});
