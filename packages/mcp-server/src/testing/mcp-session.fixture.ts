import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client, type ClientCapabilities, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { type ListenOptions, listen, type MockServer } from '@order-license/mock-api';
import { onTestFinished } from 'vitest';
import { readConfig } from '../config/config.ts';
import { runStdio } from '../server/stdio.ts';

export const cliPath = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface ToolAnswer {
  text: string;
  isError: boolean;
  data: Record<string, unknown>;
}

export interface SessionOptions {
  mock?: ListenOptions;
  /** The name of one of the mock's keys. */
  key?: keyof MockServer['keys'];
  env?: Record<string, string>;
  /** `auto` uses the 2026 revision of the protocol; `legacy` uses an older one. */
  mode?: 'auto' | 'legacy';
  capabilities?: ClientCapabilities;
  /** Starts the built command, for tests of the process itself. Otherwise, the server runs in this process. */
  inOwnProcess?: boolean;
}

/** Capabilities of a client that supports MCP Apps. */
export const appCapabilities: ClientCapabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/**
 * Starts a mock, and stops it when the test ends. It has no rate limit unless the test sets one. `env` has its address
 * and the key of its business account.
 */
export const startMock = async (options: ListenOptions = {}) => {
  const mock = await listen({ limit: 'off', ...options });
  onTestFinished(() => mock.close());
  return { mock, env: { ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_API_KEY: mock.keys.business } };
};

/** Starts a session with a mock, and ends it with the test. */
export const startSession = async (options: SessionOptions = {}) => {
  const { mock, env: account } = await startMock(options.mock);
  const env = { ...account, ORDER_LICENSE_API_KEY: mock.keys[options.key ?? 'business'], ...options.env };
  const { mode, capabilities, inOwnProcess = false } = options;
  const client = await (inOwnProcess
    ? connect(env, mode, cliPath, capabilities)
    : connectHere(env, mode, capabilities));
  return { mock, ...callsOf(client) };
};
export type Session = Awaited<ReturnType<typeof startSession>>;

/** Connects a client to a server in this process, with this environment. By default, it counts requests in memory. */
export const connectHere = (
  env: Record<string, string>,
  mode?: 'auto' | 'legacy',
  capabilities?: ClientCapabilities,
): Promise<Client> => {
  const [there, here] = InMemoryTransport.createLinkedPair();
  runStdio(readConfig({ ORDER_LICENSE_STORE: 'memory', ...env }), there);
  return connectClient(here, mode, capabilities);
};

/** Connects a client, and closes it when the test ends. */
export const connectClient = async (
  transport: Transport,
  mode: 'auto' | 'legacy' = 'auto',
  capabilities: ClientCapabilities = {},
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
};

/**
 * Starts the built command with this environment, and connects a client. By default, the command counts requests in
 * memory.
 */
export const connect = (
  env: Record<string, string>,
  mode?: 'auto' | 'legacy',
  command = cliPath,
  capabilities?: ClientCapabilities,
): Promise<Client> => {
  const all = { ORDER_LICENSE_STORE: 'memory', ...env };
  const child = { command: process.execPath, args: [command], env: all, stderr: 'pipe' as const };
  return connectClient(new StdioClientTransport(child), mode, capabilities);
};

export const callTool = async (
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> => {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  if (content?.type !== 'text' || result.content.length !== 1) throw new Error('Not one piece of text.');
  return {
    text: content.text,
    isError: result.isError === true,
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
  };
};

/** Calls tools by their names without the prefix. */
export const callsOf = (client: Client) => {
  const call = (tool: string, args: object = {}): Promise<ToolAnswer> =>
    callTool(client, `order_license_${tool}`, { ...args });
  return {
    client,
    call,
    /** Repeats a call with the arguments in `continue` until nothing remains. Returns the results. */
    async callToEnd(tool: string, args: object): Promise<Record<string, unknown>[]> {
      const parts: Record<string, unknown>[] = [];
      for (let next: unknown = args; next; next = parts.at(-1)?.continue) {
        const { text, data, isError } = await call(tool, next as object);
        if (isError || parts.length > 500) throw new Error(text);
        parts.push(data);
      }
      return parts;
    },
  };
};

/** Returns the API's own response, read without our code. */
export const askDirectly = async ({ mock }: Pick<Session, 'mock'>, path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(mock.baseUrl + path, {
    headers: { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' },
  });
  const { data } = (await response.json()) as { data: Record<string, unknown> };
  return data;
};

/**
 * Starts the built command without a client, and kills it when the test ends. `printed` returns what the command has
 * written to stderr.
 */
export const startCommand = (args: string[], env: Record<string, string> = {}) => {
  const base = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'some-key' };
  const child = spawn(process.execPath, [cliPath, ...args], { env: { ...base, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => undefined); // the command may end before everything is written
  child.stdout.setEncoding('utf8');
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  return { child, printed: () => text };
};

/** Returns a function that reads what this client's command has written to stderr since this call. */
export const stderrOf = (client: Client): (() => string) => {
  let text = '';
  const { stderr } = client.transport as StdioClientTransport;
  stderr?.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  return () => text;
};
