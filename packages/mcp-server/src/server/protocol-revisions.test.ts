import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { cliPath, startMock } from '../testing/mcp-session.fixture.ts';

test('also serves the client from the older SDK [S-01 S-59 S-60]', async () => {
  const { mock, env } = await startMock();
  const client = new OldClient({ name: 'test', version: '1.0.0' });
  const all = { ...env, ORDER_LICENSE_STORE: 'memory' };
  await client.connect(new OldStdioTransport({ command: process.execPath, args: [cliPath], env: all }));
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
