import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type CommandOptions, commandLine } from '../servers/mcp-command.ts';
import type { EntryPoint } from './entry-point.ts';
import { openMcpTools } from './mcp-tools.ts';

/** The built MCP server over stdio, with the SDK's client. */
export const openMcpClient = async (options: CommandOptions): Promise<EntryPoint> => {
  const transport = new StdioClientTransport({ ...commandLine(options), stderr: 'ignore' });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return openMcpTools('MCP server', client, () => transport.pid ?? 0);
};
