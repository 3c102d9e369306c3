import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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

export interface HttpCommand {
  url: URL;
  pid: number;
  /** The command's output so far, stdout and stderr. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts the built command over HTTP, on a free port. */
export const startHttpCommand = async (
  options: CommandOptions,
  more: Record<string, string> = {},
  onOutput: (text: string) => void = () => undefined,
): Promise<HttpCommand> => {
  const { command, args, env } = commandLine(options, 'http', '--open', '--port', '0');
  const child = spawn(command, args, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      onOutput(String(chunk));
    });
  }
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  while (!/http:\S+/.test(output)) {
    await Promise.race([once(child.stdout, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(`The server did not start: ${output}`);
  }
  return {
    url: new URL(/http:\S+/.exec(output)?.[0] ?? ''),
    pid: child.pid ?? 0,
    output: () => output,
    async stop() {
      child.kill();
      await ended;
    },
  };
};
