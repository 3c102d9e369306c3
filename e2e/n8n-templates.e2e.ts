import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { resolveFromN8n } from './n8n/install.ts';
import { type MailServer, startMailServer } from './n8n/mail-server.ts';
import { type Receiver, startReceiver } from './n8n/receiver.ts';
import { type Server, startServer } from './n8n/server.ts';
import { createOwner, type Session } from './n8n/session.ts';
import { api, home, keysOf, mailedKeys, mock, serveShop } from './n8n/shop.ts';
import { testedTemplate } from './n8n/template.ts';
import { until, untilPolledTwice } from './n8n/until.ts';
import type { Order } from './read-api.ts';

const canary = 'canary-n8n-templates';
serveShop(canary, { orders: 30 });
let receiver: Receiver;
let mail: MailServer;
let n8n: Server;
let session: Session;

beforeAll(async () => {
  receiver = await startReceiver();
  mail = await startMailServer();
  await home.importMailCredential(mail.port);
  const templates = ['erp-sync', 'accounting-export', 'audit-report', 'license-distribution'];
  await home.importWorkflows(templates.map((id) => testedTemplate(id, home, receiver.url)));
  // The templates set their own time zone, so this one must have no effect.
  n8n = await startServer(home, { env: { GENERIC_TIMEZONE: 'America/New_York' } });
  session = await createOwner(n8n.url);
});

afterEach(() => {
  receiver.received.length = 0;
  receiver.isDown = false;
  mail.texts.length = 0;
  mail.manners = 'take';
  for (const file of readdirSync(home.files)) rmSync(join(home.files, file));
});

afterAll(async () => {
  await n8n?.kill();
  receiver?.close();
  await mail?.close();
});

/**
 * Returns the rows of a table file that a workflow has written. Reads the file with the same library that n8n uses to
 * write it.
 */
const rowsOf = (file: string): string[][] => {
  const { read, utils } = createRequire(resolveFromN8n('n8n-nodes-base/package.json'))('@e965/xlsx') as Spreadsheets;
  const book = read(readFileSync(join(home.files, file)), { type: 'buffer', raw: true, codepage: 65_001 });
  const [[first = '', ...names] = [], ...rows] = utils.sheet_to_json(Object.values(book.Sheets)[0], {
    header: 1,
    raw: false,
    defval: '',
  });
  // Removes the byte order mark with which n8n's CSV files start.
  return [[first.replace(/^[^a-z]+/i, ''), ...names], ...rows];
};

/** The part of SheetJS used here. */
interface Spreadsheets {
  read(file: Buffer, options: object): { Sheets: Record<string, unknown> };
  utils: { sheet_to_json(sheet: unknown, options: object): string[][] };
}

const dateInBerlin = (at: number): string => new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(at);

/** Returns a date as the API sends it. */
const apiDate = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Returns the start of a month in Berlin, ms since 1970. `months` counts from the current month, which is 0. */
const monthInBerlin = (months: number): number => {
  const now = new Date();
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
  const berlin = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' });
  return first - Number(berlin.format(first)) * 3_600_000;
};

test("the accounting export covers the month in the template's time zone, with exact sums for each currency and status [S-14 S-20]", async () => {
  const [from, to] = [monthInBerlin(-1), monthInBerlin(0)];
  const insert = (at: number, einzelpreis_brutto: string, waehrung = 'EUR') => {
    const created_at = apiDate(at);
    return mock.state.insertOrder('business', { created_at, waehrung, items: [{ einzelpreis_brutto }] }).id;
  };
  const outside = [insert(from - 1_000, '1.00'), insert(to, '1.00')];
  const inside = [
    insert(from, '90071992547409.93'),
    insert(from + 1_000, '0.10'),
    insert(to - 1_000, '0.20'),
    insert(to - 86_400_000, '0.30', 'USD'),
  ];
  expect(await session.runFrom('accounting-export', 'Every Month')).toBe('success');

  const month = new Date(from + 86_400_000).toISOString().slice(0, 7);
  expect(readdirSync(home.files).sort()).toEqual([`orders-${month}.csv`, `totals-${month}.csv`]);
  const [head, ...rows] = rowsOf(`orders-${month}.csv`);
  // `orderNumber` is the first header. The file's byte order mark damages it, so it is not found by name.
  const at = (name: string) => Math.max(0, head?.indexOf(name) ?? 0);
  const listed = (await api.newest()).filter(({ id }) => inside.includes(id));
  expect(rows.map((row) => ['orderNumber', 'grossTotal', 'currency'].map((name) => row[at(name)]))).toEqual(
    listed.map(({ bestellnummer, gesamtpreis_brutto, waehrung }) => [bestellnummer, gesamtpreis_brutto, waehrung]),
  );
  const [names, ...sums] = rowsOf(`totals-${month}.csv`);
  // The byte order mark damages the first header, so that header is not found by name.
  const total = (row: string[]) =>
    ['currency', 'status', 'orders', 'grossTotal', 'complete'].map(
      (name) => row[Math.max(0, names?.indexOf(name) ?? 0)],
    );
  expect(sums.map(total).sort()).toEqual([
    ['EUR', 'abgeschlossen', '3', '90071992547410.23', 'TRUE'],
    ['USD', 'abgeschlossen', '1', '0.30', 'TRUE'],
  ]);
  for (const id of outside) expect(JSON.stringify(rows)).not.toContain((await api.order(id)).bestellnummer);
});

test('the audit report has a dated row for each license code of the quarter, without license keys [S-14 S-37]', async () => {
  const start = monthInBerlin(-(new Date().getUTCMonth() % 3) - 3);
  const end = monthInBerlin(-(new Date().getUTCMonth() % 3));
  const insert = (at: number) => {
    const created_at = apiDate(at);
    return mock.state.insertOrder('business', { created_at, items: [{ product_name: 'Prüfung', menge: 2 }] }).id;
  };
  insert(end);
  const inside = [insert(start + 86_400_000), insert(end - 3_600_000)];
  expect(await session.runFrom('audit-report', 'Every Quarter')).toBe('success');
  const [file = ''] = readdirSync(home.files);
  expect(file).toMatch(/^license-audit-\d{4}-Q[1-4]\.xlsx$/);
  const [head, ...rows] = rowsOf(file);
  expect(head).toEqual([
    ...['Date', 'Order', 'Status', 'Product', 'Code ID', 'Type', 'Activations', 'License Key', 'Account', 'Problem'],
  ]);
  const me = await api.me();
  const expected: string[][] = [];
  for (const { id, created_at, bestellnummer, status } of await api.newest()) {
    const time = Date.parse(`${created_at.replace(' ', 'T')}Z`);
    if (time < start || time >= end) continue;
    const { items } = await api.order(id);
    for (const { product_name, license_codes } of items) {
      for (const code of license_codes) {
        const order = [dateInBerlin(time), bestellnummer, status, product_name];
        const shown = [
          String(code.id),
          code.code_typ,
          String(code.aktivierungen_bestellung),
          expect.stringMatching(/^\*{4}/),
        ];
        expected.push([...order, ...shown, me.company, '']);
      }
    }
  }
  expect(expected.length).toBeGreaterThanOrEqual(2 * inside.length);
  expect(rows).toEqual(expected);
  expect(JSON.stringify(rows)).not.toContain(canary);
});

/** Returns the fields of an order that the ERP should receive. */
const erpOrder = ({ bestellnummer, status, gesamtpreis_brutto, waehrung, items, billing_address }: Order) => ({
  orderNumber: bestellnummer,
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  status,
  paymentStatus: expect.any(String),
  billingAddress: billing_address,
  grossTotal: gesamtpreis_brutto,
  currency: waehrung,
  lineItems: items.map(({ product_name, menge, einzelpreis_brutto }) => ({
    productName: product_name,
    quantity: menge,
    grossUnitPrice: einzelpreis_brutto,
  })),
});

const sentToErp = () => receiver.received.map(({ method, path, body }) => ({ method, path, body: JSON.parse(body) }));
/** Returns the event ID in each `Idempotency-Key`, which ends with the ID of the execution. */
const eventIds = () =>
  receiver.received.map(({ headers }) => String(headers['idempotency-key']).replace(/:[^:]*$/, ''));

test('the ERP receives each new order and each new status once, as the API sends them [S-14]', async () => {
  await session.activate('erp-sync');
  await untilPolledTwice(mock);
  const items = [
    { product_name: 'Größe & Maß 办公', menge: 3, einzelpreis_brutto: '123456789012345.67' },
    { product_name: 'Second "position"', einzelpreis_brutto: '0.10' },
  ];
  const paid = mock.state.insertOrder('business', { status: 'bezahlt', items }).id;
  const pending = mock.state.insertOrder('business', { status: 'ausstehend', waehrung: 'USD' }).id;
  await until('both orders', () => receiver.received.length >= 2);
  const orders = await Promise.all([paid, pending].map(api.order));
  for (const order of orders) {
    const path = `/api/orders/${order.bestellnummer}`;
    expect(sentToErp()).toContainEqual({ method: 'PUT', path, body: erpOrder(order) });
  }
  mock.state.setStatus(pending, 'storniert');
  await until('the new status', () => receiver.received.length >= 3);
  await untilPolledTwice(mock);
  expect(sentToErp().at(-1)?.body).toMatchObject({ orderNumber: orders[1]?.bestellnummer, status: 'storniert' });
  expect(eventIds().sort()).toEqual(
    [`new-order:${paid}`, `new-order:${pending}`, `status:${pending}:storniert`].sort(),
  );
  expect(JSON.stringify(receiver.received)).not.toContain(canary);
});

test('if the ERP is down, emails a user; `Send Again` then sends the orders of the days that failed [S-14]', async () => {
  receiver.isDown = true;
  const { id } = mock.state.insertOrder('business', { status: 'ausstehend' });
  await until('the mail', () => mail.texts.length > 0);
  const { bestellnummer } = await api.order(id);
  expect(mail.texts[0]).toContain(`${bestellnummer}: `);
  expect(mail.texts[0]).toContain('Send Again');
  expect(receiver.received).toEqual([]);
  receiver.isDown = false;
  expect(await session.runFrom('erp-sync', 'Send Again')).toBe('success');
  const sent = sentToErp().find(({ path }) => path.endsWith(`/${bestellnummer}`));
  expect(sent?.body).toEqual(erpOrder(await api.order(id)));
  expect(JSON.stringify([mail.texts, receiver.received])).not.toContain(canary);
});

test('the simple distribution emails each license code once, and emails failed codes again on request [S-14 S-29]', async () => {
  expect(await session.runFrom('license-distribution', 'Set Up or Send Again')).toBe('success');
  await session.activate('license-distribution');
  await untilPolledTwice(mock);
  const insert = async () =>
    api.order(mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 2 }] }).id);
  const taken = await insert();
  await until('the mails', () => mail.texts.length >= 2);
  await untilPolledTwice(mock);
  expect(mailedKeys(mail).sort()).toEqual(keysOf(taken).sort());

  mail.manners = 'reject';
  const rejected = await insert();
  await until('the rejected mails', () => mail.texts.length >= 4);
  await untilPolledTwice(mock);
  mail.manners = 'take';
  mail.texts.length = 0;
  expect(await session.runFrom('license-distribution', 'Set Up or Send Again')).toBe('success');
  expect(mailedKeys(mail).sort()).toEqual(keysOf(rejected).sort());
  mail.texts.length = 0;
  expect(await session.runFrom('license-distribution', 'Set Up or Send Again')).toBe('success');
  expect(mail.texts).toEqual([]);
});

test('n8n logs neither the API key nor a license key [S-70]', async () => {
  expect(n8n.log()).not.toContain(canary);
});
