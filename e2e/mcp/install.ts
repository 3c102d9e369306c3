import { join } from 'node:path';
import { installFolder } from '../install-folder.ts';

const here = import.meta.dirname;

/** Installs the MCP clients from the lockfile of this folder, outside the workspace. */
export const installClients = (): void => installFolder(here, 'Installing the MCP clients into e2e/mcp/node_modules.');

/** The scripts of the clients' commands. */
export const scripts = {
  conformance: join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  inspector: join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  mcpRemote: join(here, 'node_modules/mcp-remote/dist/proxy.js'),
};
