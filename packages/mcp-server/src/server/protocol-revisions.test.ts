import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { cliPath, startSession } from '../testing/mcp-session.fixture.ts';

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('in mode %s, the three tools read without changing anything [S-01 S-02]', async (mode, version) => {
  const { client, mock, call } = await startSession({ mode, mock: { frozenAt: Date.UTC(2026, 6, 1) } });
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  const { data } = await call('order_license_list_orders', { per_page: 1 });
  const [{ id }] = data.orders as [{ id: number }];
  const first = await call('order_license_get_order', { id });
  expect((await call('order_license_get_order', { id })).text).toBe(first.text);
  expect((await call('order_license_get_me')).isError).toBe(false);
  expect(mock.journal.entries().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/orders',
    `GET /api/v1/orders/${id}`,
    `GET /api/v1/orders/${id}`,
    'GET /api/v1/me',
  ]);
  expect(mock.journal.violations()).toEqual([]);
});

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
