import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { type HttpProcess, startBuiltServer } from './mcp/built-server.ts';
import { createHome, type Home, type Run } from './n8n/home.ts';
import { startServer } from './n8n/server.ts';
import { createOwner } from './n8n/session.ts';
import { mcpClient, workflowOf } from './n8n/workflows.ts';
import { readApi } from './read-api.ts';

const key = 'canary-n8n-mcp-api-key';
const token = 'canary-n8n-mcp-access-token';
let mock: MockServer;
let product: HttpProcess;
let home: Home;

const answerOf = (run: Run): Record<string, unknown> | undefined =>
  run.data.resultData.runData['MCP Client']?.[0]?.data?.main[0]?.[0]?.json;

beforeAll(async () => {
  mock = await listen({ orders: 130, keys: { business: key }, limit: 'off' });
  product = await startBuiltServer({
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: key,
    ORDER_LICENSE_ACCESS_TOKEN: token,
  });
  home = createHome();
  await home.importTokenCredential(token);
  const [newest] = await readApi(mock, key).newest();
  await home.importWorkflows([
    workflowOf('me', mcpClient('me', product.url, 'order_license_get_me', {})),
    workflowOf(
      'page',
      mcpClient('page', product.url, 'order_license_list_orders', { page: 2, per_page: 5, status: 'bezahlt' }),
    ),
    workflowOf(
      'order',
      mcpClient('order', product.url, 'order_license_get_order', { order_number: newest?.bestellnummer }),
    ),
    workflowOf('absent', mcpClient('absent', product.url, 'order_license_get_order', { order_number: 'B-0' })),
  ]);
});

afterAll(async () => {
  home?.remove();
  await product?.stop();
  await mock?.close();
});

const names = ['order_license_get_me', 'order_license_list_orders', 'order_license_get_order'];

test("n8n's MCP Client and MCP Client Tool offer the three tools [S-01]", async () => {
  const server = await startServer(home);
  try {
    const session = await createOwner(server.url);
    const { type, typeVersion, parameters, credentials } = mcpClient('list', product.url, '', {});
    const asked = { methodName: 'getTools', currentNodeParameters: parameters, credentials };
    const { results } = (await session.post('/rest/dynamic-node-parameters/resource-locator-results', {
      ...asked,
      path: 'parameters.tool',
      nodeTypeAndVersion: { name: type, version: typeVersion },
    })) as { results: { name: string }[] };
    expect(results.map(({ name }) => name)).toEqual(names);

    const options = (await session.post('/rest/dynamic-node-parameters/options', {
      ...asked,
      path: 'parameters.includeTools',
      nodeTypeAndVersion: { name: `${type}Tool`, version: 1.4 },
    })) as { name: string }[];
    expect(options.map(({ name }) => name).sort()).toEqual([...names].sort());
  } finally {
    await server.stop();
  }
});

test("n8n's MCP Client reads the account and a filtered page as the API sends them [S-15 S-22]", async () => {
  expect(answerOf(await home.execute('me'))?.structuredContent).toEqual(await readApi(mock, key).me());
  const page = await readApi(mock, key).read('/orders?page=2&per_page=5&status=bezahlt');
  expect(answerOf(await home.execute('page'))?.structuredContent).toEqual(page);
});

test("n8n's MCP Client reads an order by its number, with equal structured content and text [S-26 S-29]", async () => {
  const api = readApi(mock, key);
  const { orders } = await api.read<{ orders: { id: number }[] }>('/orders?per_page=1');
  // An order read by its number also contains the fields of its list entry.
  const order = { ...orders[0], ...(await api.order(Number(orders[0]?.id))) };
  const answer = answerOf(await home.execute('order'));
  expect(answer?.structuredContent).toEqual(order);
  expect(answer?.content).toEqual([{ type: 'text', text: order }]);
});

test("for an unknown order, the node fails with the server's message, which contains no secret [S-75]", async () => {
  const run = await home.execute('absent');
  expect(run.status).toBe('error');
  expect(run.data.resultData.error?.message).toMatch(/^not_found: /);
  for (const secret of [key, token]) expect(JSON.stringify(run)).not.toContain(secret);
});
