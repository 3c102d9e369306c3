import { isOrderLicenseError } from '@order-license/core/portable';
import { type Config, readConfig } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { variablesOnlyFor } from '../config/variables.ts';
import { version } from '../config/version.ts';
import { formatFinding } from '../doctor/findings.ts';
import { writeLine } from '../log/stderr.ts';
import { onSignal } from '../server/on-signal.ts';
import { runStdio } from '../server/stdio.ts';
import { usage } from './usage.ts';

/** Runs the command. Sets exit code 2 if an argument or the configuration is invalid. */
export const run = async (args: readonly string[], env: Environment): Promise<void> => {
  onSignal();
  process.stdout.on('error', () => undefined); // the program that reads the output may end early, as `head` does
  const [command, ...rest] = args;
  try {
    if (args.includes('--help') || args.includes('-h')) process.stdout.write(usage);
    else if (command === undefined) await startStdio(env);
    else if (command === '--version') process.stdout.write(`${version}\n`);
    else if (command === 'http') await runHttp(rest, env);
    else if (command === 'doctor') await diagnose(rest, env);
    else reject('Unknown command or option; see --help.');
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    reject(error.message);
  }
};

/** Over stdio, a configuration error is also sent to the client. */
const startStdio = async (env: Environment): Promise<void> => {
  const { stdin } = process;
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    reject(error.message);
    if (stdin.isTTY) return;
    const { answerWithError } = await import('../server/answer-with-error.ts');
    await answerWithError(error.message);
    return;
  }
  for (const name of variablesOnlyFor('http'))
    if (env[name] !== undefined) writeLine(`${name} has no effect over stdio.`);
  if (stdin.isTTY) writeLine('Waiting for an MCP client on stdin. To check the setup, run order-license-mcp doctor.');
  runStdio(config);
};

const runHttp = async (args: readonly string[], env: Environment): Promise<void> => {
  const http = await import('../http/run.ts');
  await http.runHttp(args, env);
};

const diagnose = async (args: readonly string[], env: Environment): Promise<void> => {
  const { runDoctor } = await import('../doctor/doctor.ts');
  process.exitCode = await runDoctor(args, env, (finding) => process.stdout.write(`${formatFinding(finding)}\n`));
};

const reject = (sentence: string): void => {
  writeLine(sentence);
  process.exitCode = 2;
};
