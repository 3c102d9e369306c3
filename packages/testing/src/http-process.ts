import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that serves MCP over HTTP. */
export interface HttpProcess {
  url: string;
  pid: number;
  /** Returns everything that the process has printed, on stdout and stderr. */
  printed(): string;
  /** Sends the signal that stops a container. */
  stop(): Promise<void>;
}

/** Runs Node with these arguments and only this environment, until the program prints the address that it serves. */
export const startHttp = async (args: readonly string[], env: Record<string, string>): Promise<HttpProcess> => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const exited = once(child, 'exit');
  const address = /http:\S+/;
  while (!address.test(printed)) {
    await Promise.race([once(child.stdout, 'data'), exited]);
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server did not start: ${printed}`);
  }
  return {
    url: address.exec(printed)?.[0] ?? '',
    pid: child.pid ?? 0,
    printed: () => printed,
    async stop() {
      child.kill();
      const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(hard);
    },
  };
};
