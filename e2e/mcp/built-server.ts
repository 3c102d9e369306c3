import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built server, as users run it. */
export const cli = fileURLToPath(new URL('../../packages/mcp-server/dist/cli.js', import.meta.url));

export interface HttpProcess {
  url: string;
  /** Returns everything that the server has printed on stderr. */
  printed(): string;
  /** Sends the signal that stops a container. */
  stop(): Promise<void>;
}

/** Starts a script that serves MCP over HTTP on a free port, and that first prints its address on stdout. */
export const startHttp = async (script: string, args: string[], env: Record<string, string>): Promise<HttpProcess> => {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const first = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), once(child, 'exit')]);
  const url = /http:\S+/.exec(String(first[0]))?.[0];
  if (!url) throw new Error(`The server did not start: ${printed}`);
  return { url, printed: () => printed, stop: () => stop(child) };
};

/**
 * Starts `order-license-mcp http` with only this environment. Without an access token, the server is open to this
 * machine.
 */
export const startBuiltServer = (env: Record<string, string>): Promise<HttpProcess> =>
  startHttp(cli, ['http', '--port', '0', ...(env.ORDER_LICENSE_ACCESS_TOKEN ? [] : ['--open'])], env);

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(hard);
};
