import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1StdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1HttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { temporaryFolder } from '../../packages/testing/src/temporary-folder.ts';
import { scripts } from './install.ts';

/** The server: a command to start, or an address with the required headers. */
export type Target =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> };

/** The results that a client has read, as the client returns them to its user. */
export interface Reading {
  tools: string[];
  order: unknown;
}

/** A client that lists the tools and reads one order by its number. */
export type McpClient = (target: Target, orderNumber: string) => Promise<Reading>;

const about = { name: 'e2e', version: '1.0.0' };
const readOrder = (orderNumber: string) => ({
  name: 'order_license_get_order',
  arguments: { order_number: orderNumber },
});
const namesOf = (tools: { name: string }[]): string[] => tools.map(({ name }) => name);

/** Reads through a connected client of either SDK, and closes it. */
const read = async (client: Client | V1Client, orderNumber: string): Promise<Reading> => {
  try {
    const { tools } = await client.listTools();
    return { tools: namesOf(tools), order: (await client.callTool(readOrder(orderNumber))).structuredContent };
  } finally {
    await client.close();
  }
};

const sdkV1: McpClient = async (target, orderNumber) => {
  const client = new V1Client(about);
  const transport =
    'url' in target
      ? new V1HttpTransport(new URL(target.url), { requestInit: { headers: target.headers } })
      : new V1StdioTransport(target);
  await client.connect(transport as Parameters<V1Client['connect']>[0]);
  return read(client, orderNumber);
};

/**
 * The current SDK's client.
 * @param version the protocol version to negotiate
 */
const sdkV2 =
  (mode: 'auto' | 'legacy', version: string): McpClient =>
  async (target, orderNumber) => {
    const client = new Client(about, { versionNegotiation: { mode } });
    await client.connect(
      'url' in target
        ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } })
        : new StdioClientTransport(target),
    );
    const agreed = client.getNegotiatedProtocolVersion();
    const { tools, order } = await read(client, orderNumber);
    if (agreed !== version) throw new Error(`Client and server agreed on ${agreed}, not ${version}.`);
    return { tools, order };
  };

/** Uses the tools that the SDK generates for a model. */
const aiSdk: McpClient = async (target, orderNumber) => {
  const transport = 'url' in target ? { type: 'http' as const, ...target } : new StdioMCPTransport(target);
  const client = await createMCPClient({ transport });
  try {
    const tools = await client.tools();
    const result = await tools.order_license_get_order?.execute(
      { order_number: orderNumber },
      { toolCallId: 'call', messages: [], context: {} },
    );
    return { tools: Object.keys(tools), order: (result as { structuredContent?: unknown }).structuredContent };
  } finally {
    await client.close();
  }
};

/** Reads the text of the result, which is what a model sees. */
const langChain: McpClient = async (target, orderNumber) => {
  const server =
    'url' in target ? { transport: 'http' as const, ...target } : { transport: 'stdio' as const, ...target };
  const client = new MultiServerMCPClient({ mcpServers: { server } });
  try {
    const tools = await client.getTools();
    const called = await tools
      .find(({ name }) => name === 'order_license_get_order')
      ?.invoke({ order_number: orderNumber });
    return { tools: namesOf(tools), order: JSON.parse((called as { text: string }).text) };
  } finally {
    await client.close();
  }
};

const run = promisify(execFile);

/** Runs the Inspector's CLI. Rejects with the CLI's output if the exit code is not 0. */
export const inspect = async (target: Target, ...words: string[]): Promise<{ stdout: string; stderr: string }> => {
  const server =
    'url' in target
      ? [
          target.url,
          '--transport',
          'http',
          ...Object.entries(target.headers).flatMap((pair) => ['--header', pair.join(': ')]),
        ]
      : [target.command, ...target.args, ...Object.entries(target.env).flatMap((pair) => ['-e', pair.join('=')])];
  const command = [scripts.inspector, '--cli', ...server, ...words];
  return run(process.execPath, command, { env: { ...process.env, HOME: temporaryFolder() } });
};

const inspector =
  (era: 'legacy' | 'modern'): McpClient =>
  async (target, orderNumber) => {
    const listed = await inspect(target, '--protocol-era', era, '--method', 'tools/list');
    const call = '--method tools/call --tool-name order_license_get_order --tool-arg'.split(' ');
    const called = await inspect(target, '--protocol-era', era, ...call, `order_number=${orderNumber}`);
    return { tools: namesOf(JSON.parse(listed.stdout).tools), order: JSON.parse(called.stdout).structuredContent };
  };

/** A client that supports only stdio, connected to an HTTP server through mcp-remote. */
const mcpRemote: McpClient = async (target, orderNumber) => {
  if (!('url' in target)) throw new Error('mcp-remote needs an HTTP server.');
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]);
  const args = [scripts.mcpRemote, target.url, '--transport', 'http-only', '--silent', ...headers];
  return sdkV1({ command: process.execPath, args, env: { HOME: temporaryFolder() } }, orderNumber);
};

export const clients: Record<string, McpClient> = {
  '@modelcontextprotocol/sdk v1': sdkV1,
  '@modelcontextprotocol/client, 2026-07-28': sdkV2('auto', '2026-07-28'),
  '@modelcontextprotocol/client, 2025-11-25': sdkV2('legacy', '2025-11-25'),
  '@ai-sdk/mcp': aiSdk,
  '@langchain/mcp-adapters': langChain,
  '@modelcontextprotocol/inspector, 2025-11-25': inspector('legacy'),
  '@modelcontextprotocol/inspector, 2026-07-28': inspector('modern'),
};

export const proxies: Record<string, McpClient> = { 'mcp-remote': mcpRemote };
