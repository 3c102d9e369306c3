import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { createHome, type Home } from './n8n/home.ts';
import { type Order, readApi } from './n8n/read-api.ts';
import { type Receiver, startReceiver } from './n8n/receiver.ts';
import { type Server, startServer } from './n8n/server.ts';
import { createOwner, type Session } from './n8n/session.ts';
import { testedTemplate } from './n8n/template.ts';
import { until, untilPolledTwice } from './n8n/until.ts';

const canary = 'canary-n8n-templates';
const key = `${canary}-api-key`;
let mock: MockServer;
let receiver: Receiver;
let home: Home;
let n8n: Server;
let session: Session;

beforeAll(async () => {
  mock = await listen({ orders: 30, keys: { business: key }, licenseKeyPrefix: `${canary}-`, limit: 'off' });
  receiver = await startReceiver();
  home = createHome();
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: key });
  const templates = ['erp-sync', 'accounting-export', 'audit-report'];
  await home.importWorkflows(templates.map((id) => testedTemplate(id, receiver.url)));
  n8n = await startServer(home, { env: { GENERIC_TIMEZONE: 'Europe/Berlin' } });
  session = await createOwner(n8n.url);
});

afterEach(() => {
  receiver.received.length = 0;
  receiver.isDown = false;
});

afterAll(async () => {
  await n8n?.kill();
  receiver?.close();
  home?.remove();
  await mock?.close();
});

/** A stored CSV file as rows of fields; none of these files has a quoted line break. */
const rowsOf = (file: string): string[][] => {
  const found = receiver.received.find(({ path }) => path.startsWith(`/${file}`));
  const field = /("(?:[^"]|"")*"|[^,]*),/y;
  return (found?.body ?? '')
    .trim()
    .split(/\r?\n/)
    .map((line) => {
      const fields: string[] = [];
      for (field.lastIndex = 0; field.lastIndex <= line.length; ) {
        const one = field.exec(`${line},`)?.[1] ?? '';
        fields.push(one.startsWith('"') ? one.slice(1, -1).replaceAll('""', '"') : one);
      }
      return fields;
    });
};

/** 0:00 on the first of a month in Berlin, counted from this month, in ms since 1970. */
const monthInBerlin = (months: number): number => {
  const now = new Date();
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
  const berlin = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' });
  return first - Number(berlin.format(first)) * 3_600_000;
};

test('S-14 S-20 the accounting export: the month of the workflow, exact sums for each currency and status', async () => {
  const [from, to] = [monthInBerlin(-1), monthInBerlin(0)];
  const insert = (createdAt: number, unitPrice: string, currency = 'EUR') =>
    mock.state.insertOrder('business', { createdAt, currency, items: [{ unitPrice }] }).id;
  const outside = [insert(from - 1_000, '1.00'), insert(to, '1.00')];
  const inside = [
    insert(from, '90071992547409.93'),
    insert(from + 1_000, '0.10'),
    insert(to - 1_000, '0.20'),
    insert(to - 86_400_000, '0.30', 'USD'),
  ];
  expect(await session.runFrom('accounting-export', 'Every Month')).toBe('success');

  const [head, ...rows] = rowsOf('orders-');
  expect(head).toEqual(['orderNumber', 'createdAt', 'status', 'paymentStatus', 'grossTotal', 'currency']);
  const listed = (await readApi(mock, key).newest()).filter(({ id }) => inside.includes(id));
  expect(rows.map(([number, , , , total, currency]) => [number, total, currency])).toEqual(
    listed.map(({ bestellnummer, gesamtpreis_brutto, waehrung }) => [bestellnummer, gesamtpreis_brutto, waehrung]),
  );
  expect(rowsOf('totals-')).toEqual([
    ['currency', 'status', 'orders', 'grossTotal'],
    ['EUR', 'abgeschlossen', '3', '90071992547410.23'],
    ['USD', 'abgeschlossen', '1', '0.30'],
  ]);
  for (const id of outside)
    expect(JSON.stringify(rows)).not.toContain((await readApi(mock, key).order(id)).bestellnummer);
  const month = new Date(from + 86_400_000).toISOString().slice(0, 7);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual([`/orders-${month}.csv`, `/totals-${month}.csv`]);
});

test('S-14 S-37 the audit report: a row for each license code of the account, and no license key', async () => {
  expect(await session.runFrom('audit-report', 'Every Quarter')).toBe('success');
  const [, ...rows] = rowsOf('license-audit-');
  const me = await readApi(mock, key).me();
  const expected: string[][] = [];
  for (const { bestellnummer, status, items } of await readApi(mock, key).newest()) {
    for (const { product_name, license_codes } of items) {
      for (const { id, license_key, code_typ, aktivierungen_bestellung } of license_codes) {
        const order = [me.company, me.vat_id, bestellnummer, status, product_name];
        const masked = /[:\s]/.test(license_key) ? '****' : `****${license_key.slice(-4)}`;
        expected.push([...order, String(id), code_typ, String(aktivierungen_bestellung), masked, '']);
      }
    }
  }
  expect(expected.length).toBeGreaterThan(100);
  expect(rows).toEqual(expected);
  expect(JSON.stringify(receiver.received)).not.toContain(canary);
});

/** What the ERP should get of an order. */
const erpOrder = ({ bestellnummer, status, gesamtpreis_brutto, waehrung, items }: Order) => ({
  orderNumber: bestellnummer,
  status,
  grossTotal: gesamtpreis_brutto,
  currency: waehrung,
  positions: items.map(({ product_name, menge, einzelpreis_brutto }) => ({
    productName: product_name,
    quantity: menge,
    grossUnitPrice: einzelpreis_brutto,
  })),
});

const sentToErp = () => receiver.received.map(({ method, path, body }) => ({ method, path, body: JSON.parse(body) }));
const eventIds = () => receiver.received.map(({ headers }) => headers['idempotency-key']);

test('S-14 the ERP gets each new order and each new status once, as the service tells them', async () => {
  await session.activate('erp-sync');
  await untilPolledTwice(mock);
  const items = [
    { productName: 'Größe & Maß 办公', quantity: 3, unitPrice: '123456789012345.67' },
    { productName: 'Second "position"', unitPrice: '0.10' },
  ];
  const paid = mock.state.insertOrder('business', { status: 'bezahlt', items }).id;
  const pending = mock.state.insertOrder('business', { status: 'ausstehend', currency: 'USD' }).id;
  await until('both orders', () => receiver.received.length >= 2);
  const orders = await Promise.all([paid, pending].map(readApi(mock, key).order));
  for (const order of orders) {
    const path = `/api/orders/${order.bestellnummer}`;
    expect(sentToErp()).toContainEqual({ method: 'PUT', path, body: erpOrder(order) });
  }
  mock.state.setStatus(pending, 'storniert');
  await until('the new status', () => receiver.received.length >= 3);
  await untilPolledTwice(mock);
  expect(sentToErp().at(-1)?.body).toMatchObject({ orderNumber: orders[1]?.bestellnummer, status: 'storniert' });
  expect(eventIds().sort()).toEqual(
    [`new-order:${paid}`, `new-order:${pending}`, `status:${pending}:1:storniert`].sort(),
  );
  expect(JSON.stringify(receiver.received)).not.toContain(canary);
});

test('S-14 an ERP that is down: the execution fails in plain sight, and its retry sends the order', async () => {
  receiver.isDown = true;
  const { id } = mock.state.insertOrder('business', { status: 'ausstehend' });
  const failed = async () => {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: 'erp-sync', status: ['error'] }));
    return ((await session.get(`/rest/executions?filter=${filter}`)) as { results: { id: string }[] }).results;
  };
  await until('a failed execution', async () => (await failed()).length > 0);
  expect(receiver.received).toEqual([]);
  receiver.isDown = false;
  await session.post(`/rest/executions/${(await failed())[0]?.id}/retry`, { loadWorkflow: false });
  await until('the order', () => receiver.received.length > 0);
  await untilPolledTwice(mock);
  expect(eventIds()).toEqual([`new-order:${id}`]);
});

test('S-70 neither the API key nor a license key is in what n8n logs', async () => {
  expect(n8n.log()).not.toContain(canary);
});
