import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../packages/testing/src/temporary-folder.ts';
import { findNode } from './packages/node-versions.ts';

const core = fileURLToPath(new URL('../packages/core/dist/index.js', import.meta.url));
const mcpServer = fileURLToPath(new URL('../packages/mcp-server/dist/cli.js', import.meta.url));
const node22 = findNode(22);
console.log(`Node 22: ${node22}`);

const run = (script: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync(node22, ['--input-type=module', '-e', script], { encoding: 'utf8', env: { ...process.env, ...env } });

const takeTwo = `
  import { createSqliteStore } from '${core}';
  const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'a-key' };
  const store = createSqliteStore({ ...service, requests: 1, onEvent: console.log });
  const answers = [await store.take(), await store.take()];
  process.emitWarning('SQLite is not the only thing to warn of');
  console.log(process.version.split('.')[0], ...answers.map((answer) => Object.keys(answer)[0]));
`;

test('the SQLite store works on Node 22, without output on stderr', () => {
  expect(run(`await import('node:sqlite')`).stderr).toContain('SQLite is an experimental feature');
  const { stdout, stderr } = run(takeTwo, { XDG_STATE_HOME: temporaryFolder(), NODE_OPTIONS: '' });
  expect(stdout).toBe('v22 permit retryAt\n');
  expect(stderr).toContain('SQLite is not the only thing to warn of');
  expect(stderr).not.toContain('Experimental');
});

test.each(['20', '22.7.0'])('the client rejects Node %s when it is imported', (version) => {
  const { status, stderr } = spawnSync(findNode(version), [core], { encoding: 'utf8' });
  expect(stderr).toMatch(/Error: @order-license\/core needs Node\.js 22\.19 or newer; this is \d+\.\d+\.\d+\. Update/);
  expect(status).toBe(1);
});

test.each(['22.0.0', '22.7.0'])('the MCP server rejects Node %s with a one-sentence error', (version) => {
  const { status, stderr } = spawnSync(findNode(version), [mcpServer], { encoding: 'utf8', input: '' });
  expect(stderr).toBe(`order-license-mcp: Node.js 22.19 or newer is required; this is ${version}. Update Node.js.\n`);
  expect(status).toBe(2);
});
