import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { listen } from '@order-license/mock-api';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { variables } from '../config/variables.ts';
import { callTool, cliPath, connect, connectHere, startCommand } from '../testing/mcp-session.fixture.ts';
import { startPlainServer } from '../testing/plain-server.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';

const connectTo = (baseUrl: string) =>
  connectHere({ ORDER_LICENSE_BASE_URL: baseUrl, ORDER_LICENSE_API_KEY: 'distinctive-api-key' });

test('does not follow a redirect or send the key elsewhere [S-04]', async () => {
  let elsewhere = 0;
  const other = await startPlainServer((_request, response) => {
    elsewhere += 1;
    response.end();
  });
  const origin = await startPlainServer((_request, response) => {
    response.writeHead(302, { location: `${other}/api/v1/me` }).end();
  });
  const { text, isError } = await callTool(await connectTo(`${origin}/api/v1`), 'order_license_get_me');
  expect(isError).toBe(true);
  expect(text).toMatch(/^invalid_response: .*Set the base URL to the final address/);
  expect(elsewhere).toBe(0);
});

test('cancelling a call ends its request to the API', async () => {
  const service = await slowService();
  const client = await connectTo(service.baseUrl);
  const cancel = new AbortController();
  const call = client.callTool({ name: 'order_license_get_me', arguments: {} }, { signal: cancel.signal });
  await service.came;
  cancel.abort();
  await expect(call).rejects.toThrow();
  await service.gone;
});

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
  const mock = await listen({ keys: { business: apiKey }, licenseKeyPrefix: 'LICENSE-canary-', limit: 4 });
  onTestFinished(() => mock.close());
  const env = { ORDER_LICENSE_API_KEY: apiKey, ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_STORE: 'memory' };
  const { child, printed } = startCommand([], { ...env, NODE_DEBUG: 'http,net' });
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    const before = stdout.length;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    while (!stdout.includes('\n', before)) await setTimeout(5);
    return stdout.slice(before);
  };
  const tool = (name: string, args: object) => ask('tools/call', { name, arguments: args });
  const clientInfo = { name: 'canary', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const listed = await tool('order_license_list_orders', { status: 'bezahlt', per_page: 50 });
  const ids = [...listed.matchAll(/\\"id\\":(\d+)/g)].map((match) => Number(match[1]));
  let answers = '';
  for (const orderId of ids.slice(0, 2)) answers += await tool('order_license_get_order', { id: orderId });
  expect(answers).toContain('LICENSE-canary-');
  await tool('order_license_get_order', { id: 424242 });
  await tool('order_license_get_order', { id: ids[0] });
  await tool('order_license_get_order', { id: apiKey });
  await tool('order_license_get_me', { license: 'LICENSE-canary-' });
  await ask('no/such/method', {});
  expect(stdout.replace(answers, '')).not.toMatch(/LICENSE-canary-|APIKEY-canary/);
  expect(answers).not.toContain('APIKEY-canary');
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(printed().replaceAll(/^.*NODE_DEBUG.*$|^(HTTP|NET) \d+: .*$/gm, '')).not.toMatch(/canary/);
});

test.each(['--help', 'http --help', 'doctor -h', 'http --port 1 --help'])('prints only the help for %s', (line) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, ...line.split(' ')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^order-license-mcp \S+: an MCP server/);
  for (const { name } of variables) expect(stdout).toContain(name);
});
