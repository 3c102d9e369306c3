import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { scripts } from '../install.ts';

/**
 * Runs the official suite, pinned to a revision, against a server.
 * @param baseline a file of expected failures in this folder
 * @returns code 0 if exactly the failures and warnings listed in the file occurred
 */
export const runConformance = async (url: string, revision: string, baseline: string) => {
  const expected = fileURLToPath(new URL(baseline, import.meta.url));
  const words = ['--url', url, '--requirements', revision, '--expected-failures', expected];
  const child = spawn(process.execPath, [scripts.conformance, 'server', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, summary: stdout.slice(stdout.indexOf('=== SUMMARY ===')) };
};
