import { parseArgs } from 'node:util';
import { readAddress, readApiKey } from '../probe/address.ts';
import { groupsOf, labelOf, maxQuestions, planLines } from '../probe/ask/questions.ts';
import { type ProbeOptions, probe } from '../probe/probe.ts';
import { renderReport } from '../probe/render.ts';
import type { Terminal } from './terminal.ts';

/** The flags of `order-license-mock probe`, for both help texts. */
export const probeHelp = `  --base-url URL      address of the service; ends in /api/v1
  --with-malformed    also sends requests that clients never send: odd pages, unknown paths, HEAD, wrong keys
  --with-rate-limit   also exceeds the rate limit once (about five minutes)
  --dry-run           lists the questions and exits
  --allow-http-host NAME
                      allows plain HTTP to this host of a private network; may be repeated
  --json              prints the report as JSON
`;

const helpText = `Usage: order-license-mock probe --base-url URL [options]

Probes a real service. Reports what it does where the API docs leave points open, whether its answers match them, and
which flags make the mock behave the same. Reports contain no order data and no keys. The API key is read from the
environment variable ORDER_LICENSE_API_KEY.

By default it asks at most ${maxQuestions(groupsOf(false, false))} questions, one a second, all of them GET requests as the API docs describe them. It reads
up to 20 orders, with their license codes. A firewall may react to what --with-malformed and --with-rate-limit send.

${probeHelp}
Exit codes: 0 if every statement that was checked holds, 3 if one does not, 1 if no answer could be read, 2 for a wrong
flag or variable.
`;

/** The command's environment. */
export interface ProbeSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  fetch: ProbeOptions['fetch'];
  clock: ProbeOptions['clock'];
  /** Timeout for an answer, ms. */
  timeoutMs?: number;
}

/**
 * Runs `order-license-mock probe`. The list of questions and the progress go to stderr, the report to stdout.
 * @returns the exit code: 0 if all checked statements hold, 3 if one does not, 1 if no answer could be read, 2 for an
 *   invalid flag or variable
 */
export const runProbe = async (
  args: string[],
  terminal: Terminal,
  surroundings: ProbeSurroundings,
): Promise<number> => {
  const { stdout, stderr } = terminal;
  let options: Pick<ProbeOptions, 'baseUrl' | 'apiKey' | 'withMalformed' | 'withRateLimit'>;
  let json: boolean;
  try {
    const flags = readFlags(args);
    if (flags.help) {
      stdout.write(helpText);
      return 0;
    }
    const { withMalformed, withRateLimit } = flags;
    const plan = sayPlan(withMalformed, withRateLimit);
    if (flags.dryRun) {
      stdout.write(plan);
      return 0;
    }
    const baseUrl = readAddress(flags.baseUrl, flags.allowHttpHosts);
    const apiKey = readApiKey(surroundings.env.ORDER_LICENSE_API_KEY);
    options = { baseUrl, apiKey, withMalformed, withRateLimit };
    json = flags.json;
    stderr.write(`${plan}\n`);
  } catch (error) {
    stderr.write(`order-license-mock probe: ${(error as Error).message}\nTry probe --help.\n`);
    return 2;
  }
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) terminal.once(signal, () => interrupt.abort());
  const report = await probe({
    ...options,
    ...surroundings,
    signal: interrupt.signal,
    onAnswer: ({ question, status, problem }, count) => {
      stderr.write(
        `${String(count).padStart(3)}  ${status || 'none'}  ${labelOf(question.name)}${problem ? `: ${problem}` : ''}\n`,
      );
    },
    onWait: (ms) => stderr.write(`     waits ${Math.round(ms / 1000)} s\n`),
  });
  stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : `\n${renderReport(report)}`);
  if (!report.readable) return 1;
  return report.statements.some(({ broken }) => broken > 0) ? 3 : 0;
};

const readFlags = (args: string[]) => {
  const { values } = parseArgs({
    args,
    options: {
      'base-url': { type: 'string' },
      'with-malformed': { type: 'boolean' },
      'with-rate-limit': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'allow-http-host': { type: 'string', multiple: true },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
    strict: true,
    allowPositionals: false,
  });
  return {
    baseUrl: values['base-url'],
    withMalformed: values['with-malformed'] ?? false,
    withRateLimit: values['with-rate-limit'] ?? false,
    dryRun: values['dry-run'] ?? false,
    allowHttpHosts: values['allow-http-host'] ?? [],
    json: values.json ?? false,
    help: values.help ?? false,
  };
};

const sayPlan = (withMalformed: boolean, withRateLimit: boolean): string => {
  const groups = groupsOf(withMalformed, withRateLimit);
  const pace = withRateLimit ? 'one a second, those about the limit five a second' : 'one a second';
  return `At most ${maxQuestions(groups)} questions, ${pace}. Maximum of each kind:\n${planLines(groups).join('\n')}\n`;
};
