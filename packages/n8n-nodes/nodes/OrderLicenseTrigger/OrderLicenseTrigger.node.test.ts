import type { ChangeEvent } from '@order-license/core/portable';
import { listen } from '@order-license/mock-api';
import { plantedKey, plantedLicense } from '@order-license/testing/canary';
import { createExecution, type Execution, type ExecutionOptions } from '@order-license/testing/n8n-execution';
import {
  ExpressionError,
  type IDataObject,
  type INodeExecutionData,
  type IPollFunctions,
  UserError,
} from 'n8n-workflow';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { OrderLicenseApi } from '../../credentials/OrderLicenseApi.credentials';
import { thrownBy } from '../OrderLicense/run-node.fixture';
import { clientFor, readCredential } from '../shared/client';
import { readApi, serveEach, service } from '../shared/service.fixture';
import { OrderLicenseTrigger } from './OrderLicenseTrigger.node';
import { runPoll } from './run-poll';

const everything = { events: ['newOrder', 'statusChanged', 'paid', 'completed', 'licenseCodeAvailable'] };

const logged: string[] = [];
serveEach({ limit: 'off', orders: 20, keys: { business: plantedKey }, licenseKeyPrefix: plantedLicense });
beforeEach(() => {
  logged.length = 0;
});

const prepare = (parameters: IDataObject, options: Partial<ExecutionOptions> = {}) =>
  createExecution({
    node: new OrderLicenseTrigger(),
    credentialType: new OrderLicenseApi(),
    credential: { baseUrl: service.baseUrl, apiKey: plantedKey },
    parameters: { ...everything, ...parameters },
    ...options,
  });

/** Polls once in this execution. */
const pollIn = ({ context }: Pick<Execution, 'context'>) =>
  new OrderLicenseTrigger().poll.call(context as unknown as IPollFunctions);

const workflowIds = new WeakMap<IDataObject, string>();

/** Polls once with the workflow's `staticData`, which persists between polls. */
const pollWith = async (
  staticData: IDataObject,
  parameters: IDataObject = {},
  options: Partial<ExecutionOptions> = {},
): Promise<INodeExecutionData[] | undefined> => {
  const workflowId = workflowIds.get(staticData) ?? crypto.randomUUID();
  workflowIds.set(staticData, workflowId);
  const execution = prepare(parameters, { staticData, workflowId, ...options });
  const found = await pollIn(execution).finally(() => {
    logged.push(...execution.logs);
  });
  return found?.[0];
};

/** Polls for the first time. Returns the workflow's static data, which now has the baseline. */
const watch = async (parameters: IDataObject = {}): Promise<IDataObject> => {
  const staticData = {};
  expect(await pollWith(staticData, parameters)).toBeUndefined();
  return staticData;
};

/** Tests the trigger in the editor. */
const showExamples = (parameters: IDataObject) => pollWith({}, parameters, { mode: 'manual' });

const idsOf = (items: INodeExecutionData[] | undefined) => items?.map(({ json }) => json.eventId);

let aheadMs = 0;
/** Advances the monotonic clock, which the trigger uses to measure time. */
const passUptime = (ms: number): void => {
  aheadMs += ms;
  if (aheadMs > ms) return;
  const now = performance.now.bind(performance);
  const uptime = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  onTestFinished(() => {
    aheadMs = 0;
    uptime.mockRestore();
  });
};

/** Advances the date, but not the monotonic clock. */
const passDate = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
};

test("tells n8n's workflow builder to use the trigger instead of a schedule, and to drop repeated events", () => {
  const { searchHint, relatedNodes } = new OrderLicenseTrigger().description.builderHint ?? {};
  for (const word of ['instead of a schedule', 'Remove Duplicates on "eventId"']) expect(searchHint).toContain(word);
  expect(relatedNodes?.map(({ nodeType }) => nodeType)).toContain('n8n-nodes-base.removeDuplicates');
});

test('the trigger polls and registers no webhook [S-71]', () => {
  const { description } = new OrderLicenseTrigger();
  expect(description).toMatchObject({ polling: true, inputs: [], group: ['trigger'] });
  expect(description.webhooks).toBeUndefined();
});

test('the field for Start Now says how long a pause must be, and that any pause counts after renaming', () => {
  const texts = JSON.stringify(new OrderLicenseTrigger().description.properties);
  const [, startNow] = /"value":"startNow","description":"([^"]+)"/.exec(texts) ?? [];
  for (const part of ['for more than five minutes', 'rename the trigger', 'any pause counts'])
    expect(startNow).toContain(part);
});

test('records a baseline, then reports an order, its payment and its license codes', async () => {
  const state = await watch();
  const { id } = service.state.insertOrder('business', { status: 'ausstehend', items: [{ menge: 2 }] });
  expect(await pollWith(state)).toEqual([
    {
      json: expect.objectContaining({
        event: 'newOrder',
        eventId: `new-order:${id}`,
        orderId: id,
        statusInEnglish: 'pending',
      }),
    },
  ]);
  service.state.setStatus(id, 'bezahlt');
  const items = await pollWith(state);
  expect(items?.map(({ json }) => json.event)).toEqual([
    'statusChanged',
    'paid',
    'licenseCodeAvailable',
    'licenseCodeAvailable',
  ]);
  expect(items?.[0]?.json).toMatchObject({ previousStatus: 'ausstehend', status: 'bezahlt' });
  expect(items?.[2]?.json).toMatchObject({
    orderId: id,
    licenseKey: expect.stringContaining(plantedLicense),
    createdAt: expect.any(String),
    paymentStatus: expect.any(String),
    deliveryStatus: expect.any(String),
  });
  expect(new Set(idsOf(items)).size).toBe(4);
  expect(await pollWith(state)).toBeUndefined();
  expect(service.journal.violations()).toEqual([]);
});

test('reports paid orders by their status, whatever the payment status [U-21]', async () => {
  service.set({ zahlungsstatus: ['offen', 'offen', 'offen'] });
  const state = await watch({ events: ['paid'] });
  const { id } = service.state.insertOrder('business', { status: 'ausstehend' });
  expect(await pollWith(state, { events: ['paid'] })).toBeUndefined();
  service.state.setStatus(id, 'bezahlt');
  expect(idsOf(await pollWith(state, { events: ['paid'] }))).toEqual([`paid:${id}`]);
});

test('raw output is unchanged, and only license code items contain license keys', async () => {
  const parameters = { events: ['newOrder', 'licenseCodeAvailable'], simplify: false };
  const state = await watch(parameters);
  const { id } = service.state.insertOrder('business', { items: [{ menge: 1 }] });
  const items = (await pollWith(state, parameters)) ?? [];
  expect(items.map(({ json }) => Object.keys(json))).toEqual([
    ['eventId', 'event', 'order'],
    ['eventId', 'event', 'order', 'item', 'license_code'],
  ]);
  expect(items[0]?.json.order).toMatchObject({ id, bestellnummer: expect.any(String), created_at: expect.any(String) });
  expect(JSON.stringify(items[0])).not.toContain(plantedLicense);
  expect(JSON.stringify(items[1])).toContain(plantedLicense);
});

test('with details, outputs the full order and its list fields', async () => {
  const parameters = { events: ['newOrder'], includeDetails: true };
  const state = await watch(parameters);
  service.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const [item] = (await pollWith(state, parameters)) ?? [];
  expect(item?.json).toMatchObject({ createdAt: expect.any(String), paymentStatus: expect.any(String) });
  expect(item?.json.lineItems).toHaveLength(1);
});

test('testing the trigger shows an example of each event and saves nothing', async () => {
  const state = {};
  const items = await pollWith(state, {}, { mode: 'manual' });
  expect(items?.map(({ json }) => json.event)).toEqual([
    'newOrder',
    'statusChanged',
    'paid',
    'completed',
    'licenseCodeAvailable',
  ]);
  expect(items?.[1]?.json.previousStatus).not.toBe(items?.[1]?.json.status);
  expect(state).toEqual({});
  expect(service.journal.total()).toBeLessThan(15);
});

test('the events of each test have an eventId of their own, so that Remove Duplicates drops no event because of a test', async () => {
  const { id } = service.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const parameters = { events: ['newOrder', 'licenseCodeAvailable'] };
  const [first = [], second = []] = [idsOf(await showExamples(parameters)), idsOf(await showExamples(parameters))];
  const shown = (kind: string) => expect.stringMatching(new RegExp(`^test:[\\w-]+:${kind}:${id}`));
  expect(first).toEqual([shown('new-order'), shown('license-code')]);
  expect(second).toEqual([shown('new-order'), shown('license-code')]);
  expect(new Set([...first, ...second]).size).toBe(4);
});

test('testing the trigger finds an example by status among the newest 50 orders, with one request', async () => {
  const { id } = service.state.insertOrder('business', { status: 'storniert' });
  for (let n = 0; n < 49; n++) service.state.insertOrder('business', { status: 'ausstehend' });
  service.journal.clear();
  const items = await showExamples({ events: ['statusChanged'], statuses: ['storniert'] });
  expect(items?.map(({ json }) => json.orderId)).toEqual([id]);
  expect(service.journal.total()).toBe(1);
});

const forCodes = { events: ['licenseCodeAvailable'] };
const withDetails = { events: ['paid'], includeDetails: true };

test.each<[string, IDataObject, '404' | '500' | undefined, object]>([
  ['cannot be read (404)', forCodes, '404', {}],
  ['cannot be read (500)', forCodes, '500', {}],
  ['cannot be read (404)', withDetails, '404', {}],
  ['cannot be read (500)', withDetails, '500', {}],
  ['has no license codes yet', forCodes, undefined, { delivered: 0 }],
])('testing the trigger skips an order that %s: %j', async (_, parameters, fault, fields) => {
  const paid = { status: 'bezahlt' } as const;
  const older = service.state.insertOrder('business', paid);
  const newest = service.state.insertOrder('business', { ...paid, ...fields });
  if (fault) service.faults.add({ kind: fault, id: newest.id, times: 'always' });
  expect((await showExamples(parameters))?.map(({ json }) => json.orderId)).toEqual([older.id]);
});

test('testing the trigger shows the examples that it finds, even if no order can be read', async () => {
  service.faults.add({ kind: 'status', status: 404, operation: 'order', times: 'always' });
  const items = await showExamples({ events: ['newOrder', 'licenseCodeAvailable'] });
  expect(items?.map(({ json }) => json.event)).toEqual(['newOrder']);
});

test.each([
  [401, 2, 'create a new one in the customer account'],
  [404, 6, 'The order may have been removed, or may be too new to be read.'],
])(
  'testing the trigger fails if reading every order fails with %d, after %d requests',
  async (status, requests, advice) => {
    service.faults.add({ kind: 'status', status, operation: 'order', times: 'always' });
    const error = await thrownBy(showExamples({ events: ['licenseCodeAvailable'] }));
    expect(error).toMatchObject({ httpCode: String(status), description: expect.stringContaining(advice) });
    expect(error.description).not.toContain("'Order'");
    expect(service.journal.total()).toBe(requests);
  },
);

test('an example of a license code has the same fields as the real event', async () => {
  const parameters = { events: ['licenseCodeAvailable'], simplify: false };
  const state = await watch(parameters);
  service.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
  const [real] = (await pollWith(state, parameters)) ?? [];
  const [example] = (await showExamples(parameters)) ?? [];
  expect(example?.json).toEqual({ ...real?.json, eventId: expect.stringContaining('test:') });
});

test('testing the trigger reports the error that used up its time, not those that follow from it', async () => {
  service.faults.add({ kind: 'status', status: 500, operation: 'order', times: 'always' });
  passUptime(1);
  service.journal.subscribe(({ number }) => {
    if (number === 2) passUptime(31_000);
  });
  const error = await thrownBy(showExamples({ events: ['licenseCodeAvailable'] }));
  expect(error).toMatchObject({ httpCode: '500' });
});

test('testing the trigger looks for license codes only among the newest 50 orders', async () => {
  for (let n = 0; n < 500; n++) {
    const created_at = new Date(Date.UTC(2031, 0, 1, 0, n)).toISOString();
    service.state.insertOrder('business', { status: 'ausstehend', created_at });
  }
  service.journal.clear();
  const error = await thrownBy(showExamples({ events: ['licenseCodeAvailable'] }));
  expect(error.message).toBe('No example was found among the newest 50 orders');
  expect(service.journal.total()).toBeLessThanOrEqual(4);
});

test('the same user ID in a different shop is a different account', async () => {
  const state = await watch();
  const production = await listen({ limit: 'off', seed: 2, orders: 60, keys: { business: plantedKey } });
  try {
    const other = { credential: { baseUrl: production.baseUrl, apiKey: plantedKey } };
    expect(await pollWith(state, {}, other)).toBeUndefined();
  } finally {
    await production.close();
  }
});

test.each([[], ['me.user_id'], ['me.user_id', 'me.email']])(
  "after a change to another account's key, starts with a new baseline instead of reporting all orders, even if responses lack its ID [S-07 U-59]",
  async (...missing) => {
    service.set({ missing });
    const state = await watch();
    const insert = (account: 'business' | 'otherAccount') =>
      service.state.insertOrder(account, { status: 'ausstehend', items: [] }).id;
    const id = insert('business');
    expect(idsOf(await pollWith({ ...state }))).toEqual([`new-order:${id}`]);
    const other = { credential: { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount } };
    insert('otherAccount');
    const saved = { ...state };
    expect(await pollWith(state, {}, other)).toBeUndefined();
    expect(JSON.stringify(state)).not.toContain(service.keys.otherAccount);
    const added = insert('otherAccount');
    expect(idsOf(await pollWith(state, {}, other))).toEqual([`new-order:${added}`]);
    // n8n can restore a state that it saved before the credential changed.
    expect(await pollWith(saved, {}, other)).toBeUndefined();
  },
);

test.each([500, 2_000, 3_500])('polls even if n8n allows only %d ms', async (pollBudgetMs) => {
  const state = {};
  const parameters = { events: ['newOrder'] };
  await pollWith(state, parameters, { pollBudgetMs });
  const { id } = service.state.insertOrder('business', { items: [] });
  expect(idsOf(await pollWith(state, parameters, { pollBudgetMs }))).toEqual([`new-order:${id}`]);
});

test.each([
  ['catchUp', 'activate', 1],
  ['startNow', 'init', 1],
  ['startNow', 'update', 1], // a restart of n8n with the durable scheduler
  ['startNow', 'activate', 0],
] as const)(
  'with `afterPause: %s` and `activation: %s`, the number of orders reported after a pause is %d',
  async (afterPause, activation, count) => {
    const parameters = { events: ['newOrder'], options: { afterPause } };
    const state = await watch(parameters);
    service.state.insertOrder('business', { items: [] });
    const saved = { ...state };
    const items = await pollWith(saved, parameters, { workflowId: `${afterPause} ${activation}`, activation });
    expect(items?.length ?? 0).toBe(count);
    service.state.insertOrder('business', { items: [] });
    const later = { workflowId: `${afterPause} ${activation}`, activation };
    expect(await pollWith(saved, parameters, later)).toHaveLength(1);
  },
);

const startNow = { events: ['newOrder'], options: { afterPause: 'startNow' } };

test('Start Now skips nothing between two polls that are an hour apart', async () => {
  const execution = prepare(startNow, { activation: 'activate', workflowId: 'hourly' });
  await pollIn(execution);
  const { id } = service.state.insertOrder('business', { items: [] });
  passUptime(3_600_000);
  expect(idsOf((await pollIn(execution))?.[0])).toEqual([`new-order:${id}`]);
});

test('Start Now skips the pause even if the first attempt to publish fails', async () => {
  const state = await watch(startNow);
  service.state.insertOrder('business', { items: [] });
  const published = { activation: 'activate', workflowId: 'published again' } as const;
  service.faults.add({ kind: 'status', status: 503, times: 'always' });
  await thrownBy(pollWith({ ...state }, startNow, published));
  service.faults.clear();
  expect(await pollWith({ ...state }, startNow, published)).toBeUndefined();
});

test.each<[string, (execution: Execution) => void]>([
  ['API', () => service.faults.add({ kind: 'status', status: 401, times: 'always' })],
  ['credential', ({ context }) => Object.assign(context, { getCredentials: async () => ({ apiKey: '' }) })],
])('Start Now skips nothing that happened while polls failed because of the %s', async (cause, breakPolls) => {
  const publish = { activation: 'activate', workflowId: `failing ${cause}`, staticData: {} } as const;
  const execution = prepare(startNow, publish);
  await pollIn(execution);
  const { id } = service.state.insertOrder('business', { items: [] });
  breakPolls(execution);
  for (let minute = 0; minute < 10; minute++) {
    passUptime(60_000);
    await thrownBy(pollIn(execution));
  }
  service.faults.clear();
  expect(idsOf((await pollIn(prepare(startNow, publish)))?.[0])).toEqual([`new-order:${id}`]);
});

test('Start Now skips nothing after the workflow is published again during a poll', async () => {
  const publish = { activation: 'activate', workflowId: 'during a poll', staticData: {} } as const;
  const [first, second] = [prepare(startNow, publish), prepare(startNow, publish)];
  await Promise.all([pollIn(first), pollIn(second)]);
  const { id } = service.state.insertOrder('business', { items: [] });
  passUptime(3_600_000);
  expect(idsOf((await pollIn(second))?.[0])).toEqual([`new-order:${id}`]);
});

test('Catch Up reports what happened before a failed attempt to publish with Start Now', async () => {
  const staticData = {};
  const poll = (afterPause: string) =>
    pollIn(prepare({ options: { afterPause } }, { activation: 'activate', workflowId: 'both options', staticData }));
  await poll('catchUp');
  const { id } = service.state.insertOrder('business', { items: [] });
  passUptime(3_600_000);
  service.faults.add({ kind: '403', operation: 'list', skip: 1, times: 1 });
  await thrownBy(poll('startNow'));
  expect(idsOf((await poll('catchUp'))?.[0])).toContain(`new-order:${id}`);
});

test('a poll that starts while another is running does nothing', async () => {
  const state = await watch();
  service.state.insertOrder('business', { items: [] });
  const both = await Promise.all([pollWith(state), pollWith(state)]);
  expect(both.filter((items) => items)).toHaveLength(1);
});

test.each([
  [400, 'temporarily-unavailable'],
  [401, 'credential-invalid'],
  [403, 'configuration-invalid'],
])('if the first poll fails with %d, n8n learns the cause %s [S-68]', async (status, cause) => {
  service.faults.add({ kind: 'status', status, times: 'always' });
  const error = { name: 'NodeApiError', httpCode: String(status), failure: { cause } };
  expect(await thrownBy(pollWith({}))).toMatchObject(error);
});

test.each([
  ['configuration-invalid', 'getCredentials', new UserError('cannot be decrypted')],
  ['configuration-invalid', 'getNodeParameter', new ExpressionError('cannot be evaluated')],
  ['node-defect', 'getActivationMode', new TypeError('a bug')],
])('n8n learns the cause %s if %s fails', async (cause, name, error) => {
  const { context } = prepare({}, { staticData: {}, workflowId: `failing ${name}` });
  const fail = () => {
    throw error;
  };
  expect(await thrownBy(pollIn({ context: Object.assign(context, { [name]: fail }) }))).toMatchObject({
    failure: { cause },
  });
});

test('polls that can read nothing log a warning, and fail with a temporary cause after ten minutes [S-84]', async () => {
  const state = await watch();
  service.faults.add({ kind: 'status', status: 503, times: 'always' });
  expect(await pollWith(state)).toBeUndefined();
  expect(logged.join()).toContain('The poll ended early');
  passDate(601_000);
  expect(await thrownBy(pollWith(state))).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
});

test('a poll that fails after ten minutes saves its progress, and names the page that cannot be read', async () => {
  const state = await watch();
  const breakStatusLists = () => {
    service.faults.clear();
    service.faults.add({ kind: '500', operation: 'list', skip: 1, times: 'always' });
  };
  breakStatusLists();
  expect(await pollWith(state)).toBeUndefined();
  breakStatusLists();
  const unsaved = { ...state, state: undefined };
  workflowIds.set(unsaved, workflowIds.get(state) as string);
  passDate(601_000);
  expect(await thrownBy(pollWith(unsaved))).toMatchObject({
    httpCode: '500',
    description: expect.stringContaining('Page 1 of the orders with status bezahlt could not be read'),
  });
  expect(unsaved.state).toContain('"failed":1');
});

test('the ten minutes of failing polls do not include the time while n8n is stopped', async () => {
  const state = await watch();
  const { id } = service.state.insertOrder('business', { items: [] });
  service.faults.add({ kind: '500', operation: 'list', skip: 1, times: 'always' });
  expect(idsOf(await pollWith(state))).toContain(`new-order:${id}`);
  service.faults.clear();
  service.faults.add({ kind: '500', operation: 'list', times: 1 });
  passDate(86_400_000);
  // Another workflow ID has no state in memory, as after a restart.
  expect(await pollWith({ ...state })).toBeUndefined();
});

test('the first poll fails if nothing can be read', async () => {
  service.set({ limit: 1 });
  await readApi('/me');
  expect(await thrownBy(pollWith({}))).toMatchObject({
    failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) },
  });
});

test('an event that cannot be converted to an item is reported by the next poll', async () => {
  const execution = prepare({}, { workflowId: 'unconverted', staticData: {} });
  const { context } = execution;
  const client = clientFor(context as never, await readCredential(context as never));
  const subscription = { events: ['newOrder'] as const, includeDetails: [], startsNow: false };
  const poll = (convert: (events: readonly ChangeEvent[]) => unknown[]) =>
    runPoll(context as unknown as IPollFunctions, async () => ({ client, subscription }), convert);
  const toIds = (events: readonly ChangeEvent[]) => events.map(({ eventId }) => eventId);
  expect(await poll(toIds)).toEqual([]);
  const { id } = service.state.insertOrder('business', { items: [] });
  const broken = () => {
    throw new Error('cannot be converted');
  };
  await thrownBy(poll(broken));
  expect(await poll(toIds)).toEqual([`new-order:${id}`]);
});

test('two triggers of one workflow that have the same node ID both report', async () => {
  const [first, second] = ['Trigger', 'Trigger1'].map((name) => {
    const prepared = prepare({ events: ['newOrder'] }, { workflowId: 'copied', staticData: {} });
    Object.assign(prepared.context.getNode(), { name });
    return prepared;
  }) as [Execution, Execution];
  await Promise.all([pollIn(first), pollIn(second)]);
  const { id } = service.state.insertOrder('business', { items: [] });
  const found = await Promise.all([pollIn(first), pollIn(second)]);
  expect(found.map((items) => idsOf(items?.[0]))).toEqual([[`new-order:${id}`], [`new-order:${id}`]]);
});

test.each([
  ['init', true],
  ['update', true],
  ['activate', false],
] as const)(
  'logs that the state is lost, except when a person publishes the workflow [%s]',
  async (activation, isSaid) => {
    await pollWith({}, { events: ['newOrder'] }, { activation, workflowId: `lost ${activation}` });
    expect(logged.some((line) => line.includes('n8n has no state of this trigger'))).toBe(isSaid);
  },
);

test('discards a state from a different version with a warning', async () => {
  const states = [{ state: 'no JSON' }, { state: '{"version":99}' }, { state: 7 }];
  for (const state of states as IDataObject[]) {
    expect(await pollWith(state, { events: ['newOrder'] })).toBeUndefined();
    expect(JSON.parse(state.state as string)).toMatchObject({ version: 4 });
  }
  expect(logged.filter((line) => line.includes('not from this version'))).toHaveLength(3);
});

test.each([
  ['events', [], "'Events' is empty"],
  ['events', null, "'Events' is empty"],
  ['events', 'newOrders', "'Events' has an unknown value"],
  ['statuses', ['paid'], "'Status' has an unknown value"],
  ['statuses', 7, "'Status' has an unknown value"],
  ['includeDetails', 'no', "'Include Details' is neither true nor false"],
  ['simplify', 'yes', "'Simplify' is neither true nor false"],
  ['options', { watch: 'closed' }, "'Watch' has an unknown value"],
  ['options', { watch: 7 }, "'Watch' has an unknown value"],
  ['options', { watch: '' }, "'Watch' is empty"],
])('rejects %s %j, which only an expression can return, before any request', async (name, value, message) => {
  for (const mode of ['trigger', 'manual'] as const) {
    const state = {};
    const error = await thrownBy(pollWith(state, { [name]: value } as IDataObject, { mode }));
    expect(error).toMatchObject({ message, failure: { cause: 'configuration-invalid' } });
    expect(state).toEqual({});
  }
  expect(service.journal.total()).toBe(0);
});

test.each([
  [['completed'], ['ausstehend', 'bezahlt']],
  [
    ['paid', 'licenseCodeAvailable'],
    ['ausstehend', 'storniert'],
  ],
])(
  'rejects the events %j with the statuses %j, with which they can never start the workflow',
  async (events, statuses) => {
    const error = await thrownBy(pollWith({}, { events, statuses }));
    expect(error.message).toBe("The 'Events' cannot occur with the 'Status'");
    expect(await pollWith({}, { events: [...events, 'newOrder'], statuses })).toBeUndefined();
  },
);
