import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The resources that a server process has used since its start. */
export interface Usage {
  cpuMicros: number;
  rssBytes: number;
}

/** A server under test, running in its own process. */
export interface ServerProcess {
  origin: string;
  /** Time from process start to the first 200, ms. */
  startMs: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const startLimitMs = 30_000;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1.');
  return address.port;
};

const statusOf = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await once(child, 'exit');
  clearTimeout(hard);
};

/**
 * Starts `script` with the arguments for a port, and waits until `path` returns 200.
 * @param probe whether to load `usage-probe.ts`, which `usage()` needs but which slows the start
 */
export const startServer = async (
  script: string,
  args: (port: string) => string[],
  path: string,
  headers: Record<string, string>,
  probe = false,
): Promise<ServerProcess> => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = fork(script, args(String(port)), {
    execArgv: probe ? ['--import', new URL('usage-probe.ts', import.meta.url).href] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  while ((await statusOf(origin + path, headers)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${script} ended with code ${child.exitCode}.`);
    if (performance.now() - started > startLimitMs) {
      await stop(child);
      throw new Error(`${script} did not answer ${path} with 200 within ${startLimitMs} ms.`);
    }
    await sleep(5);
  }
  const startMs = performance.now() - started;
  return {
    origin,
    startMs,
    usage: async () => {
      child.send('usage');
      const [usage] = await once(child, 'message');
      return usage as Usage;
    },
    stop: () => stop(child),
  };
};
