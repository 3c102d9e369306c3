import { expect, test } from 'vitest';
import { createInnerMock, type InnerMock } from '../mock.ts';
import { type Json, send, silenced } from '../test-client.fixture.ts';
import type { ScenarioStep } from './scenarios.ts';

const get = (mock: InnerMock, path: string, key?: string): { status: number; data: Json } => {
  const { status, body } = send(mock, path, key === undefined ? {} : { key });
  return { status, data: body.data };
};
const ids = (mock: InnerMock, path: string): number[] => get(mock, path).data.orders.map((order: Json) => order.id);
const codes = (mock: InnerMock, id: number): number =>
  get(mock, `/orders/${id}`).data.items.reduce((sum: number, item: Json) => sum + item.license_codes.length, 0);
const quiet = { limit: 'off', frozenAt: Date.UTC(2026, 7, 1) } as const;

test('a script runs each step after its request, and repeats the same changes after reset() [U-10]', () => {
  const mock = createInnerMock({ ...quiet, orders: 10 });
  const [first = 0, second = 0] = ids(mock, '/orders');
  const run = () => {
    mock.scenarios.script([
      { after: 1, do: 'insertOrder', account: 'business', order: { status: 'bezahlt' } },
      { after: 2, do: 'setStatus', orderId: second, status: 'storniert' },
    ]);
    return [ids(mock, '/orders'), ids(mock, '/orders'), ids(mock, '/orders?status=storniert')];
  };
  const [before, after = [], cancelled] = run();
  expect([before?.length, after.length, after.slice(1, 3)]).toEqual([10, 11, [first, second]]);
  expect(cancelled).toContain(second);
  expect(mock.scenarios.list()).toEqual([]);
  mock.reset();
  expect(run()).toEqual([before, after, cancelled]);
});

test('a script delivers codes one by one [U-13]', () => {
  const mock = createInnerMock(quiet);
  const { id } = mock.state.insertOrder('business', { status: 'bezahlt', delivered: 0, items: [{ menge: 3 }] });
  mock.scenarios.script([{ after: 1, repeat: true, do: 'deliverCodes', orderId: id, count: 1 }]);
  const delivery = () => get(mock, '/orders?per_page=1').data.orders[0].lieferstatus;
  expect(delivery()).toBe('offen');
  expect([codes(mock, id), codes(mock, id)]).toEqual([1, 2]);
  expect([codes(mock, id), codes(mock, id)]).toEqual([3, 3]);
  expect(delivery()).toBe('geliefert');
});

test('revoking a key or removing the company takes effect between two pages [S-64 U-48]', () => {
  const revoked = createInnerMock(quiet);
  revoked.scenarios.script([{ after: 2, do: 'revokeKey', key: 'business' }]);
  const walk = (mock: InnerMock) => [1, 2, 3, 4].map((page) => get(mock, `/orders?page=${page}`).status);
  expect(walk(revoked)).toEqual([200, 200, 401, 401]);
  expect(get(revoked, '/me', revoked.keys.businessSecond).status).toBe(200);
  const lost = createInnerMock(quiet);
  lost.scenarios.script([{ after: 3, do: 'setBusiness', account: 'business', company: '', vat_id: '' }]);
  expect(walk(lost)).toEqual([200, 200, 200, 403]);
  lost.reset();
  const { vat_id } = { ...lost.state.contents.account('business') };
  lost.scenarios.script([{ after: 1, do: 'setBusiness', account: 'business', company: 'Neu GmbH' }]);
  expect(walk(lost)).toEqual([200, 200, 200, 200]);
  expect(lost.state.contents.account('business')).toMatchObject({ company: 'Neu GmbH', vat_id });
});

const orderId = 10954;
test.each<[string, object]>([
  ['do must be one of insertOrder', { do: 'explode' }],
  ['do must be one of', { do: ['revokeKey'], key: 'business' }],
  ['after must be a whole number of at least 1', { do: 'revokeKey', key: 'business', after: 0 }],
  ['after must be a whole number of at least 1', { do: 'revokeKey', key: 'business', after: '1' }],
  ['repeat must be true or false', { do: 'revokeKey', key: 'business', repeat: 'no' }],
  ['has no "foo"; use one of do, after, repeat, key', { do: 'revokeKey', key: 'business', foo: 1 }],
  ['no "orderId"', { do: 'revokeKey', key: 'business', orderId }],
  ['key is missing', { do: 'revokeKey' }],
  ['no key named "x"', { do: 'revokeKey', key: 'x' }],
  ['account is missing', { do: 'insertOrder' }],
  ['account must be a string', { do: 'insertOrder', account: 5 }],
  ['no account "nobody"', { do: 'insertOrder', account: 'nobody' }],
  ["an order must be an object with the API's field names", { do: 'insertOrder', account: 'business', order: null }],
  ['created_at must be a date', { do: 'insertOrder', account: 'business', order: { created_at: 'x' } }],
  ['orderId is missing', { do: 'setStatus', status: 'bezahlt' }],
  ['the order ID must be a whole number', { do: 'setStatus', orderId: '10954', status: 'bezahlt' }],
  ['no order with the id 1', { do: 'setStatus', orderId: 1, status: 'bezahlt' }],
  ['status must be one of', { do: 'setStatus', orderId, status: ['bezahlt'] }],
  ['orderId is missing', { do: 'deliverCodes' }],
  ['count must be a whole number of at least 1', { do: 'deliverCodes', orderId, count: 0 }],
  ['count must be a whole number of at least 1', { do: 'deliverCodes', orderId, count: '2' }],
  ['account is missing', { do: 'setBusiness', company: '' }],
  ['company must be a string', { do: 'setBusiness', account: 'business', company: 5 }],
  ['vat_id must be a string', { do: 'setBusiness', account: 'business', vat_id: null }],
  ['setBusiness needs company, vat_id or both', { do: 'setBusiness', account: 'business' }],
])('rejects a script with an invalid step: %s %j [U-10]', (sentence, step) => {
  const { scenarios } = createInnerMock();
  const right: ScenarioStep = { after: 1, do: 'revokeKey', key: 'business' };
  expect(() => scenarios.script([right, { after: 1, ...step } as ScenarioStep])).toThrow(sentence);
  expect(scenarios.list()).toEqual([]);
});

test('pending steps are copies of what script() got, and list() returns copies [U-10]', () => {
  const { scenarios } = createInnerMock();
  const step: ScenarioStep = { after: 1, do: 'insertOrder', account: 'business', order: { status: 'bezahlt' } };
  const before = structuredClone(step);
  scenarios.script([step]);
  Object.assign(step.order as object, { status: 'weird' });
  for (const listed of scenarios.list()) Object.assign(listed, { after: -1, account: 'nobody' });
  expect(scenarios.list()).toEqual([before]);
});

test.each<[string, Omit<ScenarioStep, 'after'>, string]>([
  [
    'inserts the same order twice',
    { do: 'insertOrder', account: 'business', order: { id: 5 }, repeat: true } as never,
    'the id 5 belongs to another order',
  ],
  [
    'delivers codes of an order that never has any',
    { do: 'deliverCodes', orderId: createInnerMock(quiet).samples.noCodes.id } as never,
    'has no license codes to deliver',
  ],
])('a step that %s fails once, with a warning, and stays in the list with its error [U-10]', (_, step, sentence) => {
  const warn = silenced('warn');
  const mock = createInnerMock(quiet);
  mock.scenarios.script([{ after: 1, ...step } as ScenarioStep]);
  for (let n = 0; n < 4; n++) expect(get(mock, '/orders').status).toBe(200);
  expect(mock.scenarios.list()).toEqual([{ after: 1, ...step, error: expect.stringContaining(sentence) }]);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(`the scenario step ${step.do} failed: .*${sentence}`)]]);
});

test('only the steps whose order no longer exists fail [U-10]', () => {
  silenced('warn');
  const mock = createInnerMock(quiet);
  const { id } = mock.state.insertOrder('otherAccount', { status: 'bezahlt', delivered: 0, items: [{ menge: 9 }] });
  const added = { after: 2, do: 'insertOrder', account: 'business', repeat: true } as const;
  mock.scenarios.script([
    { after: 1, do: 'deliverCodes', orderId: id, count: 1, repeat: true },
    { after: 1, do: 'setStatus', orderId: id, status: 'storniert', repeat: true },
    added,
  ]);
  mock.state.removeOrder(id);
  expect(get(mock, '/orders').data.pagination.total).toBe(120);
  const error = `there is no order with the id ${id}`;
  expect(mock.scenarios.list()).toMatchObject([{ do: 'deliverCodes', error }, { do: 'setStatus', error }, added]);
  expect([1, 2, 3].map(() => get(mock, '/orders').data.pagination.total)).toEqual([120, 121, 121]);
});
