import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** Says which lockfile was installed to the end. */
const mark = join(here, 'node_modules/.installed');

/** Installs the MCP clients from the lockfile of this folder, beside the workspace. */
export const installClients = (): void => {
  const wanted = createHash('sha256')
    .update(readFileSync(join(here, 'pnpm-lock.yaml')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.error('Installing the MCP clients into e2e/mcp/node_modules.');
  execFileSync('pnpm', ['install', '--frozen-lockfile'], { cwd: here, stdio: ['ignore', 2, 2] });
  writeFileSync(mark, wanted);
};

/** The file of a command that one of them brings. */
export const scripts = {
  conformance: join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  inspector: join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  mcpRemote: join(here, 'node_modules/mcp-remote/dist/proxy.js'),
};
