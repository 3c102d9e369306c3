import { execFileSync } from 'node:child_process';

const shell = process.platform === 'win32';

/**
 * Finds a Node of this version, such as `22` or `22.7.0`: the running one if it fits, otherwise the newest from the npm
 * registry.
 */
export const findNode = (version: number | string): string => {
  if (`${process.versions.node}.`.startsWith(`${version}.`)) return process.execPath;
  const args = ['-y', '-p', `node@${version}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npx', args, { encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
};
