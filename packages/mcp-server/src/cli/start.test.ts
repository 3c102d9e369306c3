import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { cliPath } from '../testing/mcp-session.fixture.ts';

const settings = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'unused' };
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;

test('writes nothing to disk when it starts and ends', () => {
  const folder = temporaryFolder();
  for (const name of ['temp', 'home', 'work']) mkdirSync(join(folder, name));
  const temp = join(folder, 'temp');
  const home = join(folder, 'home');
  const { stdout } = spawnSync(process.execPath, [cliPath], {
    cwd: join(folder, 'work'),
    env: { ...settings, TMPDIR: temp, TEMP: temp, TMP: temp, HOME: home, USERPROFILE: home, LOCALAPPDATA: home },
    input: initialize,
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: {} });
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['home', 'temp', 'work']);
});

/**
 * Runs the command with this value of `process.versions.node`, and without a function that older Node versions lack.
 */
const startOn = (version: string) => {
  const code = `
    import module from 'node:module';
    delete module.enableCompileCache;
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const disguise = `data:text/javascript,${encodeURIComponent(code)}`;
  return spawnSync(process.execPath, ['--import', disguise, cliPath, '--version'], { encoding: 'utf8' });
};

test.each(['18.20.8', '22.7.0', '22.18.9'])('on Node %s, exits with a one-sentence error', (version) => {
  expect(startOn(version)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: `order-license-mcp: Node.js 22.19 or newer is required; this is ${version}. Update Node.js.\n`,
  });
});

test.each(['22.19.0', '23.0.0', '30.1.0'])('starts on Node %s', (version) => {
  expect(startOn(version)).toMatchObject({ status: 0, stderr: '' });
});
