import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { type HttpProcess, startBuiltServer, startHttp } from './mcp/built-server.ts';
import { runConformance, runWithBaseline } from './mcp/conformance/run.ts';
import { installClients } from './mcp/install.ts';

let mock: MockServer;
let product: HttpProcess;
let fixtures: HttpProcess;

beforeAll(async () => {
  installClients();
  mock = await listen({ limit: 'off' });
  product = await startBuiltServer({
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_STORE: 'memory',
  });
  fixtures = await startHttp(fileURLToPath(new URL('mcp/conformance-server.ts', import.meta.url)), [], {});
});

afterAll(async () => {
  await fixtures?.stop();
  await product?.stop();
  await mock?.close();
});

/** Runs the suite against its baseline. A failure shows the suite's summary. */
const expectBaseline = async (url: string, revision: string, name: string) => {
  const { code, output } = await runWithBaseline(url, revision, name);
  expect(code, output).toBe(0);
};

test('the HTTP server passes everything that protocol revision 2026-07-28 requires', async () => {
  const { scored, failed } = await runConformance(fixtures.url, '2026-07-28');
  expect({ scored, failed }).toEqual({ scored: '37/37', failed: [] });
});

test('the HTTP server passes everything that protocol revision 2025-11-25 requires, except tools that ask the client a question', async () => {
  expect((await runConformance(fixtures.url, '2025-11-25')).scored).toBe('26/30');
  await expectBaseline(fixtures.url, '2025-11-25', 'fixtures.2025-11-25.yml');
});

test.each([
  ['2026-07-28', '11/37'],
  ['2025-11-25', '7/30'],
])(
  'in revision %s, order-license-mcp fails only the scenarios for features that it does not have',
  async (revision, figure) => {
    expect((await runConformance(product.url, revision)).scored).toBe(figure);
    await expectBaseline(product.url, revision, `product.${revision}.yml`);
  },
);
