import { refuseSecrets } from '@order-license/testing/canary';
import { fuzzJson } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';
import { connectInProcess } from '../servers/mcp-in-process.ts';
import { fuzzAnswer } from './answers.ts';
import { type Area, holdsFor, isApiRequest } from './area.ts';
import { clientOf, openShop } from './shop.ts';

const calls = [
  ['order_license_get_me', {}],
  ['order_license_list_orders', { per_page: 5 }],
  ['order_license_list_orders', { created_from: '2026-01-01', created_before: '2026-06-01' }],
  ['order_license_list_orders', { status: ['bezahlt', 'storniert'] }],
  ['order_license_list_orders', { summary: true }],
  ['order_license_get_order', { id: 7 }],
  ['order_license_get_order', { ids: [7, 8] }],
  ['order_license_get_order', { id: 7, product: 'a', codes: false }],
  ['order_license_get_order', { created_from: '2026-01-01', created_before: '2026-06-01', product: 'a' }],
  ['order_license_list_orders', { created_from: '2026-01-01', product: 'a' }],
  ['order_license_get_order', { order_number: 'B-1' }],
] as const;

export const mcpAnswers: Area = {
  name: 'responses to the MCP server',
  holds: 'a result that matches its schema or a documented error; no license key while keys are masked',
  share: 10,
  async open() {
    let { client } = clientOf({ status: 200, headers: {}, body: new Uint8Array() });
    const plain = await connectInProcess(async () => client, false);
    const masking = await connectInProcess(async () => client, true);
    const input = fc.record({ answer: fuzzAnswer, call: fc.constantFrom(...calls), mask: fc.boolean() });
    return {
      property: holdsFor(input, async ({ answer, call: [name, args], mask }) => {
        ({ client } = clientOf(answer));
        const { text, error, structured } = await (mask ? masking : plain).call(name, args);
        // The SDK's client drops fields named `__proto__`.
        const isWhole = !text.includes('"__proto__"');
        if (!error && isWhole && text !== JSON.stringify(structured))
          throw new Error('It returns different content in its two formats.');
        if (error || mask) refuseSecrets(text);
      }),
      async close() {
        await plain.close();
        await masking.close();
      },
    };
  },
};

const fields = [
  ...['id', 'order_number', 'ids', 'skip', 'page', 'per_page', 'status', 'created_from', 'created_before'],
  ...['summary', 'product', 'time_zone', 'codes', '__proto__', 'constructor', 'toString'],
];

export const mcpArguments: Area = {
  name: 'arguments to the MCP tools',
  holds: 'only the three read requests are sent; a result or a documented error',
  share: 8,
  async open() {
    const { client, asked } = openShop();
    const server = await connectInProcess(async () => client, false);
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
