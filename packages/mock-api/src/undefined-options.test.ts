import { expect, test } from 'vitest';
import type { Mock } from './index.ts';
import { createMock, type JournalFilter, type ListenOptions, listen, type SettingInput } from './index.ts';
import { innerOf } from './mock.ts';
import { settingDefinitions } from './settings/settings.ts';

type OptionsOf<Call extends (...args: never[]) => unknown, At extends number> = NonNullable<Parameters<Call>[At]>;

// Each constant has every field of the type, so a new field must accept `undefined` for this file to compile.

const listenOptions = {
  port: undefined,
  host: undefined,
  allowHosts: undefined,
  control: undefined,
  tlsCert: undefined,
  tlsKey: undefined,
  ordersFile: undefined,
  seed: undefined,
  orders: undefined,
  relativeDates: undefined,
  keys: undefined,
  licenseKeyPrefix: undefined,
  profile: undefined,
  set: undefined,
  limit: undefined,
  window: undefined,
  windowMs: undefined,
  frozenAt: undefined,
  latency: undefined,
  journalSize: undefined,
} satisfies Record<keyof ListenOptions, undefined>;

const { port, host, allowHosts, control, tlsCert, tlsKey, ordersFile, ...mockOptions } = listenOptions;

const keys = {
  business: undefined,
  businessSecond: undefined,
  otherAccount: undefined,
  private: undefined,
  companyOnly: undefined,
  revoked: undefined,
  inactive: undefined,
} satisfies Record<keyof Mock['keys'], undefined>;

const settings = Object.fromEntries(Object.keys(settingDefinitions).map((name) => [name, undefined])) as {
  [Name in keyof SettingInput]-?: undefined;
};

const filter = {
  after: undefined,
  status: undefined,
  violations: undefined,
  operation: undefined,
  page: undefined,
  id: undefined,
  method: undefined,
  key: undefined,
} satisfies Record<keyof JournalFilter, undefined>;

const waitOptions = { count: undefined, signal: undefined, timeoutMs: undefined } satisfies Record<
  keyof OptionsOf<Mock['journal']['waitFor'], 1>,
  undefined
>;

const { after: _, violations, status, ...selection } = filter;
const fault = {
  ...selection,
  status,
  times: undefined,
  skip: undefined,
  ms: undefined,
  response: undefined,
  retryAfter: undefined,
  headers: undefined,
} satisfies Record<keyof Omit<Exclude<Parameters<Mock['faults']['add']>[0], string>, 'kind'>, undefined>;

type Order = OptionsOf<Mock['state']['insertOrder'], 1>;
type Item = NonNullable<Order['items']>[number];
type Code = Exclude<NonNullable<Item['license_codes']>, number>[number];
const code = {
  id: undefined,
  license_key: undefined,
  code_typ: undefined,
  download_url_64: undefined,
  download_url_32: undefined,
  aktivierungen_bestellung: undefined,
} satisfies Record<keyof Code, undefined>;
const item = {
  id: undefined,
  product_name: undefined,
  menge: undefined,
  einzelpreis_brutto: undefined,
  license_codes: undefined,
  code_typ: undefined,
  aktivierungen_bestellung: undefined,
  downloads: undefined,
} satisfies Record<keyof Item, undefined>;
const order = {
  id: undefined,
  bestellnummer: undefined,
  status: undefined,
  zahlungsstatus: undefined,
  lieferstatus: undefined,
  gesamtpreis_brutto: undefined,
  waehrung: undefined,
  created_at: undefined,
  items: undefined,
  billing_address: undefined,
  delivered: undefined,
} satisfies Record<keyof Order, undefined>;

test('every option of a mock can be undefined, which means its default', async () => {
  const usual = createMock();
  for (const mock of [
    createMock(mockOptions),
    createMock({ keys, set: settings }),
    createMock({ limit: 60, set: settings }),
  ]) {
    expect([mock.keys, mock.settings(), mock.profile()]).toEqual([usual.keys, usual.settings(), usual.profile()]);
  }
  await using server = await listen(listenOptions);
  expect(server.keys).toEqual(usual.keys);
  expect(server.controlUrl).toBeDefined();
});

test('a setting of undefined does not change', () => {
  const mock = createMock({ set: { money: 'number' } });
  mock.set(settings);
  expect(mock.settings().money).toBe('number');
  mock.setProfile('adversarial', settings);
  expect(mock.settings()).toMatchObject({ money: 'number', ids: 'big' });
});

test('every field of a journal filter and of a wait can be undefined', async () => {
  const mock = createMock();
  await mock.fetch('/api/v1/me');
  expect([mock.journal.entries(filter).length, mock.journal.count(filter)]).toEqual([1, 1]);
  expect(mock.journal.violations(filter)).toEqual(mock.journal.violations());
  expect(await mock.journal.waitFor(filter, waitOptions)).toHaveLength(1);
  const late = mock.journal.waitFor({ ...filter, after: 1 }, { timeoutMs: 1 });
  await expect(late).rejects.toThrow(/^No request was recorded within/);
});

test('every field of a fault but its kind can be undefined', async () => {
  const mock = createMock();
  mock.faults.add({ kind: 503, ...fault });
  expect(mock.faults.list()).toEqual([{ kind: 'status', status: 503, applied: 0 }]);
  expect((await mock.fetch('/api/v1/me')).status).toBe(503);
});

test('every field of an order can be undefined, which means that it is generated', () => {
  const usual = createMock({ frozenAt: 0 }).state;
  const given = createMock({ frozenAt: 0 }).state;
  const item1 = { product_name: 'A', menge: 1, einzelpreis_brutto: '5.00' };
  const { id } = usual.insertOrder('business', { items: [{ ...item1, license_codes: [{}] }] });
  given.insertOrder('business', { ...order, items: [{ ...item, ...item1, license_codes: [code] }] });
  expect(given.order(id)).toEqual(usual.order(id));
  given.insertOrder('business', order);
  given.changeOrder(id, { ...order, deliver: undefined });
  expect(given.order(id)).toEqual(usual.order(id));
});

test('every optional field of a scenario step and of an account change can be undefined', () => {
  const mock = createMock();
  const { scenarios, state } = mock;
  const { id } = state.insertOrder('business');
  scenarios.script([
    { after: 1, repeat: undefined, do: 'insertOrder', account: 'business', order: undefined },
    { after: 1, do: 'deliverCodes', orderId: id, count: undefined },
    { after: 1, do: 'setBusiness', account: 'business', company: 'New', vat_id: undefined },
  ]);
  expect(scenarios.list()).toEqual([
    { after: 1, do: 'insertOrder', account: 'business' },
    { after: 1, do: 'deliverCodes', orderId: id },
    { after: 1, do: 'setBusiness', account: 'business', company: 'New' },
  ]);
  const before = { ...innerOf(mock).state.contents.account('business') };
  state.setBusiness('business', { company: undefined, vat_id: undefined });
  expect(innerOf(mock).state.contents.account('business')).toEqual(before);
});
