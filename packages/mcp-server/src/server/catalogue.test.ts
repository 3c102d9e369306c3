import { readdirSync } from 'node:fs';
import type { Tool } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { envelope, modernHeaders, post, rpc, serve } from '../testing/http-session.fixture.ts';
import { connectHere, startSession } from '../testing/mcp-session.fixture.ts';

const env = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'unused' };
const listTools = async (more = {}): Promise<Tool[]> =>
  (await (await connectHere({ ...env, ...more }, 'legacy')).listTools()).tools;
const tokens = (value: unknown): number => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

test('lists exactly three tools, each with its own file, and nothing else [S-01 S-71]', async () => {
  const client = await connectHere(env);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'order_license_get_me',
    'order_license_list_orders',
    'order_license_get_order',
  ]);
  const files = readdirSync(new URL('../tools', import.meta.url));
  for (const { name } of tools)
    expect(files).toContain(`${name.replace('order_license_', '').replaceAll('_', '-')}.ts`);
  expect(client.getServerCapabilities()).toEqual({
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: false },
  });
});

test('no schema has a member next to `anyOf`, or limits the length of texts and lists: some providers reject these', async () => {
  const tools = await listTools({ ORDER_LICENSE_EXPORT_FOLDER: process.cwd() });
  expect(tools).toHaveLength(4);
  const check = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('anyOf' in schema || 'oneOf' in schema) expect(Object.keys(schema)).toHaveLength(1);
    for (const member of Object.values(schema)) check(member);
  };
  for (const { inputSchema, outputSchema } of tools) check([inputSchema, outputSchema]);
  expect(JSON.stringify(tools)).not.toMatch(/"(pattern|format|(min|max)(Length|Items))":/);
});

test('each tool matches its reviewed snapshot: what it reads and costs, when to use it, and its schemas [S-01 S-02 S-35]', async () => {
  for (const tool of await listTools()) {
    await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(`__snapshots__/${tool.name}.json.snap`);
  }
});

test('the descriptions say what an assistant would otherwise find out by trial and error [S-35 U-21 U-51]', async () => {
  const [, list, order] = (await listTools()).map(({ description }) => description);
  expect(list).toMatch(/The payment status, `zahlungsstatus`, is independent: .* can be unpaid/);
  expect(list).toMatch(/without dates, more than 1,500 orders are only counted by status \(5 to 7 requests\)/);
  expect(order).toMatch(/A download URL is null if/);
  expect(order).toMatch(/`code_typ` is account/);
});

test('the tool list takes at most 1,390 tokens (o200k)', async () => {
  expect(tokens({ tools: await listTools() })).toBeLessThanOrEqual(1_390);
});

test('a listed order takes at most 9 tokens per field (o200k)', async () => {
  const { call } = await startSession();
  for (const per_page of [20, 50]) {
    const { text, data } = await call('list_orders', { per_page });
    const orders = data.orders as object[];
    expect(orders).toHaveLength(per_page);
    const fields = Object.keys(orders[0] ?? {}).length;
    expect(tokens(text) / per_page).toBeLessThanOrEqual(9 * fields);
  }
});

test('server/discover may be cached for an hour, like the lists', async () => {
  const { url } = await serve();
  const body = rpc('server/discover', { _meta: envelope });
  expect(JSON.parse((await post(url, modernHeaders('server/discover'), body)).text)).toMatchObject({
    result: { supportedVersions: expect.arrayContaining(['2026-07-28']), ttlMs: 3_600_000, cacheScope: 'public' },
  });
});
