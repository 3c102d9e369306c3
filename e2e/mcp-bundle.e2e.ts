import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { temporaryFolder } from '../packages/testing/src/temporary-folder.ts';
import { installClients } from './mcp/install.ts';
import { type Order, readApi } from './read-api.ts';

installClients();
const { clients } = await import('./mcp/clients.ts');

const run = promisify(execFile);
const local = (path: string): string => fileURLToPath(new URL(`../packages/mcp-server/${path}`, import.meta.url));

interface Manifest {
  icon: string;
  privacy_policies: string[];
  server: { mcp_config: { command: string; args: string[]; env: Record<string, string> } };
  user_config: Record<string, { default?: string | boolean }>;
}

test.each([false, true])('with `hide_license_keys` %s, the packed MCP bundle reads an order [S-01]', async (hide) => {
  const folder = temporaryFolder();
  const mock = await listen({ limit: 'off', licenseKeyPrefix: 'CANARY' });
  onTestFinished(() => mock.close());
  const { stdout } = await run(process.execPath, [local('build/pack-mcpb.ts')]);
  expect(stdout).toContain('Manifest schema validation passes');
  await run('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', 'unpack', local('build/dist/order-license.mcpb'), folder]);

  // Replaces the placeholders with the form's values or defaults, as a client does.
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const { server, user_config } = manifest;
  // Claude's extension directory requires a privacy policy and an icon.
  expect(manifest.privacy_policies).toEqual([expect.stringMatching(/^https:\/\/.*\/docs\/privacy\.md$/)]);
  expect(readFileSync(join(folder, manifest.icon)).toString('latin1', 1, 4)).toBe('PNG');
  const proposed = Object.entries(user_config).map(([name, field]) => [name, field.default]);
  expect(user_config.hide_license_keys).toMatchObject({ type: 'boolean', default: false });
  const filledIn = { base_url: mock.baseUrl, api_key: mock.keys.business, ...(hide && { hide_license_keys: true }) };
  const form = { ...Object.fromEntries(proposed), ...filledIn };
  const fill = (text: string): string =>
    text.replace(/\$\{__dirname\}/g, folder).replace(/\$\{user_config\.(\w+)\}/g, (_, name) => String(form[name]));
  const { command, args, env } = server.mcp_config;
  const target = {
    command: command === 'node' ? process.execPath : command,
    args: args.map(fill),
    env: { ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])), HOME: folder },
  };

  const { read } = readApi(mock, mock.keys.business);
  const { orders } = await read<{ orders: [Order] }>('/orders?per_page=1&status=abgeschlossen');
  const [{ bestellnummer }] = orders;
  for (const [name, readWith] of Object.entries(clients)) {
    if (!name.startsWith('@modelcontextprotocol/client')) continue;
    const reading = await readWith(target, bestellnummer);
    expect(reading.tools).toHaveLength(3);
    expect(reading.order).toMatchObject({ bestellnummer });
    expect(JSON.stringify(reading.order).includes('CANARY')).toBe(!hide);
  }
});
