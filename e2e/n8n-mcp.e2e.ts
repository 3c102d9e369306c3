import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpProcess, startBuiltServer } from './mcp/built-server.ts';
import { startServer } from './n8n/server.ts';
import { createOwner } from './n8n/session.ts';
import { api, home, mock, serveShop } from './n8n/shop.ts';
import { mcpClient, workflowOf } from './n8n/workflows.ts';
import type { Order } from './read-api.ts';

const canary = 'canary-n8n-mcp';
serveShop(canary);
let product: HttpProcess;

beforeAll(async () => {
  const token = `${canary}-access-token`;
  product = await startBuiltServer({
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: `${canary}-api-key`,
    ORDER_LICENSE_ACCESS_TOKEN: token,
  });
  await home.importTokenCredential(token);
});

afterAll(() => product?.stop());

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

test("n8n's MCP Client reads an order by its number, with equal structured content and text [S-26 S-29]", async () => {
  const { orders } = await api.read<{ orders: [Order] }>('/orders?per_page=1');
  // An order read by its number also contains the fields of its list entry.
  const order = { ...orders[0], ...(await api.order(orders[0].id)) };
  const input = { order_number: order.bestellnummer };
  await home.importWorkflows([workflowOf('order', mcpClient('order', product.url, 'order_license_get_order', input))]);
  const { data } = await home.execute('order');
  const answer = data.resultData.runData['MCP Client']?.[0]?.data?.main[0]?.[0]?.json;
  expect(answer?.structuredContent).toEqual(order);
  expect(answer?.content).toEqual([{ type: 'text', text: order }]);
});
