import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../packages/testing/src/free-port.ts';
import type { Home } from './home.ts';

/** A running n8n. */
export interface Server {
  url: string;
  /** Returns n8n's output so far, stdout and stderr. */
  log(): string;
  /** Ends n8n in the same way as Ctrl-C. */
  stop(): Promise<void>;
  /** Ends n8n at once, as if it had crashed. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** The command and its arguments: `start` if absent, `worker` for a worker in queue mode. */
  words?: string[];
  /** Text that n8n prints when it is ready. */
  ready?: string;
  port?: number;
  env?: NodeJS.ProcessEnv;
}

const readyWithinMs = 180_000;

/**
 * Starts n8n.
 * @throws with n8n's output, if n8n ends or is not ready within three minutes
 */
export const startServer = async (home: Home, options: StartOptions = {}): Promise<Server> => {
  const { words = ['start'], ready = 'Editor is now accessible', port = await freePort(), env } = options;
  const child = home.start(words, {
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    QUEUE_HEALTH_CHECK_PORT: String(await freePort()),
    ...env,
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const ended = once(child, 'close');
  const killAll = (): void => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {} // the group has no processes any more
  };
  process.once('exit', killAll);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (signal === 'SIGKILL') killAll();
    else child.kill(signal);
    await ended;
    killAll();
    process.off('exit', killAll);
  };
  const giveUpAt = performance.now() + readyWithinMs;
  while (!written.includes(ready)) {
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      await end('SIGKILL');
      throw new Error(`n8n did not start:\n${written}`);
    }
    await setTimeout(100);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => written,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
};
