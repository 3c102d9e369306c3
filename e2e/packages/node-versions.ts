import { execFileSync } from 'node:child_process';

const shell = process.platform === 'win32';

/** A Node of this major version: the running one, or else the newest from the npm registry. */
export const findNode = (major: number): string => {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const args = ['-y', '-p', `node@${major}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npx', args, { encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
};
