import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isOrderLicenseError } from '@order-license/core/portable';
import { createClientOpener } from './client-opener.ts';
import { type Environment, readConfig } from './config.ts';
import { createServer } from './server.ts';
import { usage } from './usage.ts';
import { version } from './version.ts';

/** Runs the command; exit code 2 for wrong arguments or configuration. */
export const run = async (args: readonly string[], env: Environment): Promise<void> => {
  const [command, ...rest] = args;
  try {
    if (command === undefined) runStdio(env);
    else if (command === '--help' || command === '-h') process.stdout.write(usage);
    else if (command === '--version') process.stdout.write(`${version}\n`);
    else if (command === 'http') await runHttp(rest, env);
    else refuse('There is no such command or option; see --help.');
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    refuse(error.message);
  }
};

const runStdio = (env: Environment): void => {
  const config = readConfig(env);
  const openClient = createClientOpener(config, `order-license-mcp/${version}`);
  serveStdio(() => createServer({ openClient, maskKeys: config.maskKeys }));
};

const runHttp = async (args: readonly string[], env: Environment): Promise<void> => {
  const { readHttpOptions } = await import('./http/options.ts');
  const options = readHttpOptions(args, env);
  const { serveHttp } = await import('./http/serve.ts');
  const server = await serveHttp(options);
  process.stdout.write(`order-license-mcp listens on ${server.url}\n`);
  // The second signal finds no listener and ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
};

const refuse = (sentence: string): void => {
  process.stderr.write(`order-license-mcp: ${sentence}\n`);
  process.exitCode = 2;
};
