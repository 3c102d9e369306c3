import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryFolder } from '../../packages/testing/src/temporary-folder.ts';
import { logIn } from './identity-provider.ts';
import { scripts } from './install.ts';

/**
 * Reads what a client sees through mcp-remote, which prints the login address and waits on loopback for the browser.
 */
export const readThroughMcpRemote = async (url: string, login: string): Promise<{ tools: string[]; user: unknown }> => {
  const home = temporaryFolder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [scripts.mcpRemote, url, '--transport', 'http-only'],
    env: { HOME: home, PATH: '' }, // an empty PATH, so that mcp-remote finds no program to open a browser
    stderr: 'pipe',
  });
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  let printed = '';
  let isLoggedIn = false;
  transport.stderr?.on('data', async (chunk: Buffer) => {
    printed += chunk;
    const address = /https?:\S+\/auth\?\S+/.exec(printed)?.[0];
    if (isLoggedIn || !address || !printed.includes(`${address}\n`)) return;
    isLoggedIn = true;
    const authorizationUrl = new URL(address);
    const waitsAt = authorizationUrl.searchParams.get('redirect_uri') ?? '';
    await fetch(await logIn(authorizationUrl, login, waitsAt));
  });
  try {
    await client.connect(transport, { timeout: 60_000 });
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'order_license_get_me', arguments: {} });
    return {
      tools: tools.map(({ name }) => name).toSorted(),
      user: (structuredContent as { user_id?: unknown } | undefined)?.user_id,
    };
  } catch (error) {
    throw new Error(`mcp-remote: ${printed}`, { cause: error });
  } finally {
    await client.close();
  }
};
