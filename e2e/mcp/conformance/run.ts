import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { scripts } from '../install.ts';

const run = async (url: string, revision: string, ...words: string[]) => {
  const command = [scripts.conformance, 'server', '--url', url, '--requirements', revision, ...words];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, output: stdout.slice(stdout.indexOf('=== SUMMARY ===')) };
};

/**
 * Runs the official suite, pinned to a revision, against a server.
 * @returns the number of required scenarios that passed, as `passed/all`
 */
export const runConformance = async (url: string, revision: string): Promise<string> => {
  const { output } = await run(url, revision);
  const unscored = new Set(Array.from(output.matchAll(/^ {2}[✓✗] (\S+) \(/gm), ([, name]) => name));
  const scored = Array.from(output.matchAll(/^([✓✗]) (\S+):/gm)).filter(([, , name]) => !unscored.has(name));
  return `${scored.filter(([, sign]) => sign === '✓').length}/${scored.length}`;
};

/**
 * Runs the suite with a file of expected failures from this folder.
 * @returns code 0 if exactly the failures and warnings listed in the file occurred
 */
export const runWithBaseline = (url: string, revision: string, name: string) =>
  run(url, revision, '--expected-failures', fileURLToPath(new URL(name, import.meta.url)));
