import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CommandOptions, commandLine, type HttpCommand } from '../servers/mcp-command.ts';
import type { EntryPoint } from './entry-point.ts';
import { openMcpTools } from './mcp-tools.ts';

type Transport = Parameters<Client['connect']>[0];

/** The older client of the MCP SDK, `@modelcontextprotocol/sdk`, with its own server over stdio. */
export const openSdkClientOverStdio = async (options: CommandOptions): Promise<EntryPoint> => {
  const transport = new StdioClientTransport({ ...commandLine(options), stderr: 'ignore' });
  return open('MCP SDK 1 client, stdio', transport, () => transport.pid ?? 0);
};

/** The same client, connected to the server over HTTP, with its own API key. */
export const openSdkClientOverHttp = ({ url, pid }: HttpCommand, apiKey: string): Promise<EntryPoint> => {
  const requestInit = { headers: { 'x-order-license-key': apiKey } };
  const transport = new StreamableHTTPClientTransport(url, { requestInit }) as Transport;
  return open('MCP SDK 1 client, HTTP', transport, () => pid);
};

const open = async (name: string, transport: Transport, pid: () => number): Promise<EntryPoint> => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return openMcpTools(name, client, pid);
};
