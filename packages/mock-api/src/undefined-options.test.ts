import { expect, test } from 'vitest';
import type { FaultInput, JournalFilter, ListenOptions, Mock, MockOptions, SettingInput } from './index.ts';
import { createMock, listen } from './index.ts';
import { innerOf } from './mock.ts';
import { optionReaders } from './mock-options.ts';
import { fixtureKeys } from './orders/accounts.ts';
import { codeFields, itemFields, orderFields } from './orders/order-fields.ts';
import { listenReaders } from './server/listen-options.ts';
import { settingDefinitions } from './settings/settings.ts';

type OptionsOf<Call extends (...args: never[]) => unknown, At extends number> = NonNullable<Parameters<Call>[At]>;

/**
 * Returns an object whose fields are all undefined. This file compiles only if every field of the type may be.
 * @param names the names of the fields
 */
const undefinedFor = <Type extends object>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, undefined])) as { [Name in keyof Type]-?: undefined };

const mockOptions = undefinedFor<MockOptions>(Object.keys(optionReaders));
const keys = undefinedFor<Mock['keys']>(Object.keys(fixtureKeys));
const settings = undefinedFor<SettingInput>(Object.keys(settingDefinitions));

const selection = ['operation', 'page', 'id', 'method', 'key', 'status'];
const filter = undefinedFor<JournalFilter>([...selection, 'after', 'violations']);
const waitOptions = undefinedFor<OptionsOf<Mock['journal']['waitFor'], 1>>(['count', 'signal', 'timeoutMs']);
const fault = undefinedFor<Omit<Exclude<FaultInput, string>, 'kind'>>([
  ...[...selection, 'times', 'skip', 'ms', 'response', 'retryAfter', 'headers'],
]);

type Order = OptionsOf<Mock['state']['insertOrder'], 1>;
type Item = NonNullable<Order['items']>[number];
type Code = Exclude<NonNullable<Item['license_codes']>, number>[number];
const order = undefinedFor<Order>(Object.keys(orderFields));
const item = undefinedFor<Item>(Object.keys(itemFields));
const code = undefinedFor<Code>(Object.keys(codeFields));

test('every option of a mock can be undefined, which means its default', async () => {
  const usual = createMock();
  const set = settings;
  for (const mock of [createMock(mockOptions), createMock({ keys, set }), createMock({ limit: 60, set })])
    expect([mock.keys, mock.settings(), mock.profile()]).toEqual([usual.keys, usual.settings(), usual.profile()]);
  await using server = await listen(undefinedFor<ListenOptions>(Object.keys(listenReaders)));
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
