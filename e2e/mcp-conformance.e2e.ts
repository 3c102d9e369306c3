import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { startBuiltServer } from './mcp/built-server.ts';
import { runConformance } from './mcp/conformance/run.ts';
import { installClients } from './mcp/install.ts';

installClients();

test.each(['2026-07-28', '2025-11-25'])('in revision %s, only scenarios of missing features fail', async (revision) => {
  const mock = await listen({ limit: 'off' });
  onTestFinished(() => mock.close());
  const product = await startBuiltServer({
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
    ORDER_LICENSE_STORE: 'memory',
  });
  onTestFinished(() => product.stop());
  const { code, summary } = await runConformance(product.url, revision, `product.${revision}.yml`);
  expect(code, summary).toBe(0);
});
