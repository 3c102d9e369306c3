import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type HttpProcess, startHttp } from '@order-license/testing/http-process';

/** The path of the MCP server's built command. */
export const mcpCommand = fileURLToPath(new URL('../../packages/mcp-server/dist/cli.js', import.meta.url));

export interface CommandOptions {
  baseUrl: string;
  apiKey: string;
  /** The factor by which the command's clock runs faster than real time. */
  clock: number;
}

/** Returns how to start the built command: over stdio or, with further arguments, over HTTP. */
export const commandLine = ({ baseUrl, apiKey, clock }: CommandOptions, ...args: string[]) => ({
  command: process.execPath,
  args: ['--import', new URL('fast-clock.ts', import.meta.url).href, mcpCommand, ...args],
  env: {
    TEST_CLOCK_FACTOR: String(clock),
    ORDER_LICENSE_BASE_URL: baseUrl,
    ORDER_LICENSE_API_KEY: apiKey,
    ORDER_LICENSE_STORE: 'memory',
  },
});

/** Starts the built command over stdio, and connects a client that knows the tools' schemas. */
export const connectStdio = async (
  options: CommandOptions,
  more: Record<string, string> = {},
  onStderr: (text: string) => void = () => undefined,
): Promise<{ client: Client; pid: number }> => {
  const { env, ...line } = commandLine(options);
  const transport = new StdioClientTransport({ ...line, env: { ...env, ...more }, stderr: 'pipe' });
  transport.stderr?.on('data', (chunk: unknown) => onStderr(String(chunk)));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  return { client, pid: transport.pid ?? 0 };
};

/**
 * Advances the command's clock by a minute. Resolves once no call can begin before that: if both came while the process
 * was busy, it handles the first message after a signal before the signal, but not the second one.
 */
export const passMinute = async (
  pid: number,
  client: { callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown> },
): Promise<void> => {
  process.kill(pid, 'SIGUSR2');
  const rejected = { name: 'order_license_get_order', arguments: {} }; // without a request
  for (let calls = 0; calls < 2; calls++) await client.callTool(rejected);
};

/** Starts the built command over HTTP, on a free port. */
export const startHttpCommand = (options: CommandOptions, more: Record<string, string> = {}): Promise<HttpProcess> => {
  const { args, env } = commandLine(options, 'http', '--open', '--port', '0');
  return startHttp(args, { ...env, ...more });
};
