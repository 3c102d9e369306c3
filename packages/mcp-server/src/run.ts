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
    else if (command === 'doctor' && rest.length === 0) await diagnose(env);
    else refuse('There is no such command or option; see --help.');
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    refuse(error.message);
  }
};

const runStdio = (env: Environment): void => {
  const config = readConfig(env);
  const openClient = createClientOpener(config);
  serveStdio(() => createServer({ openClient, maskKeys: config.maskKeys }), { maxSubscriptions: 0 });
};

const runHttp = async (args: readonly string[], env: Environment): Promise<void> => {
  const http = await import('./http/run.ts');
  await http.runHttp(args, env);
};

const diagnose = async (env: Environment): Promise<void> => {
  const { runDoctor } = await import('./doctor.ts');
  process.exitCode = await runDoctor(env, (line) => process.stdout.write(`${line}\n`));
};

const refuse = (sentence: string): void => {
  process.stderr.write(`order-license-mcp: ${sentence}\n`);
  process.exitCode = 2;
};
