import {
  Client,
  type ClientCapabilities,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { type CommandOptions, connectStdio, passMinute, startHttpCommand } from '../servers/mcp-command.ts';

/** The built MCP server with one client. */
export interface McpSubject {
  /** Makes one call of every kind, and returns all output: lists, results, progress, errors and stderr. */
  callAll(): Promise<string>;
  /** Makes the tool calls again, and returns the resource behind each ticket in their results. */
  revealAll(): Promise<string>;
  /** The server's output on stderr so far. */
  stderr(): string;
  close(): Promise<void>;
}

const calls: [tool: string, args: Record<string, unknown>][] = [
  ['order_license_get_me', {}],
  ['order_license_list_orders', { per_page: 50 }],
  ['order_license_list_orders', { created_from: '2026-01-01', created_before: '2026-03-01' }],
  ['order_license_list_orders', { summary: true }],
  ['order_license_get_order', { id: 7 }],
  ['order_license_get_order', { id: 7, skip: '1' }],
  ['order_license_get_order', { order_number: 'B-7' }],
  ['order_license_get_order', { order_number: 'B-7b' }],
  ['order_license_get_order', { ids: [7, 8, 9] }],
];

/** Starts the server over stdio or HTTP, with these settings, the base URL and an API key. */
export const openMcp = async (
  over: 'stdio' | 'HTTP',
  baseUrl: string,
  settings: Record<string, string>,
  capabilities: ClientCapabilities = {},
): Promise<McpSubject> => {
  let stderr = '';
  const options = { baseUrl, apiKey: 'the-api-key', clock: 8 };
  const hear = (text: string): void => {
    stderr += text;
  };
  // Over HTTP, a client of a 2025 revision cannot declare that it shows MCP Apps.
  const mode = over === 'HTTP' ? 'auto' : 'legacy';
  const clientOptions: ClientOptions = { capabilities, versionNegotiation: { mode } };
  const connect = over === 'HTTP' ? connectHttp : connectStdio;
  const { client, pid, stop }: Connected = await connect(options, settings, hear, clientOptions);
  return {
    async callAll() {
      await passMinute(pid, client); // so that no call waits for the limit
      const before = stderr.length;
      const shown: unknown[] = [];
      for (const [name, args] of calls) {
        const onprogress = (progress: unknown) => shown.push(progress);
        shown.push(await client.callTool({ name, arguments: args }, { onprogress }));
      }
      const days = { product: 'Office', from: '2026-01-01', to: '2026-01-31' };
      shown.push(await client.getPrompt({ name: 'license_distribution', arguments: days }));
      shown.push(client.getInstructions(), await client.listTools(), await client.listPrompts());
      if (client.getServerCapabilities()?.resources) {
        const { resources } = await client.listResources();
        shown.push(resources, await client.listResourceTemplates());
        const uris = [...resources.map(({ uri }) => uri), 'order-license://keys/7', 'order-license://keys/{ticket}'];
        for (const uri of uris) shown.push(await client.readResource({ uri }).catch(String));
      }
      return `${shown.map((one) => JSON.stringify(one)).join('\n')}\n${stderr.slice(before)}`;
    },
    async revealAll() {
      const shown: unknown[] = [];
      for (const [name, args] of calls) {
        const { _meta } = await client.callTool({ name, arguments: args });
        for (const { uri } of (_meta?.['io.github.order-license/tickets'] ?? []) as { uri: string }[]) {
          shown.push(await client.readResource({ uri }));
        }
      }
      return JSON.stringify(shown);
    },
    stderr: () => stderr,
    async close() {
      await client.close();
      await stop?.();
    },
  };
};

interface Connected {
  client: Client;
  pid: number;
  stop?(): Promise<void>;
}

const connectHttp = async (
  options: CommandOptions,
  settings: Record<string, string>,
  hear: (text: string) => void,
  clientOptions: ClientOptions,
): Promise<Connected> => {
  const { url, pid, stop } = await startHttpCommand(options, settings, hear);
  const client = new Client({ name: 'test', version: '1.0.0' }, clientOptions);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.listTools();
  return { client, pid, stop };
};
