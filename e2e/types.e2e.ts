import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { installClients } from './mcp/install.ts';

installClients();
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

// `./dev check` cannot compile e2e, because the types of the MCP clients are available only after their installation.
test('every part of e2e compiles', () => {
  const project = fileURLToPath(new URL('.', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [compiler, '--project', project], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
