import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Order, type OrderList, statusReading, type User } from '@order-license/core';
import { listen } from '@order-license/mock-api';
import { createExecution } from '@order-license/testing/n8n-execution';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { bold, dim, heading, line, table } from './terminal.ts';

const require = createRequire(import.meta.url);
const serverFile = fileURLToPath(new URL('../packages/mcp-server/dist/cli.js', import.meta.url));
const pack = new URL('../packages/n8n-nodes/dist/', import.meta.url);

const mock = await listen();
const credential = { baseUrl: mock.baseUrl, apiKey: mock.keys.business };
const client = new Client({ name: 'demo', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [serverFile],
    env: {
      ORDER_LICENSE_BASE_URL: credential.baseUrl,
      ORDER_LICENSE_API_KEY: credential.apiKey,
      ORDER_LICENSE_STORE: 'memory',
    },
  }),
);

/** Calls a tool of the MCP server, as an assistant does. */
const callTool = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> => {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
  if (isError || !structuredContent) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
  return structuredContent as T;
};

/** Runs the node of the built pack, as n8n does. */
const runNode = async (parameters: Record<string, string | boolean>): Promise<unknown[]> => {
  const load = (path: string) => Object.values(require(fileURLToPath(new URL(path, pack))))[0] as new () => unknown;
  const node = new (load('nodes/OrderLicense/OrderLicense.node.js'))() as INodeType;
  const credentialType = new (load('credentials/OrderLicenseApi.credentials.js'))() as ICredentialType;
  const { context } = createExecution({ node, credentialType, credential, parameters });
  const output = (await node.execute?.call(context)) as { json: unknown }[][];
  return output.flat().map(({ json }) => json);
};

try {
  line(`A mock of the API is listening on ${mock.baseUrl}. The MCP server runs as a child process.`);

  heading('order_license_get_me: the account');
  const me = await callTool<User>('order_license_get_me');
  table([
    ['company', me.company || 'none'],
    ['VAT ID', me.vat_id || 'none'],
    ['name', me.name],
    ['API version', me.api_version],
  ]);

  heading('order_license_list_orders: the ten newest orders');
  const { orders, pagination } = await callTool<OrderList>('order_license_list_orders', { per_page: 10 });
  table([
    ['number', 'date (UTC)', 'status', 'gross'.padStart(12), ''].map(bold),
    ...orders.map((order) => [
      order.bestellnummer,
      order.created_at,
      `${order.status} ${dim(statusReading(order.status) ?? '')}`,
      order.gesamtpreis_brutto.padStart(12),
      order.waehrung,
    ]),
  ]);
  line(dim(`page ${pagination.page} of ${pagination.pages}, ${pagination.total} orders`));

  const { orders: paid } = await callTool<OrderList>('order_license_list_orders', {
    status: 'abgeschlossen',
    per_page: 20,
  });
  const wanted = paid[4] ?? paid[0];
  if (!wanted) throw new Error('The mock has no completed order.');
  heading(`order_license_get_order: the license codes of ${wanted.bestellnummer}, found by its number`);
  const order = await callTool<Order>('order_license_get_order', { order_number: wanted.bestellnummer });
  for (const item of order.items) {
    const codes = item.license_codes ?? [];
    line(`${item.menge} × ${bold(item.product_name)}  ${item.einzelpreis_brutto} ${order.waehrung} each`);
    for (const code of codes.slice(0, 3)) {
      line(`    ${code.license_key}  ${dim(`${code.code_typ}, ${code.aktivierungen_bestellung} activation(s)`)}`);
      for (const url of [code.download_url_64, code.download_url_32]) if (url) line(`      ${dim(url)}`);
    }
    if (codes.length > 3) line(dim(`    and ${codes.length - 3} more`));
    if (codes.length === 0) line(dim('    no codes for this item'));
  }

  heading('The same order through the n8n node');
  const [fromNode] = await runNode({
    resource: 'order',
    operation: 'getOrder',
    order: { __rl: true, mode: 'id', value: String(order.id) } as never,
    simplify: false,
  });
  // Given an order number, the tool would add fields from the list entry. Given an ID, it returns the order as the API
  // sent it.
  const { advice, ...byId } = await callTool<Order & { advice?: string }>('order_license_get_order', { id: order.id });
  const agree = isDeepStrictEqual(fromNode, byId);
  line(agree ? `The results are identical: ${JSON.stringify(byId).length} bytes.` : bold('The results differ.'));
  if (!agree) process.exitCode = 1;
  line(dim(`${mock.journal.total()} requests in total; the key allows 60 a minute.`));

  heading('Next');
  line('docs/assistants.md says how to connect an assistant.');
  line('./dev n8n starts n8n with this node, a mock of the API and five example workflows.');
} finally {
  await client.close();
  await mock.close();
}
