import { everythingOf, plantedKey } from '@order-license/testing/canary';
import { changeBodies } from '@order-license/testing/n8n-execution';
import { expect, test } from 'vitest';
import { serveEach, service } from '../shared/service.fixture';
import { OrderLicense } from './OrderLicense.node';
import { orderBy, prepare, run, thrownBy } from './run-node.fixture';

serveEach({ limit: 'off' });

const { description } = new OrderLicense();
const operations = description.properties
  .filter(({ name }) => name === 'operation')
  .flatMap(({ options = [] }) => options as { name: string; value: string }[]);

test('the node has exactly three operations, and registers no webhook [S-01 S-71]', () => {
  expect(operations.map(({ name }) => name)).toEqual(['Get Me', 'Get Order', 'List Orders']);
  expect(description.webhooks).toBeUndefined();
  expect(description.group).toEqual(['input']);
});

test('the hint for Limit says that Limit counts orders', () => {
  const limits = description.properties.filter(({ name }) => name === 'limit');
  expect(limits).toHaveLength(2);
  for (const { hint } of limits) expect(hint).toContain('number of orders');
});

test("tells n8n's workflow builder to use totals and the trigger, and to leave Retry On Fail off", () => {
  const { searchHint, relatedNodes } = description.builderHint ?? {};
  for (const word of ['"totals"', 'Order License Trigger instead of a schedule', 'Leave Retry On Fail off']) {
    expect(searchHint).toContain(word);
  }
  expect(relatedNodes?.map(({ nodeType }) => nodeType)).toEqual(['n8n-nodes-order-license.orderLicenseTrigger']);
});

test('the status filter shows English names and sends German values [S-35 S-33]', async () => {
  const filters = description.properties.find(({ name }) => name === 'filters');
  const status = filters?.options?.find(({ name }) => name === 'status') as {
    options: { name: string; value: string }[];
  };
  expect(status.options.map(({ name, value }) => [name, value])).toEqual([
    ['Pending (ausstehend)', 'ausstehend'],
    ['Paid (bezahlt)', 'bezahlt'],
    ['Completed (abgeschlossen)', 'abgeschlossen'],
    ['Cancelled (storniert)', 'storniert'],
  ]);
  for (const { value } of status.options) {
    const items = await run(service, 'listOrders', { filters: { status: value }, simplify: false });
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ json }) => json.status))).toEqual(new Set([value]));
  }
});

test('every request is a GET as the API docs require, and repeated runs return the same items [S-02 S-41 S-59 S-60]', async () => {
  const readAll = async () => [
    await run(service, 'getMe'),
    await run(service, 'listOrders', { returnAll: true }),
    await run(service, 'getOrder', orderBy('id', 10001)).catch(() => []),
  ];
  const once = await readAll();
  expect(await readAll()).toEqual(once);
  expect(service.journal.total()).toBeGreaterThan(8);
  expect(service.journal.violations()).toEqual([]);
});

test('the node identifies itself in `User-Agent`', async () => {
  await run(service, 'getMe');
  expect(service.journal.entries()[0]?.headers['user-agent']).toMatch(/^n8n-nodes-order-license\/\d+\.\d+\.\d+/);
});

test('processes each input item, and pairs each output item with its input item', async () => {
  const items = await run(
    service,
    'listOrders',
    { limit: '={{ $json.limit }}' },
    { items: [3, 1, 2].map((limit) => ({ json: { limit } })) },
  );
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0, 1, 2, 2].map((item) => ({ item })));
});

test('rejects an unknown operation', async () => {
  for (const operation of ['deleteOrder', '__proto__', 'constructor']) {
    const execution = prepare(service, 'getMe', { operation });
    await expect(new OrderLicense().execute.call(execution.context)).rejects.toThrow(
      "'Operation' has an unknown value",
    );
  }
});

test('sends nothing without input items', async () => {
  expect(await run(service, 'listOrders', {}, { items: [] })).toEqual([]);
  expect(service.journal.total()).toBe(0);
});

test('accepts a newer api_version [S-87]', async () => {
  const execution = prepare(service, 'getMe');
  changeBodies(execution, (body) => body.replace('"1.0"', '"2.0"'));
  const [items] = await new OrderLicense().execute.call(execution.context);
  expect(items?.[0]?.json).toMatchObject({ api_version: '2.0', user_id: 4711 });
});

test.each([
  ['an address', `https://${plantedKey}@x.test/api/v1`, plantedKey],
  ['a line break', 'https://x.test/api/v1', `${plantedKey}\n1`],
])('no error, item or log repeats an API key that was entered with %s', async (_, baseUrl, apiKey) => {
  const credential = { credential: { baseUrl, apiKey } };
  const error = await thrownBy(run(service, 'getMe', {}, credential));
  const { context, logs, hints } = prepare(service, 'getMe', {}, { ...credential, continueOnFail: true });
  const items = await new OrderLicense().execute.call(context);
  const shown = JSON.stringify([everythingOf(error), items, logs, hints]);
  expect(shown.length).toBeGreaterThan(100);
  expect(shown).not.toContain(plantedKey);
});

test('a cancelled execution stops at once, whatever On Error is set to', async () => {
  const cancelled = new AbortController();
  cancelled.abort();
  const options = { cancelSignal: cancelled.signal, continueOnFail: true };
  const error = await thrownBy(run(service, 'listOrders', {}, options));
  expect(error.message).toContain('cancelled');
  expect(service.journal.total()).toBe(0);
});
