import { type ProbeOptions, probe } from '../probe/probe.ts';
import { countFor, planFor, type Wishes } from '../probe/questions.ts';
import { renderReport } from '../probe/render.ts';
import { flagsIn, readFlags } from './help-flags.ts';
import { readAddress, readApiKey } from './probe-address.ts';

/** The flags of `order-license-mock probe`, for both help texts. */
export const probeHelp = `  --base-url URL      address of the API; must end in /api/v1
  --with-malformed    also sends malformed requests, such as page=0, an unknown path or an unknown key
  --other-order ID    also requests this order, which must belong to a different account
  --dry-run           lists the requests without sending them
  --allow-http-host NAME
                      allows plain HTTP to this host on a private network; may be repeated
  --json              prints the report as JSON
`;

const helpText = (): string => `Usage: order-license-mock probe --base-url URL [options]

Asks a real API. For each question that the API docs leave open, prints what the API does, whether the packages cope
with it, and the mock's setting to try. Also checks statements in the API docs, such as how the list is sorted. The
report contains no order data and no keys.

The API key is read from the environment variable ORDER_LICENSE_API_KEY.

By default, the probe sends at most ${countFor({ withMalformed: false })} requests, one per second. All of them are documented GET requests. They
read up to 14 orders with their license codes. The requests that --with-malformed adds may make a firewall block you.

Options:
${probeHelp}
Exit codes: 0 if all checked statements hold, 3 if one does not, 1 if no response could be read, 2 for an invalid flag
or variable.
`;

/** The parts of `process` that the command uses. */
export interface Terminal {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** The parts of the environment that the command uses. */
export interface ProbeSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  fetch: ProbeOptions['fetch'];
  sleep: ProbeOptions['sleep'];
  /** Timeout for a response, ms. */
  timeoutMs?: number;
}

/**
 * Runs `order-license-mock probe`. The list of requests and the progress go to stderr, the report to stdout.
 * @returns the exit code: 0 if all checked statements hold, 3 if one does not, 1 if no response could be read, 2 for an
 * invalid flag or variable
 */
export const runProbe = async (
  args: string[],
  terminal: Terminal,
  surroundings: ProbeSurroundings,
): Promise<number> => {
  const { stdout, stderr } = terminal;
  let options: Pick<ProbeOptions, 'baseUrl' | 'apiKey'> & Wishes;
  let flags: Record<string, unknown>;
  try {
    flags = readFlags(args, { ...flagsIn(probeHelp), help: { type: 'boolean', short: 'h' } });
    const { 'base-url': baseUrl, 'other-order': otherOrder, 'allow-http-host': hosts } = flags as Values;
    const withMalformed = flags['with-malformed'] === true;
    if (otherOrder !== undefined && !/^\d{1,16}$/.test(otherOrder))
      throw new Error('--other-order is not an order ID. Pass only digits.');
    const wishes = { withMalformed, otherOrder };
    if (flags.help || flags['dry-run']) {
      stdout.write(flags.help ? helpText() : sayPlan(wishes));
      return 0;
    }
    const address = readAddress(baseUrl, hosts);
    options = { baseUrl: address, apiKey: readApiKey(surroundings.env.ORDER_LICENSE_API_KEY), ...wishes };
    stderr.write(`${sayPlan(wishes)}\n`);
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
        `${String(count).padStart(3)}  ${status || 'none'}  ${question.label}${problem ? `: ${problem}` : ''}\n`,
      );
    },
    onWait: (ms) => stderr.write(`     waits ${Math.round(ms / 1000)} s\n`),
  });
  stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${renderReport(report)}`);
  if (!report.readable) return 1;
  return report.statements.some(({ holds }) => !holds) ? 3 : 0;
};

/** The flags with a value. */
interface Values {
  'base-url'?: string;
  'other-order'?: string;
  'allow-http-host'?: string[];
}

const sayPlan = (wishes: Wishes): string => {
  const lines = planFor(wishes).map(({ label, max }) => `  ${String(max).padStart(3)}  ${label}\n`);
  return `At most ${countFor(wishes)} requests, one per second. Maximum number of each kind:\n${lines.join('')}`;
};
