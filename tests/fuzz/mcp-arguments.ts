import { refuseSecrets } from '@order-license/testing/canary';
import { fuzzJson } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';
import { type Area, holdsFor, isApiRequest } from './area.ts';
import { connectInProcess } from './mcp-in-process.ts';
import { openShop } from './shop.ts';

const fields = [
  ...['id', 'order_number', 'ids', 'skip', 'page', 'per_page', 'status'],
  ...[
    'created_from',
    'created_before',
    'summary',
    'product',
    'time_zone',
    'codes',
    '__proto__',
    'constructor',
    'toString',
  ],
];

export const mcpArguments: Area = {
  name: 'arguments to the MCP tools',
  holds: 'only the three read requests are sent; a result or a documented error',
  share: 8,
  async open() {
    const { client, asked } = openShop();
    const server = await connectInProcess(() => client, false);
    const args = fc
      .array(fc.tuple(fc.constantFrom(...fields), fuzzJson), { maxLength: 3 })
      .map((pairs) => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
    const input = fc.record({
      name: fc.constantFrom('order_license_get_me', 'order_license_list_orders', 'order_license_get_order'),
      args,
    });
    return {
      property: holdsFor(input, async ({ name, args }) => {
        const { text, error } = await server.call(name, JSON.parse(args));
        if (error) refuseSecrets(text);
        for (const url of asked()) if (!isApiRequest(url)) throw new Error(`Unexpected request: ${url}`);
      }),
      close: server.close,
    };
  },
};
