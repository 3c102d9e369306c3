import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from './n8n/mail-server.ts';
import { type Server, startServer } from './n8n/server.ts';
import { createOwner, logIn, type Session } from './n8n/session.ts';
import { api, home, keysOf, mailedKeys, mock, serveShop } from './n8n/shop.ts';
import { testedTemplate } from './n8n/template.ts';
import { until, untilPolledTwice } from './n8n/until.ts';
import type { Order } from './read-api.ts';

const canary = 'canary-n8n-licenses';
const template = 'license-strict';
serveShop(canary, { orders: 12 });
let mail: MailServer;
let n8n: Server;
let session: Session;
const logs: string[] = [];

const end = async (how: 'stop' | 'kill') => {
  await n8n[how]();
  logs.push(n8n.log());
};
const startAgain = async () => {
  n8n = await startServer(home);
  session = await logIn(n8n.url);
};

beforeAll(async () => {
  mail = await startMailServer();
  await home.importMailCredential(mail.port);
  await home.importWorkflows([testedTemplate(template, home)]);
  n8n = await startServer(home);
  session = await createOwner(n8n.url);
  expect(await session.runFrom(template, 'Set Up or Send Again')).toBe('success');
  await session.activate(template);
  await untilPolledTwice(mock);
});

afterEach(() => {
  mail.manners = 'take';
  mail.texts.length = 0;
});

afterAll(async () => {
  await n8n?.kill();
  await mail?.close();
});

interface Row {
  id: number;
  orderNumber: string;
  state: string;
}

const pathOfTable = async (): Promise<string> => {
  const { id: project } = (await session.get('/rest/projects/personal')) as { id: string };
  const tables = (await session.get(`/rest/projects/${project}/data-tables`)) as { data: { id: string }[] };
  return `/rest/projects/${project}/data-tables/${tables.data[0]?.id}`;
};

/** Returns all rows of the Data Table in which the workflow records the emailed codes. */
const records = async (): Promise<Row[]> => {
  const rows = await session.get(`${await pathOfTable()}/rows?take=200`);
  return (rows as { data: Row[] }).data;
};
const statesOf = async ({ bestellnummer }: Order) =>
  (await records()).filter(({ orderNumber }) => orderNumber === bestellnummer).map(({ state }) => state);

const insertPaid = async (quantity: number): Promise<Order> => {
  const items = [
    { product_name: 'Büro', menge: quantity, code_typ: 'retail' as const },
    { product_name: 'Server 办公', menge: 3, code_typ: 'volumen' as const, license_codes: 3 },
    { product_name: 'Konto', code_typ: 'account' as const },
    { product_name: 'Service', code_typ: null },
  ];
  return api.order(mock.state.insertOrder('business', { status: 'bezahlt', items }).id);
};
const untilMailed = (...orders: Order[]) =>
  until('the mails', () => mail.texts.length >= orders.flatMap(keysOf).length);

test('emails each license code once, with the name of its product, and records it [S-14 S-29]', async () => {
  const orders = [await insertPaid(2), await insertPaid(1)];
  await untilMailed(...orders);
  await untilPolledTwice(mock);
  expect(mailedKeys(mail)).toHaveLength(11);
  expect(mailedKeys(mail).sort()).toEqual(orders.flatMap(keysOf).sort());
  for (const order of orders) {
    for (const { product_name, license_codes } of order.items) {
      for (const { license_key } of license_codes) {
        const found = mail.texts.find((text) => text.includes(license_key));
        expect(found).toContain(`Product: ${product_name}`);
        expect(found).toContain(`Order: ${order.bestellnummer}`);
      }
    }
    expect(new Set(await statesOf(order))).toEqual(new Set(['sent']));
  }
  expect(JSON.stringify(await records())).not.toContain(canary);
});

test('sends no morning email if all codes were sent [S-14]', async () => {
  expect(await session.runFrom(template, 'Every Morning')).toBe('success');
  expect(mail.texts).toEqual([]);
});

/** Returns the text of the morning email, and checks that it contains no license key. */
const report = async (): Promise<string> => {
  mail.texts.length = 0;
  expect(await session.runFrom(template, 'Every Morning')).toBe('success');
  expect(mail.texts).toHaveLength(1);
  expect(mail.texts[0]).not.toContain(canary);
  return mail.texts[0] ?? '';
};
const linesOf = (text: string, state: string, { bestellnummer }: Order): number =>
  text.split(/\r?\n/).filter((line) => line.startsWith(`${state}: `) && line.includes(bestellnummer)).length;

test('if the mail server rejects an email, reports the code as failed, and does not send it again [S-14]', async () => {
  mail.manners = 'reject';
  const order = await insertPaid(1);
  await untilMailed(order);
  await until('the records', async () => (await statesOf(order)).every((state) => state === 'failed'));
  mail.manners = 'take';
  await untilPolledTwice(mock);
  expect(mailedKeys(mail).sort()).toEqual(keysOf(order).sort());
  expect(linesOf(await report(), 'failed', order)).toBe(5);
});

test('emails a code again only if a user sets its state to `again`', async () => {
  const failed = (await records()).filter(({ state }) => state === 'failed');
  const [chosen] = failed;
  const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: chosen?.id }] };
  await session.patch(`${await pathOfTable()}/rows`, { filter, data: { state: 'again' } });
  expect(await session.runFrom(template, 'Set Up or Send Again')).toBe('success');
  expect(mail.texts).toHaveLength(1);
  expect(mail.texts[0]).toContain(`Order: ${chosen?.orderNumber}`);
  expect(mail.texts[0]).toContain(canary);
  const states = (await records()).filter(({ id }) => failed.some((row) => row.id === id)).map(({ state }) => state);
  expect(states.filter((state) => state === 'sent')).toHaveLength(1);
  expect(states.filter((state) => state === 'failed')).toHaveLength(failed.length - 1);
});

test('if n8n is killed after it marks a code and before it confirms the code, reports the code as unconfirmed and never emails it again [S-14]', async () => {
  mail.manners = 'hold';
  const order = await insertPaid(1);
  await until('the first mail', () => mail.texts.length > 0);
  const [mailed] = mailedKeys(mail);
  await end('kill');
  mail.manners = 'take';
  await startAgain();
  await untilPolledTwice(mock);
  expect(keysOf(order)).toContain(mailed);
  expect(mailedKeys(mail)).toEqual([mailed]);
  expect((await statesOf(order)).sort()).toEqual(['sending', 'waiting', 'waiting', 'waiting', 'waiting']);
  const reportMail = await report();
  expect(linesOf(reportMail, 'sending', order)).toBe(1);
  expect(linesOf(reportMail, 'waiting', order)).toBe(4);
});

/** Reads and changes the trigger's saved state while n8n is down. */
const savedState = {
  use<T>(work: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(join(home.folder, '.n8n/database.sqlite'));
    try {
      return work(database);
    } finally {
      database.close();
    }
  },
  read: () =>
    savedState.use((database) => database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?').get(template)),
  write: (staticData: string) =>
    savedState.use((database) =>
      database.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?').run(staticData, template),
    ),
};

test('emails only the new codes of an event that n8n repeats [S-14]', async () => {
  await end('stop');
  const repeated = await insertPaid(2);
  const before = String(savedState.read()?.staticData);
  await startAgain();
  await untilMailed(repeated);
  await untilPolledTwice(mock);
  // Restores the old state, as if n8n had crashed before it saved the new one.
  await end('stop');
  savedState.write(before);
  mail.texts.length = 0;
  const added = await insertPaid(1);
  await startAgain();
  await untilMailed(added);
  await untilPolledTwice(mock);
  expect(mailedKeys(mail).sort()).toEqual(keysOf(added).sort());
});

test('n8n logs neither the API key nor a license key [S-70]', async () => {
  await end('stop');
  expect(logs.join('\n')).not.toContain(canary);
});
