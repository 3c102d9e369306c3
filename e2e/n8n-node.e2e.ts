import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { certificateFiles } from '../packages/testing/src/certificate.ts';
import { freePort } from './free-port.ts';
import { createHome, type Home, type Run } from './n8n/home.ts';
import { startServer } from './n8n/server.ts';
import { createOwner } from './n8n/session.ts';
import { orderLicense, type WorkflowNode, workflowOf } from './n8n/workflows.ts';

const canary = 'canary-n8n-7d1f';
const key = `${canary}-api-key`;
let mock: MockServer;
let home: Home;

/** Reads the API's own responses without pacing, for comparison. */
const read = async (path: string): Promise<Record<string, unknown>> => {
  const response = mock.fetch(`${mock.baseUrl}${path}`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
  });
  return ((await (await response).json()) as { data: Record<string, unknown> }).data;
};

const itemsOf = (run: Run, output = 0) =>
  (run.data.resultData.runData['Order License']?.[0]?.data?.main[output] ?? []).map(({ json }) => json);

const firstOf = async (status: string): Promise<{ id: number; bestellnummer: string }> =>
  ((await read(`/orders?status=${status}&per_page=1`)).orders as { id: number; bestellnummer: string }[])[0] as never;

/** Creates a workflow with three input items for one step. */
const threeItems = (id: string, step: WorkflowNode) => {
  const node = (name: string, type: string, typeVersion: number, parameters: object): WorkflowNode => ({
    ...step,
    ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters: { ...parameters } },
    credentials: undefined,
    onError: undefined,
  });
  const jsonOutput = '={{ { number: [0, 1, 2] } }}';
  const numbers = node('Numbers', 'set', 3.4, { mode: 'raw', jsonOutput, includeOtherFields: false, options: {} });
  const items = node('Items', 'splitOut', 1, { fieldToSplitOut: 'number', options: {} });
  const { nodes, ...workflow } = workflowOf(id, step);
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  return {
    ...workflow,
    nodes: [...nodes, numbers, items],
    connections: { Start: to('Numbers'), Numbers: to('Items'), Items: to(step.name) },
  };
};

beforeAll(async () => {
  mock = await listen({ orders: 130, keys: { business: key }, licenseKeyPrefix: canary, limit: 'off' });
  home = createHome();
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: key });
  const byNumber = { __rl: true, mode: 'number', value: (await firstOf('bezahlt')).bestellnummer };
  const byId = { __rl: true, mode: 'id', value: String((await firstOf('abgeschlossen')).id) };
  const absent = { __rl: true, mode: 'id', value: '1' };
  // Thirteen orders, so that each run stays far below the rate limit.
  const exported = { resource: 'order', operation: 'listOrders', limit: 13, includeDetails: true };
  const [list, get] = ['listOrders', 'getOrder'].map((operation) => ({ resource: 'order', operation }));
  await home.importWorkflows([
    workflowOf('all', orderLicense('all', { ...list, simplify: false, returnAll: true })),
    workflowOf('by-id', orderLicense('by-id', { ...get, simplify: false, order: byId })),
    workflowOf('by-number', orderLicense('by-number', { ...get, order: byNumber, output: 'licenseCodes' })),
    workflowOf('go-on', { ...orderLicense('go-on', { ...get, order: absent }), onError: 'continueRegularOutput' }),
    workflowOf('error-output', {
      ...orderLicense('error-output', { ...get, order: absent }),
      onError: 'continueErrorOutput',
    }),
    workflowOf('export', orderLicense('export', exported)),
    workflowOf('export-on', { ...orderLicense('export-on', exported), onError: 'continueRegularOutput' }),
    threeItems('few', orderLicense('few', { ...list, limit: '={{ String($json.number + 1) }}' })),
    workflowOf('product', orderLicense('product', { ...list, limit: 1, filters: { product: 'PRÜFUNG' } })),
    workflowOf('months', orderLicense('months', { ...list, output: 'totals', groupBy: 'month' })),
    workflowOf('export-split', { ...orderLicense('export-split', exported), onError: 'continueErrorOutput' }),
  ]);
});

afterAll(async () => {
  home?.remove();
  await mock?.close();
});

test('List Orders with Return All returns every order of the account with all fields unchanged [S-17 S-20]', async () => {
  mock.journal.clear();
  const run = await home.execute('all');
  expect(mock.journal.total()).toBe(3);
  const pages = await Promise.all([1, 2, 3].map((page) => read(`/orders?page=${page}&per_page=50`)));
  expect(itemsOf(run)).toEqual(pages.flatMap(({ orders }) => orders));
  expect(itemsOf(run)).toHaveLength(130);
});

test('Get Order by ID returns the full order with unchanged license keys [S-26 S-29]', async () => {
  const run = await home.execute('by-id');
  const order = await read(`/orders/${(await firstOf('abgeschlossen')).id}`);
  expect(itemsOf(run)).toEqual([order]);
  expect(JSON.stringify(itemsOf(run))).toContain(canary);
});

test('Get Order by number returns one item for each license code [S-29 S-37]', async () => {
  const { id } = await firstOf('bezahlt');
  const { items } = (await read(`/orders/${id}`)) as { items: { license_codes: { license_key: string }[] }[] };
  const keys = items.flatMap(({ license_codes }) => license_codes.map(({ license_key }) => license_key));
  const found = itemsOf(await home.execute('by-number'));
  expect(found.map(({ licenseKey }) => licenseKey)).toEqual(keys);
});

test('a step set to continue outputs an item with the message in `error` and the rest in `details`, on either output [S-75]', async () => {
  for (const [workflow, output] of [
    ['go-on', 0],
    ['error-output', 1],
  ] as const) {
    const run = await home.execute(workflow);
    expect(run.status).toBe('success');
    expect(itemsOf(run, output)).toMatchObject([
      {
        error: 'The account of this API key has no order with this ID (404)',
        details: { code: 'not_found', statusCode: 404, advice: expect.stringContaining("Check the 'Order' field") },
      },
    ]);
    expect(itemsOf(run, 1 - output)).toEqual([]);
  }
});

test('an export set to continue on errors names the order that fails, and outputs all others', async () => {
  const { orders } = (await read('/orders?per_page=13')) as { orders: { id: number; bestellnummer: string }[] };
  const bad = orders[9] as { id: number; bestellnummer: string };
  const name = `Order ${bad.bestellnummer} (ID ${bad.id})`;
  const others = orders.filter(({ id }) => id !== bad.id).map(({ id }) => id);
  const failed = {
    error: expect.stringContaining(`${name}: The response is not a JSON object in UTF-8`),
    details: {
      code: 'invalid_response',
      statusCode: 200,
      orderId: bad.id,
      orderNumber: bad.bestellnummer,
      advice: expect.stringContaining('heck the base URL'),
    },
  };
  mock.faults.add(`cutJson;id=${bad.id};times=always`);
  try {
    const on = itemsOf(await home.execute('export-on'));
    expect(on.filter(({ error }) => error)).toEqual([failed]);
    expect(on.filter(({ error }) => !error).map(({ orderId }) => orderId)).toEqual(others);
    const split = await home.execute('export-split');
    expect(itemsOf(split).map(({ orderId }) => orderId)).toEqual(others);
    expect(itemsOf(split, 1)).toEqual([failed]);
    const stopped = await home.execute('export');
    expect(stopped.status).toBe('error');
    expect(stopped.data.resultData.error).toMatchObject({ message: failed.error });
  } finally {
    mock.faults.clear();
  }
});

test('evaluates parameters for each input item', async () => {
  const items = itemsOf(await home.execute('few'));
  expect(items).toHaveLength(1 + 2 + 3);
});

test("filters orders by product and month in the workflow's time zone", async () => {
  const { id } = mock.state.insertOrder('business', {
    created_at: '2035-01-01 00:00:00',
    items: [{ product_name: 'Prüfung 2026' }],
  });
  expect(itemsOf(await home.execute('product')).map(({ orderId }) => orderId)).toEqual([id]);
  const months = itemsOf(await home.execute('months'));
  expect(months.every(({ period, complete }) => /^\d{4}-\d\d-01$/.test(String(period)) && complete === true)).toBe(
    true,
  );
  expect(months.reduce((sum, { orders }) => sum + Number(orders), 0)).toBe(131);
});

test('the credential test distinguishes a valid key, a wrong key, a private account and a wrong address, and reports an unreachable address by its error code [S-68 S-74]', async () => {
  const server = await startServer(home);
  try {
    const session = await createOwner(server.url);
    const ask = async (fields: object) => {
      const { status, message } = await session.testCredential({ baseUrl: mock.baseUrl, apiKey: key, ...fields });
      return `${status}: ${message}`;
    };
    expect(await ask({})).toBe('OK: Connection successful!');
    expect(await ask({ baseUrl: `${mock.baseUrl}/` })).toBe('OK: Connection successful!');
    expect(await ask({ apiKey: 'a-wrong-key' })).toMatch(/^Error: The API key was rejected\./);
    expect(await ask({ apiKey: mock.keys.private })).toMatch(/^Error: The API key is valid, .* not a business account/);
    expect(await ask({ apiKey: ` Bearer ${key}\n` })).toBe('OK: Connection successful!');
    expect(await ask({ apiKey: 'two words' })).toMatch(/^Error: The API key contains a space/);
    expect(await ask({ requestsPerMinute: 600 })).toMatch(/^Error: 'Requests per Minute' is not a whole number/);
    expect(await ask({ baseUrl: server.url })).toMatch(/^Error: The base URL does not end in \/api\/v1\./);
    expect(await ask({ baseUrl: `${server.url}/api/v1` })).toMatch(/^Error: The API is not at this address\./);
    expect(await ask({ baseUrl: `http://127.0.0.1:${await freePort()}/api/v1` })).toBe('Error: ECONNREFUSED');
    expect(await ask({ baseUrl: 'https://nothing.invalid/api/v1' })).toMatch(/^Error: (ENOTFOUND|EAI_AGAIN)$/);
    expect(await ask({ baseUrl: 'http://shop.example/api/v1' })).toMatch(/^Error: The base URL uses http,/);
    const selfSigned = await listen({ keys: { business: key }, ...(await certificateFiles()) });
    expect(await ask({ baseUrl: selfSigned.baseUrl })).toBe('Error: DEPTH_ZERO_SELF_SIGNED_CERT');
    await selfSigned.close();
    expect(server.log()).not.toContain(canary);
  } finally {
    await server.stop();
  }
});
