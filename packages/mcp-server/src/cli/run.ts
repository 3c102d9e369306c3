import { isOrderLicenseError } from '@order-license/core/portable';
import { readConfig } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { version } from '../config/version.ts';
import { formatFinding } from '../doctor/findings.ts';
import { writeLine } from '../log/stderr.ts';
import { runStdio } from '../server/stdio.ts';
import { usage } from './usage.ts';

/** Runs the command; exit code 2 for wrong arguments or configuration. */
export const run = async (args: readonly string[], env: Environment): Promise<void> => {
  const [command, ...rest] = args;
  try {
    if (command === undefined) runStdio(readConfig(env));
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

const runHttp = async (args: readonly string[], env: Environment): Promise<void> => {
  const http = await import('../http/run.ts');
  await http.runHttp(args, env);
};

const diagnose = async (env: Environment): Promise<void> => {
  const { runDoctor } = await import('../doctor/doctor.ts');
  process.exitCode = await runDoctor(env, (finding) => process.stdout.write(`${formatFinding(finding)}\n`));
};

const refuse = (sentence: string): void => {
  writeLine(sentence);
  process.exitCode = 2;
};
