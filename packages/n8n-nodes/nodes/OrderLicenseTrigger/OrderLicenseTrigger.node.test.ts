import { listen, type MockServer } from '@order-license/mock-api';
import { plantedKey, plantedLicense } from '@order-license/testing/canary';
import { createExecution, type ExecutionOptions } from '@order-license/testing/n8n-execution';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrderLicenseApi } from '../../credentials/OrderLicenseApi.credentials';
import { thrownBy } from '../OrderLicense/run-node.fixture';
import { OrderLicenseTrigger } from './OrderLicenseTrigger.node';

const everything = { events: ['newOrder', 'statusChanged', 'licenseCodesAvailable'] };

let service: MockServer;
beforeEach(async () => {
  service = await listen({
    limit: 'off',
    orders: 20,
    keys: { business: plantedKey },
    licenseKeyPrefix: plantedLicense,
  });
});
afterEach(() => service.close());

const prepare = (parameters: IDataObject, options: Partial<ExecutionOptions> = {}) =>
  createExecution({
    node: new OrderLicenseTrigger(),
    credentialType: new OrderLicenseApi(),
    credential: { baseUrl: service.baseUrl, apiKey: plantedKey },
    parameters: { ...everything, ...parameters },
    ...options,
  });

/** One poll; what is in `staticData` is kept from one to the next. */
const pollWith = async (
  staticData: IDataObject,
  parameters: IDataObject = {},
  options: Partial<ExecutionOptions> = {},
): Promise<INodeExecutionData[] | undefined> => {
  const { context } = prepare(parameters, { staticData, ...options });
  const found = await new OrderLicenseTrigger().poll.call(context as unknown as IPollFunctions);
  return found?.[0];
};

test('S-71 the trigger polls and waits for no webhook', () => {
  const { description } = new OrderLicenseTrigger();
  expect(description).toMatchObject({ polling: true, inputs: [], group: ['trigger'] });
  expect(description.webhooks).toBeUndefined();
});

test('the first poll tells nothing; then new orders, changes and codes are told, each with an eventId', async () => {
  const state = {};
  expect(await pollWith(state)).toBeUndefined();
  const { id } = service.state.insertOrder('business', { status: 'ausstehend', items: [{ quantity: 2 }] });
  expect(await pollWith(state)).toEqual([
    {
      json: expect.objectContaining({ event: 'newOrder', eventId: `new-order:${id}`, id, statusInEnglish: 'pending' }),
    },
  ]);
  service.state.setStatus(id, 'bezahlt');
  const items = await pollWith(state);
  expect(items?.map(({ json }) => json.event)).toEqual([
    'statusChanged',
    'licenseCodesAvailable',
    'licenseCodesAvailable',
  ]);
  expect(items?.[0]?.json).toMatchObject({ previousStatus: 'ausstehend', status: 'bezahlt' });
  expect(items?.[1]?.json).toMatchObject({ orderId: id, licenseKey: expect.stringContaining(plantedLicense) });
  expect(new Set(items?.map(({ json }) => json.eventId)).size).toBe(3);
  expect(await pollWith(state)).toBeUndefined();
  expect(service.journal.violations()).toEqual([]);
});

test('raw output is what the service sent; only license code items hold license keys', async () => {
  const state = {};
  await pollWith(state);
  const { id } = service.state.insertOrder('business', { items: [{ quantity: 1 }] });
  const items = (await pollWith(state, { simplify: false })) ?? [];
  expect(items.map(({ json }) => Object.keys(json))).toEqual([
    ['eventId', 'event', 'order'],
    ['eventId', 'event', 'order', 'item', 'license_code'],
  ]);
  expect(items[0]?.json.order).toMatchObject({ id, bestellnummer: expect.any(String), created_at: expect.any(String) });
  expect(JSON.stringify(items[0])).not.toContain(plantedLicense);
  expect(JSON.stringify(items[1])).toContain(plantedLicense);
});

test('neither API key nor license keys are in the state or the log', async () => {
  const state = {};
  await pollWith(state);
  service.state.insertOrder('business', { items: [{ quantity: 3 }] });
  const execution = prepare({}, { staticData: state });
  await new OrderLicenseTrigger().poll.call(execution.context as unknown as IPollFunctions);
  expect(JSON.stringify(state)).toContain('"k');
  expect(JSON.stringify([state, execution.logs])).not.toContain('CANARY');
});

test('testing the trigger shows a sample of each event and remembers nothing', async () => {
  const state = {};
  const items = await pollWith(state, {}, { mode: 'manual' });
  expect(items?.map(({ json }) => json.event)).toEqual(['newOrder', 'statusChanged', 'licenseCodesAvailable']);
  expect(state).toEqual({});
  expect(service.journal.total()).toBeLessThan(5);
  await service.close();
  service = await listen({ orders: 0, keys: { business: plantedKey } });
  expect(await pollWith(state, {}, { mode: 'manual' })).toBeUndefined();
});

test('a key of another account starts anew instead of telling all of its orders', async () => {
  const state = {};
  await pollWith(state);
  const other = { credential: { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount } };
  expect(await pollWith(state, {}, other)).toBeUndefined();
  const { id } = service.state.insertOrder('otherAccount', { items: [] });
  const items = await pollWith(state, {}, other);
  expect(items?.map(({ json }) => json.id)).toEqual([id]);
});

test('a new key of the same account goes on without a gap', async () => {
  const state = {};
  await pollWith(state);
  const { id } = service.state.insertOrder('business', { items: [] });
  const second = { credential: { baseUrl: service.baseUrl, apiKey: service.keys.businessSecond } };
  expect((await pollWith(state, {}, second))?.map(({ json }) => json.id)).toEqual([id]);
});

test('polling takes at most half of the requests per minute, all triggers of a key together', async () => {
  await service.close();
  service = await listen({ limit: 'off', orders: 2_000, keys: { business: plantedKey } });
  const credential = { baseUrl: service.baseUrl, apiKey: plantedKey, requestsPerMinute: 10 };
  await pollWith({}, {}, { credential });
  await pollWith({}, {}, { credential });
  expect(service.journal.total()).toBe(5);
});

test('a poll that starts while another is under way leaves everything to that one', async () => {
  const state = {};
  await pollWith(state);
  service.state.insertOrder('business', { items: [] });
  const both = await Promise.all([pollWith(state), pollWith(state)]);
  expect(both.map((items) => items?.length)).toEqual([1, undefined]);
});

test('a poll ends in time, and the next one goes on', async () => {
  const state = {};
  expect(await pollWith(state, {}, { pollBudgetMs: 1_000 })).toBeUndefined();
  expect(service.journal.total()).toBe(0);
  await pollWith(state, {}, { pollBudgetMs: 36_000 });
  expect(service.journal.total()).toBeGreaterThan(1);
});

test('S-68 a refused key fails the poll with a cause that n8n understands', async () => {
  service.state.revokeKey('business');
  expect(await thrownBy(pollWith({}))).toMatchObject({
    name: 'NodeApiError',
    httpCode: '401',
    failure: { cause: 'credential-invalid' },
  });
});

test('S-84 429 fails the poll at once, with the time after which to come back', async () => {
  service.set({ limit: 1 });
  const headers = { authorization: `Bearer ${plantedKey}`, accept: 'application/json' };
  await fetch(`${service.baseUrl}/me`, { headers });
  const error = await thrownBy(pollWith({}));
  expect(error).toMatchObject({ httpCode: '429', failure: { cause: 'rate-limited' } });
  expect((error.failure as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(55_000);
  const sent = service.journal.total();
  expect(await pollWith({})).toBeUndefined();
  expect(service.journal.total()).toBe(sent);
});

test('a state that is not ours is left behind', async () => {
  for (const watch of ['no JSON', '{"version":99}', 7]) {
    const state = { watch };
    expect(await pollWith(state)).toBeUndefined();
    expect(JSON.parse(state.watch as string)).toMatchObject({ version: 1, sweep: expect.any(Number) });
  }
});

test('S-07 another account in the credential starts anew, also from a state that was saved before it was changed', async () => {
  const state: IDataObject = {};
  await pollWith(state);
  const other = { credential: { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount } };
  expect(await pollWith({ ...state }, {}, other)).toBeUndefined();
  service.state.insertOrder('otherAccount');
  expect(await pollWith({ ...state }, {}, other)).toBeUndefined();
});

test('the same user of another service is another account', async () => {
  const state: IDataObject = {};
  await pollWith(state);
  const production = await listen({ limit: 'off', seed: 2, orders: 60, keys: { business: plantedKey } });
  try {
    const other = { credential: { baseUrl: production.baseUrl, apiKey: plantedKey } };
    expect(await pollWith(state, {}, other)).toBeUndefined();
  } finally {
    await production.close();
  }
});

test.each([['me.user_id'], ['me.user_id', 'me.email']])(
  'U-59 accounts are told apart without %s',
  async (...missing) => {
    service.set({ missing });
    const state: IDataObject = {};
    await pollWith(state);
    const { id } = service.state.insertOrder('business', { items: [] });
    expect((await pollWith({ ...state }))?.map(({ json }) => json.id)).toEqual([id]);
    const other = { credential: { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount } };
    service.state.insertOrder('otherAccount');
    expect(await pollWith(state, {}, other)).toBeUndefined();
    expect(JSON.stringify(state)).not.toContain(service.keys.otherAccount);
  },
);

test('a state of an earlier version, with the bare user_id, goes on', async () => {
  const state: IDataObject = {};
  await pollWith(state);
  state.watch = JSON.stringify({ ...JSON.parse(state.watch as string), account: '4711' });
  const { id } = service.state.insertOrder('business', { items: [] });
  expect((await pollWith(state))?.map(({ json }) => json.id)).toEqual([id]);
});

test.each([0, -1, 1.5, 3651, null, '', 'abc', Number.NaN])(
  'Watch Days %j is refused with the range, before any request',
  async (watchDays) => {
    const state = {};
    expect(await thrownBy(pollWith(state, { options: { watchDays } }))).toMatchObject({
      name: 'NodeOperationError',
      message: "'Watch Days' is not a whole number from 1 to 3650",
      description: expect.stringContaining('Options'),
      failure: { cause: 'configuration-invalid' },
    });
    expect(service.journal.total()).toBe(0);
    expect(state).toEqual({});
  },
);

test('Watch Days may be text, as an expression can give it', async () => {
  expect(await pollWith({}, { options: { watchDays: '30' } })).toBeUndefined();
});

test('testing the trigger while the service refuses further requests fails at once', async () => {
  service.set({ limit: 1 });
  const headers = { authorization: `Bearer ${plantedKey}`, accept: 'application/json' };
  await fetch(`${service.baseUrl}/me`, { headers });
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await thrownBy(pollWith({}, {}, { mode: 'manual' }))).toMatchObject({ failure: { cause: 'rate-limited' } });
  }
});
