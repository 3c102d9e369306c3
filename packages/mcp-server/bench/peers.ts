import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Two servers from the MCP project and one from a vendor; all of them work without network access. */
const versions = {
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@notionhq/notion-mcp-server': '2.5.2',
};

/** Folder in which the other servers are installed. It is not part of the workspace, and is kept between runs. */
const cache = fileURLToPath(new URL('../node_modules/.cache/bench/', import.meta.url));

/**
 * Installs the other servers if they are missing.
 * @param folder the folder that server-filesystem serves
 * @returns the arguments with which Node starts each server, by server name
 */
export const installPeers = (folder: string): Record<string, string[]> => {
  const done = join(cache, `installed-${Object.values(versions).join('-')}`);
  if (!existsSync(done)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'], // stdout is reserved for the table
      shell: process.platform === 'win32',
    });
    writeFileSync(done, '');
  }
  const script = (path: string) => join(cache, 'node_modules', path);
  return {
    'server-everything': [script('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
    'server-filesystem': [script('@modelcontextprotocol/server-filesystem/dist/index.js'), folder],
    'notion-mcp-server': [script('@notionhq/notion-mcp-server/bin/cli.mjs')],
  };
};
