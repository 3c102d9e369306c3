import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { cliPath } from '../testing/mcp-session.fixture.ts';

test('also serves the client from the older SDK [S-01 S-59 S-60]', async () => {
  const mock = await listen();
  onTestFinished(() => mock.close());
  const client = new OldClient({ name: 'test', version: '1.0.0' });
  const keys = { ORDER_LICENSE_API_KEY: mock.keys.business, ORDER_LICENSE_BASE_URL: mock.baseUrl };
  const env = { ...keys, ORDER_LICENSE_STORE: 'memory' };
  await client.connect(new OldStdioTransport({ command: process.execPath, args: [cliPath], env }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(3);
  const listed = await client.callTool({ name: 'order_license_list_orders', arguments: { per_page: 2 } });
  const { orders } = listed.structuredContent as { orders: { bestellnummer: string }[] };
  const number = orders[1]?.bestellnummer;
  const found = await client.callTool({ name: 'order_license_get_order', arguments: { order_number: number } });
  expect(found.structuredContent).toMatchObject({ bestellnummer: number });
  expect(await client.callTool({ name: 'order_license_get_order', arguments: { id: 1 } })).toMatchObject({
    isError: true,
  });
  expect(mock.journal.violations()).toEqual([]);
});
