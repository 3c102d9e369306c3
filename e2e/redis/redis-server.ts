import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { client } from '../../packages/core/src/pace/redis-client.fixture.ts';
import { openRedis, type RedisConnection } from '../../packages/core/src/pace/redis-connection.ts';
import { freePort } from '../../packages/testing/src/free-port.ts';
import { findProgram, type Program } from './debian-package.ts';

export interface RedisServer {
  url: string;
  /** Ends the server at once, as if it had crashed. The server saves nothing. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, without data. */
  start(): Promise<void>;
}

/** Finds the servers to test with: Redis, and Valkey if the system has it. */
export const findServers = (): Map<string, Program> => {
  const servers = new Map<string, Program>();
  for (const name of ['redis-server', 'valkey-server']) {
    const program = findProgram(name);
    if (program) servers.set(name, program);
    else console.error(`${name} is not tested: it is neither on the PATH nor among this system's packages`);
  }
  return servers;
};

/**
 * Starts a server that stores nothing on disk, on a free loopback port.
 * @param options more words of its command line
 */
export const startRedis = async ({ path, env }: Program, options: readonly string[] = []): Promise<RedisServer> => {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
    server = spawn(path, words, { env, stdio: 'ignore' });
    (await answering(url)).close();
  };
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  await start();
  return { url, start, kill };
};

/** Sends a command, and returns the reply. */
export const send = async (url: string, ...[command = '', ...words]: string[]): Promise<unknown> => {
  const connection = await openRedis(url, client);
  const reply = await connection.sendCommand(command, ...words);
  connection.close();
  return reply;
};

/** Opens the same kind of connection as a store, as soon as the server responds. */
export const answering = async (url: string): Promise<RedisConnection> => {
  for (let tries = 0; ; tries++) {
    try {
      return await openRedis(url, client);
    } catch (error) {
      if (tries === 100) throw error;
      await setTimeout(50);
    }
  }
};
