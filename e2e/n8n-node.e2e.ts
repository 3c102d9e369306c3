import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { certificateFiles } from '../packages/testing/src/certificate.ts';
import { freePort } from './free-port.ts';
import { createHome, type Home, type Run } from './n8n/home.ts';
import { startServer } from './n8n/server.ts';
import { createOwner } from './n8n/session.ts';
import { orderLicense, workflowOf } from './n8n/workflows.ts';
import { type Order, readApi } from './read-api.ts';

const canary = 'canary-n8n-7d1f';
const key = `${canary}-api-key`;
let mock: MockServer;
let home: Home;

const itemsOf = (run: Run, output = 0) =>
  (run.data.resultData.runData['Order License']?.[0]?.data?.main[output] ?? []).map(({ json }) => json);

const readList = (query: string) => readApi(mock, key).read<{ orders: Order[] }>(`/orders?${query}`);
const firstOf = async (status: string): Promise<Order> =>
  (await readList(`status=${status}&per_page=1`)).orders[0] as Order;

beforeAll(async () => {
  mock = await listen({ orders: 130, keys: { business: key }, licenseKeyPrefix: canary, limit: 'off' });
  home = createHome();
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: key });
  const byNumber = { __rl: true, mode: 'number', value: (await firstOf('bezahlt')).bestellnummer };
  const byId = { __rl: true, mode: 'id', value: String((await firstOf('abgeschlossen')).id) };
  const absent = { __rl: true, mode: 'id', value: '1' };
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
    workflowOf('months', orderLicense('months', { ...list, output: 'totals', groupBy: 'month' })),
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
  const pages = await Promise.all([1, 2, 3].map((page) => readList(`page=${page}&per_page=50`)));
  expect(itemsOf(run)).toEqual(pages.flatMap(({ orders }) => orders));
  expect(itemsOf(run)).toHaveLength(130);
});

test('Get Order by ID returns the full order with unchanged license keys [S-26 S-29]', async () => {
  const run = await home.execute('by-id');
  const order = await readApi(mock, key).order((await firstOf('abgeschlossen')).id);
  expect(itemsOf(run)).toEqual([order]);
  expect(JSON.stringify(itemsOf(run))).toContain(canary);
});

test('Get Order by number returns one item for each license code [S-29 S-37]', async () => {
  const { id } = await firstOf('bezahlt');
  const { items } = await readApi(mock, key).order(id);
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

test("adds up orders by month in the workflow's time zone", async () => {
  const months = itemsOf(await home.execute('months'));
  expect(months.every(({ period, complete }) => /^\d{4}-\d\d-01$/.test(String(period)) && complete === true)).toBe(
    true,
  );
  expect(months.reduce((sum, { orders }) => sum + Number(orders), 0)).toBe(130);
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
    expect(await ask({ apiKey: mock.keys.private })).toMatch(
      /^Error: Access was denied. Only business accounts can use the API/,
    );
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
