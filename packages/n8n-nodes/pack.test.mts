import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { listen } from '@order-license/mock-api';
import { createExecution } from '@order-license/testing/n8n-execution';
import { expect, test } from 'vitest';

const root = import.meta.dirname;
const require = createRequire(import.meta.url);

const built = globSync('dist/**/*.js', { cwd: root });
const read = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');

// The strict lint itself is `pnpm run lint`.
test('no source file disables a lint rule', () => {
  const sources = globSync('{nodes,credentials}/**/*.ts', { cwd: root });
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((file) => /eslint-(dis|en)able/.test(read(file)))).toEqual([]);
});

test('the built pack loads only n8n-workflow and its own files, and uses none of the globals that n8n forbids', () => {
  const loaded = built.flatMap((file) => [...read(file).matchAll(/\brequire\(([^)]*)\)/g)].map(([, name]) => name));
  expect(loaded.filter((name) => !/^"(n8n-workflow|\.\.?\/[\w./-]+)"$/.test(name ?? ''))).toEqual([]);
  const code = built.map(read).join('\n');
  expect(code).not.toMatch(/\bimport\s*\(|(?<![.\w])(fetch|eval|Function)\(/);
  expect(code).not.toMatch(
    /(?<![.\w])((set|clear)(Timeout|Interval|Immediate)|global|globalThis|process|__dirname|__filename)[.([]/,
  );
});

test('the built pack contains core once', () => {
  expect(built.flatMap((file) => [...read(file).matchAll(/Symbol\.for\("order-license\.error"\)/g)])).toHaveLength(1);
});

test('builds every file that package.json names, and no test file', () => {
  const { n8n, files } = JSON.parse(read('package.json'));
  expect(files).toEqual(['dist']);
  for (const file of [...n8n.nodes, ...n8n.credentials]) expect(built).toContain(file);
  expect(globSync('dist/**/*', { cwd: root }).filter((file) => /test|fixture|tsbuildinfo/.test(file))).toEqual([]);
});

test('output schemas are where n8n looks for them', () => {
  for (const file of ['account/getMe', 'order/getOrder', 'order/listOrders']) {
    const schema = JSON.parse(read(`dist/nodes/OrderLicense/__schema__/v1.0.0/${file}.json`));
    expect(schema).toMatchObject({ type: 'object', version: 1 });
  }
});

test('the built node and trigger share the request count of a key [S-83]', async () => {
  const service = await listen({ limit: 'off' });
  const { OrderLicense } = require('./dist/nodes/OrderLicense/OrderLicense.node.js');
  const { OrderLicenseTrigger } = require('./dist/nodes/OrderLicenseTrigger/OrderLicenseTrigger.node.js');
  const { OrderLicenseApi } = require('./dist/credentials/OrderLicenseApi.credentials.js');
  const common = {
    credentialType: new OrderLicenseApi(),
    credential: { baseUrl: service.baseUrl, apiKey: service.keys.business, requestsPerMinute: 2 },
  };
  const node = new OrderLicense();
  const run = createExecution({
    ...common,
    node,
    parameters: { limit: 90, resource: 'order', operation: 'listOrders' },
  });
  expect((await node.execute.call(run.context))[0]).toHaveLength(90);
  expect(service.journal.total()).toBe(2);

  const trigger = new OrderLicenseTrigger();
  const poll = createExecution({ ...common, node: trigger, pollBudgetMs: 5_000 });
  await expect(trigger.poll.call(poll.context)).rejects.toMatchObject({ failure: { cause: 'rate-limited' } });
  expect(service.journal.total()).toBe(2);
  await service.close();
});
