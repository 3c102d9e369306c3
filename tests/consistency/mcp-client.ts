import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type CommandOptions, commandLine, type HttpCommand } from '../servers/mcp-command.ts';
import type { EntryPoint } from './entry-point.ts';
import { openMcpTools, type ToolAnswer } from './mcp-tools.ts';

/** The current client of the MCP SDK, `@modelcontextprotocol/client`, with its own server over stdio. */
export const openMcpClientOverStdio = async (options: CommandOptions): Promise<EntryPoint> => {
  const transport = new StdioClientTransport({ ...commandLine(options), stderr: 'ignore' });
  return open('MCP client 2, stdio', transport, () => transport.pid ?? 0);
};

/** The same over HTTP. */
export const openMcpClientOverHttp = ({ url, pid }: HttpCommand): Promise<EntryPoint> =>
  open('MCP client 2, HTTP', new StreamableHTTPClientTransport(url), () => pid);

const open = async (
  name: string,
  transport: Parameters<Client['connect']>[0],
  pid: () => number,
): Promise<EntryPoint> => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  // A client that knows the listed schemas validates every answer.
  await client.listTools();
  return openMcpTools({
    name,
    callTool: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolAnswer,
    pid,
    close: () => client.close(),
  });
};
