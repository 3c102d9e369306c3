import { beforeAll, expect, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { certificateFiles } from '../packages/testing/src/certificate.ts';
import { freePort } from '../packages/testing/src/free-port.ts';
import type { Run } from './n8n/home.ts';
import { startServer } from './n8n/server.ts';
import { createOwner } from './n8n/session.ts';
import { api, home, mock, serveShop } from './n8n/shop.ts';
import { orderLicense, workflowOf } from './n8n/workflows.ts';
import type { Order } from './read-api.ts';

const canary = 'canary-n8n-7d1f';
const key = `${canary}-api-key`;
serveShop(canary, { orders: 130 });

const itemsOf = (run: Run, output = 0) =>
  (run.data.resultData.runData['Order License']?.[0]?.data?.main[output] ?? []).map(({ json }) => json);

const readList = (query: string) => api.read<{ orders: Order[] }>(`/orders?${query}`);
let completed: Order;

beforeAll(async () => {
  const { orders } = await readList('status=abgeschlossen&per_page=1');
  completed = await api.order(Number(orders[0]?.id));
  const byId = { __rl: true, mode: 'id', value: String(completed.id) };
  const absent = { __rl: true, mode: 'id', value: '1' };
  const [list, get] = ['listOrders', 'getOrder'].map((operation) => ({ resource: 'order', operation }));
  await home.importWorkflows([
    workflowOf('all', orderLicense('all', { ...list, simplify: false, returnAll: true })),
    workflowOf('by-id', orderLicense('by-id', { ...get, simplify: false, order: byId })),
    workflowOf('go-on', { ...orderLicense('go-on', { ...get, order: absent }), onError: 'continueRegularOutput' }),
    workflowOf('error-output', {
      ...orderLicense('error-output', { ...get, order: absent }),
      onError: 'continueErrorOutput',
    }),
  ]);
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
  expect(itemsOf(run)).toEqual([completed]);
  expect(JSON.stringify(itemsOf(run))).toContain(canary);
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

test('the credential test distinguishes a valid key, a wrong key, a private account and a wrong address, and reports an unreachable address by its error code [S-68 S-74]', async () => {
  const server = await startServer(home);
  try {
    const session = await createOwner(server.url);
    const ask = async (fields: object) => {
      const { status, message } = await session.testCredential({ baseUrl: mock.baseUrl, apiKey: key, ...fields });
      return `${status}: ${message}`;
    };
    expect(await ask({})).toBe('OK: Connection successful!');
    expect(await ask({ apiKey: 'a-wrong-key' })).toMatch(/^Error: The API key was rejected\./);
    expect(await ask({ apiKey: mock.keys.private })).toMatch(
      /^Error: Access was denied. Only business accounts can use the API/,
    );
    expect(await ask({ apiKey: 'two words' })).toMatch(/^Error: The API key contains a space/);
    expect(await ask({ baseUrl: `${server.url}/api/v1` })).toMatch(/^Error: The API is not at this address\./);
    expect(await ask({ baseUrl: `http://127.0.0.1:${await freePort()}/api/v1` })).toBe('Error: ECONNREFUSED');
    expect(await ask({ baseUrl: 'https://nothing.invalid/api/v1' })).toMatch(/^Error: (ENOTFOUND|EAI_AGAIN)$/);
    const selfSigned = await listen({ keys: { business: key }, ...(await certificateFiles()) });
    expect(await ask({ baseUrl: selfSigned.baseUrl })).toBe('Error: DEPTH_ZERO_SELF_SIGNED_CERT');
    await selfSigned.close();
    expect(server.log()).not.toContain(canary);
  } finally {
    await server.stop();
  }
});
