import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type CommandOptions, commandLine, type HttpCommand } from '../servers/mcp-command.ts';
import type { EntryPoint } from './entry-point.ts';
import { openMcpTools } from './mcp-tools.ts';

type Transport = Parameters<Client['connect']>[0];

/** The current client of the MCP SDK, `@modelcontextprotocol/client`, with its own server over stdio. */
export const openMcpClientOverStdio = async (options: CommandOptions): Promise<EntryPoint> => {
  const transport = new StdioClientTransport({ ...commandLine(options), stderr: 'ignore' });
  return open('MCP client 2, stdio', transport, () => transport.pid ?? 0);
};

/** The same client, connected to the server over HTTP. */
export const openMcpClientOverHttp = ({ url, pid }: HttpCommand): Promise<EntryPoint> =>
  open('MCP client 2, HTTP', new StreamableHTTPClientTransport(url), () => pid);

const open = async (name: string, transport: Transport, pid: () => number): Promise<EntryPoint> => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return openMcpTools(name, client, pid);
};
