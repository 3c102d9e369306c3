import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { readApi, serveEach, serveInstead, service } from '../../shared/service.fixture';
import { OrderLicense } from '../OrderLicense.node';
import { answering, pageOf, prepare, run, thrownBy } from '../run-node.fixture';

serveEach({ limit: 'off' });

const pagesAsked = () => service.journal.entries().map(({ query }) => query);

test('Return All reads all pages with the same page size, and returns each order once [S-53]', async () => {
  const items = await run(service, 'listOrders', { returnAll: true, simplify: false });
  expect(new Set(items.map(({ json }) => json.id)).size).toBe(120);
  expect(items).toHaveLength(120);
  expect(pagesAsked()).toEqual(['page=1&per_page=50', 'page=2&per_page=50', 'page=3&per_page=50']);
});

test('respects Limit and never requests more than 50 orders at once [S-48]', async () => {
  for (const limit of [1, 50, 51]) {
    expect(await run(service, 'listOrders', { limit })).toHaveLength(limit);
  }
  expect(pagesAsked()).toEqual(['page=1&per_page=1', 'page=1&per_page=50', 'page=1&per_page=50', 'page=2&per_page=48']);
});

const rejected = async (parameters: IDataObject) => {
  const { message, description, context } = await thrownBy(run(service, 'listOrders', parameters));
  expect(context).toMatchObject({ itemIndex: 0 });
  expect(service.journal.total()).toBe(0);
  return [message, description];
};

test.each([0, -1, 1.5, '1.5', 'all', true])('rejects the limit %j before anything is sent', async (limit) => {
  const [message, description] = await rejected({ limit });
  expect(message).toBe("'Limit' is not a whole number of at least 1");
  expect(description).toContain('Set a number such as 50');
});

// The values that n8n passes for an expression such as {{ $json.missing }}.
test.each([undefined, null, ''])('rejects the limit or status %j instead of reading all orders', async (nothing) => {
  const limit = { limit: nothing } as unknown as IDataObject;
  expect(await rejected(limit)).toEqual(["'Limit' is empty", expect.stringContaining('Set a number such as 50')]);
  const filters = { status: nothing } as unknown as IDataObject;
  expect(await rejected({ filters })).toEqual(["'Status' is empty", expect.stringContaining("or remove 'Status'")]);
  expect(await run(service, 'listOrders', { ...limit, returnAll: true })).toHaveLength(120);
});

test.each([
  ['returnAll', 'no', "'Return All' is neither true nor false"],
  ['simplify', 0, "'Simplify' is neither true nor false"],
  ['includeDetails', null, "'Include Details' is empty"],
  ['output', 'codes', "'Output' has an unknown value"],
  ['output', null, "'Output' is empty"],
  ['order', null, "'Order' is empty"],
])('an expression that sets %s to %j is rejected before anything is sent', async (name, value, message) => {
  const execution = prepare(service, name === 'order' ? 'getOrder' : 'listOrders', { [name]: value });
  const { getNodeParameter } = execution.context;
  execution.context.getNodeParameter = ((asked: string, ...rest: [number]) =>
    asked === name ? value : getNodeParameter(asked, ...rest)) as typeof getNodeParameter;
  expect(await thrownBy(new OrderLicense().execute.call(execution.context))).toMatchObject({ message });
  expect(service.journal.total()).toBe(0);
});

test('rejects an unknown status before anything is sent [S-33]', async () => {
  for (const status of ['paid', 'Bezahlt', ['bezahlt', 'paid'], 'bezahlt, paid', 'constructor', { bezahlt: true }, 1]) {
    expect(await rejected({ filters: { status } as never })).toEqual([
      "'Status' has an unknown value",
      'Choose from ausstehend, bezahlt, abgeschlossen, storniert.',
    ]);
  }
});

test.each([
  [['bezahlt', 'storniert']],
  ['storniert, bezahlt,'],
  ['["bezahlt","storniert"]'],
  [['bezahlt', 'storniert', 'bezahlt']],
])('reads the list once for several statuses given as %j', async (status) => {
  const all = await run(service, 'listOrders', { returnAll: true });
  service.journal.clear();
  const items = await run(service, 'listOrders', { returnAll: true, filters: { status } });
  const wanted = all.filter(({ json }) => ['bezahlt', 'storniert'].includes(String(json.status)));
  expect(items).toEqual(wanted);
  expect(new Set(items.map(({ json }) => json.status)).size).toBe(2);
  expect(pagesAsked()).toHaveLength(3);
});

test('sends one status to the API [S-33]', async () => {
  const items = await run(service, 'listOrders', { filters: { status: 'storniert' } });
  expect(new Set(items.map(({ json }) => json.status))).toEqual(new Set(['storniert']));
  expect(pagesAsked()[0]).toContain('status=storniert');
});

test('raw orders are as the API sent them: amounts are strings, and dates have no time zone [S-20 S-22 S-24]', async () => {
  const { orders } = await readApi<{ orders: unknown[] }>('/orders?page=1&per_page=50');
  const items = await run(service, 'listOrders', { limit: 50, simplify: false });
  expect(items.map(({ json }) => json)).toEqual(orders);
  const totals = items.map(({ json }) => json.gesamtpreis_brutto);
  expect(totals).toEqual(expect.arrayContaining(['0.00', '0.10', '1234567.89', '90071992547409.93']));
});

test('simplified orders have English names, ISO times in UTC, and exact amounts [S-22 S-20]', async () => {
  service.state.insertOrder('business', {
    created_at: '2030-03-31 02:30:00',
    items: [{ menge: 1, einzelpreis_brutto: '1234567.89' }],
  });
  const [item] = await run(service, 'listOrders', { limit: 1 });
  expect(item?.json).toMatchObject({
    orderNumber: expect.any(String),
    createdAt: '2030-03-31T02:30:00.000Z',
    grossTotal: '1234567.89',
    currency: 'EUR',
    status: 'abgeschlossen',
    statusInEnglish: 'completed',
    paymentStatus: 'bezahlt',
    deliveryStatus: 'geliefert',
    orderId: expect.any(Number),
  });
});

test('an unreadable date is null in simplified output, and unchanged in raw output [U-24]', async () => {
  service.set({ dates: 'zero' });
  expect((await run(service, 'listOrders', { limit: 1 }))[0]?.json.createdAt).toBeNull();
  const [raw] = await run(service, 'listOrders', { limit: 1, simplify: false });
  expect(raw?.json.created_at).toBe('0000-00-00 00:00:00');
});

test('an account without orders returns no items [U-06]', async () => {
  await serveInstead({ limit: 'off', orders: 0 });
  expect(await run(service, 'listOrders', { returnAll: true })).toEqual([]);
  expect(service.journal.total()).toBe(1);
});

test('Created From returns orders created at that time or later, and does not read the whole list [U-63]', async () => {
  // 120 more orders, one a day, the newest created on the last day of 2030.
  for (let n = 119; n >= 0; n--) {
    const created_at = new Date(Date.UTC(2030, 11, 31 - n, 12)).toISOString();
    service.state.insertOrder('business', { created_at });
  }
  service.journal.clear();
  const filters = { createdFrom: '2030-12-22T12:00:00Z' };
  const items = await run(service, 'listOrders', { returnAll: true, filters });
  expect(items.map(({ json }) => json.createdAt).at(-1)).toBe('2030-12-22T12:00:00.000Z');
  expect(items).toHaveLength(10);
  expect(pagesAsked()).toHaveLength(2);
});

test('Include Details reads each order with one extra request and keeps the fields of the list', async () => {
  const [listed] = await run(service, 'listOrders', { limit: 1, simplify: false });
  service.journal.clear();
  const [whole] = await run(service, 'listOrders', { limit: 1, includeDetails: true, simplify: false });
  expect(whole?.json).toMatchObject({ ...listed?.json, items: expect.any(Array), billing_address: expect.any(Object) });
  expect(service.journal.entries().map(({ path }) => path)).toEqual([
    '/api/v1/orders',
    `/api/v1/orders/${listed?.json.id}`,
  ]);
  const [simple] = await run(service, 'listOrders', { limit: 1, includeDetails: true });
  expect(simple?.json).toMatchObject({
    createdAt: expect.any(String),
    paymentStatus: expect.any(String),
    deliveryStatus: expect.any(String),
    billingAddress: whole?.json.billing_address,
    lineItems: expect.any(Array),
  });
});

test('a simplified order without details has no license keys, even if the list contains them', async () => {
  const item = (license_key: string) => ({ product_name: 'Office', license_codes: [{ license_key }] });
  const listed = { id: 1, bestellnummer: 'B-1', lieferstatus: 'offen', items: [item('CANARY-7Q2X9')] };
  const send = answering(() => pageOf(listed));
  const [order] = await run(service, 'listOrders', {}, send);
  expect(order?.json).toMatchObject({ orderNumber: 'B-1', deliveryStatus: 'offen' });
  expect(order?.json).not.toHaveProperty('lineItems');
  const [raw] = await run(service, 'listOrders', { simplify: false }, send);
  expect(raw?.json).toHaveProperty('items');
});
