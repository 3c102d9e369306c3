import { setTimeout } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { entryText } from '../journal/journal-entry.ts';
import { rejectOldNode } from '../node-version.ts';
import { isLoopback } from '../server/hosts.ts';
import { listen, type MockServer } from '../server/listen.ts';
import { helpText, readCommandLine, settingsHelp } from './flags.ts';
import { type ProbeSurroundings, runProbe, type Terminal } from './probe.ts';

/**
 * Runs `order-license-mock` until a stop signal, or its `probe` until the report is complete.
 * @param nodeVersion Default: the running version.
 * @returns the exit code: 0, or 2 for an old Node.js, an invalid flag or file, or a port in use. `probe` has its own
 * exit codes.
 */
export const run = async (args: string[], terminal: Terminal, nodeVersion?: string): Promise<number> => {
  try {
    rejectOldNode(nodeVersion);
  } catch (error) {
    terminal.stderr.write(`order-license-mock: ${(error as Error).message}\n`);
    return 2;
  }
  if (args[0] === 'probe') return runProbe(args.slice(1), terminal, surroundings());
  const { stdout, stderr } = terminal;
  let server: MockServer;
  let json: unknown;
  try {
    if (args.join(' ') === '--help settings') {
      stdout.write(settingsHelp());
      return 0;
    }
    const options = readCommandLine(args);
    if (options.help) {
      stdout.write(helpText());
      return 0;
    }
    if (options.version) {
      stdout.write(`${packageJson.version}\n`);
      return 0;
    }
    json = options.json;
    server = await listen(options.listen);
    const { host = '127.0.0.1' } = options.listen;
    if (!isLoopback(host)) stderr.write(openSentence(host, server.controlUrl !== undefined));
    if (options.verbose) server.journal.subscribe((entry) => stderr.write(`${entryText(entry)}\n`));
  } catch (error) {
    stderr.write(`order-license-mock: ${(error as Error).message}\nTry --help.\n`);
    return 2;
  }
  // Listens for the signals before printing the greeting, since a program that reads it may stop the server at once.
  const stopped = new Promise<void>((resolve) => {
    terminal.once('SIGINT', resolve);
    terminal.once('SIGTERM', resolve);
  });
  stdout.write(json ? `${jsonLine(server)}\n` : greeting(server));
  await stopped;
  await server.close();
  return 0;
};

const openSentence = (host: string, controlled: boolean): string =>
  `WARNING: The mock listens on ${host}. Anyone who can reach this machine can read${controlled ? ' and control' : ''} the mock without a password.\n`;

const surroundings = (): ProbeSurroundings => ({
  env: process.env,
  fetch,
  sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}),
});

const jsonLine = ({ baseUrl, controlUrl, keys }: MockServer): string => JSON.stringify({ baseUrl, controlUrl, keys });

const greeting = ({ baseUrl, controlUrl, keys }: MockServer): string => {
  const lines = Object.entries(keys).map(([name, key]) => `  ${name.padEnd(15)} ${key}`);
  return `Mock API at ${baseUrl}
${controlUrl ? `Page and control API at ${controlUrl}, sample orders at ${controlUrl}/samples\n` : ''}API keys
${lines.join('\n')}

export ORDER_LICENSE_BASE_URL=${baseUrl} ORDER_LICENSE_API_KEY=${keys.business}
curl -H 'Authorization: Bearer ${keys.business}' -H 'Accept: application/json' ${baseUrl}/orders

Press Ctrl-C to stop the mock.
`;
};
