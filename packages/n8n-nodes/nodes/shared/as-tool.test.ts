import { type FromAIArgument, type IDataObject, traverseNodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { prepare, run } from '../OrderLicense/run-node.fixture';
import { serveEach, service } from './service.fixture';

serveEach({ limit: 'off' });

const shown = (operation: 'getMe' | 'getOrder' | 'listOrders', parameters: IDataObject = {}, asTool = true) =>
  prepare(service, operation, parameters, { asTool }).context.getNode().parameters;

/** The arguments that n8n offers to the model, with the default of each. */
const argumentsOf = (operation: 'getOrder' | 'listOrders', parameters: IDataObject = {}) => {
  const found: FromAIArgument[] = [];
  traverseNodeParameters(shown(operation, parameters), found);
  return Object.fromEntries(found.map(({ key, defaultValue }) => [key, defaultValue]));
};

test('if the node is a tool, the model fills in the order number, the filters and the limit', () => {
  expect(argumentsOf('getOrder')).toEqual({ Order: undefined });
  expect(shown('getOrder').order).toMatchObject({ mode: 'number' });
  expect(shown('listOrders', {}, false)).toMatchObject({ filters: {}, limit: 50 });
});

test('the model may leave out every optional argument', () => {
  const filters = { Created_Before: '', Created_From: '', Product: '', Status: '' };
  expect(argumentsOf('listOrders')).toEqual({ ...filters, Limit: 50 });
  expect(argumentsOf('listOrders', { output: 'totals' })).toEqual(filters);
});

/** Runs *List Orders* as a tool that a model calls with these arguments. */
const callWith = async (given: IDataObject, parameters: IDataObject = {}): Promise<IDataObject[]> =>
  (await run(service, 'listOrders', parameters, { asTool: true, items: [{ json: given }] })).map(({ json }) => json);

test.each([
  ['omitted', {}],
  ['empty', { Created_Before: '', Created_From: '', Product: '', Status: [], Limit: '' }],
  ['blank', { Product: ' ', Status: ' ', Limit: ' ' }],
  ['null', { Created_Before: null, Created_From: null, Product: null, Status: null, Limit: null }],
] as const)('optional arguments that are %s have their defaults', async (_, given) => {
  expect(await callWith(given as unknown as IDataObject)).toHaveLength(50);
});

test.each(['3', ' 3 ', '3.0', 3])('reads the limit %j from a model', async (Limit) => {
  expect(await callWith({ Limit })).toHaveLength(3);
});

test.each(['bezahlt, storniert', '["bezahlt","storniert"]'])('reads the statuses %j from a model', async (Status) => {
  const statuses = (await callWith({ Status })).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['bezahlt', 'storniert']));
});

test.each([
  [{ Created_From: 'last week' }, "'Created From' is not a date", 'Leave it out for all dates.'],
  [{ Limit: 0 }, "'Limit' is not a whole number of at least 1", 'Leave it out for 50.'],
  [{ Status: 'paid' }, "'Status' has an unknown value", 'Leave it out for all statuses.'],
])('tells the model what to pass instead of %j', async (given, error, advice) => {
  expect(await callWith(given)).toEqual([
    { error, details: { code: 'bad_request', advice: expect.stringContaining(advice) } },
  ]);
});

test('tells the model to leave out the product when it adds up orders', async () => {
  const advice = expect.stringContaining('Leave it out');
  expect(await callWith({ Product: 'Office' }, { output: 'totals' })).toMatchObject([{ details: { advice } }]);
});

test('tells the model that nothing was found', async () => {
  expect(await callWith({ Created_Before: '1999-01-01' })).toEqual([{ result: 'No orders were found.' }]);
});

test.each(['', null])('asks the model for an order number instead of %j', async (Order) => {
  const [item] = await run(service, 'getOrder', {}, { asTool: true, items: [{ json: { Order } }] });
  expect(item?.json).toEqual({
    error: "'Order' is empty",
    details: { code: 'bad_request', advice: 'Order number, such as B-2026-000042.' },
  });
});

test('if the node is a tool, each operation describes itself to the model', () => {
  const texts = [shown('getMe'), shown('getOrder'), shown('listOrders'), shown('listOrders', { output: 'totals' })].map(
    ({ toolDescription }) => String(toolDescription),
  );
  expect(new Set(texts).size).toBe(4);
  for (const text of texts) expect(text).toMatch(/^(Read|List|Count) .*\.$/);
  expect(shown('getOrder', {}, false).toolDescription).toBeUndefined();
});
