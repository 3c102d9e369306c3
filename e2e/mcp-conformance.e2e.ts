import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { type HttpProcess, startBuiltServer } from './mcp/built-server.ts';
import { runConformance } from './mcp/conformance/run.ts';
import { installClients } from './mcp/install.ts';

let mock: MockServer;
let product: HttpProcess;

beforeAll(async () => {
  installClients();
  mock = await listen({ limit: 'off' });
  product = await startBuiltServer({
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_STORE: 'memory',
  });
});

afterAll(async () => {
  await product?.stop();
  await mock?.close();
});

test.each(['2026-07-28', '2025-11-25'])('in revision %s, only scenarios of missing features fail', async (revision) => {
  const { code, summary } = await runConformance(product.url, revision, `product.${revision}.yml`);
  expect(code, summary).toBe(0);
});
