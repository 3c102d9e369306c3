import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { variables } from '../config/variables.ts';
import { callTool, cliPath, connect, startMock, stderrOf } from '../testing/mcp-session.fixture.ts';

test("if an update removed the server's files, a call's error says to restart the server", async () => {
  const folder = temporaryFolder();
  cpSync(dirname(cliPath), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const env = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'unused' };
  const client = await connect(env, 'legacy', join(folder, 'cli.js'));
  for (const file of readdirSync(folder)) if (file.startsWith('client-')) rmSync(join(folder, file));
  expect((await callTool(client, 'order_license_get_me')).text).toMatch(
    /^configuration: Part of this server .*\. Restart the server\.$/,
  );
});

test('no output contains the API key, and only requested results contain license keys [S-29 S-90]', async () => {
  const apiKey = 'APIKEY-canary-5e1f';
  const { env } = await startMock({ keys: { business: apiKey }, licenseKeyPrefix: 'LICENSE-canary-', limit: 4 });
  const client = await connect({ ...env, NODE_DEBUG: 'http,net' }, 'legacy');
  const printed = stderrOf(client);
  const call = async (tool: string, args = {}) => JSON.stringify(await callTool(client, `order_license_${tool}`, args));
  const listed = await call('list_orders', { status: 'bezahlt', per_page: 50 });
  const ids = [...listed.matchAll(/\\"id\\":(\d+)/g)].map((match) => Number(match[1]));
  const answers = [await call('get_order', { id: ids[0] }), await call('get_order', { id: ids[1] })];
  expect(answers.join('')).toContain('LICENSE-canary-');
  expect(answers.join('')).not.toContain('APIKEY-canary');
  const others = [listed, await call('get_order', { id: 424242 }), await call('get_order', { id: ids[0] })];
  others.push(await call('get_order', { id: apiKey }), await call('get_me', { license: 'LICENSE-canary-' }));
  others.push(String(await client.callTool({ name: 'no_such_tool', arguments: {} }).catch((error: Error) => error)));
  expect(others.join('')).not.toMatch(/LICENSE-canary-|APIKEY-canary/);
  await client.close();
  expect(printed()).toContain('NET ');
  expect(printed().replaceAll(/^.*NODE_DEBUG.*$|^(HTTP|NET) \d+: .*$/gm, '')).not.toMatch(/canary/);
});

test.each(['--help', 'http --help', 'doctor -h', 'http --port 1 --help'])('prints only the help for %s', (line) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, ...line.split(' ')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^order-license-mcp \S+: an MCP server/);
  for (const { name } of variables) expect(stdout).toContain(name);
});
