import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));

export interface Program {
  path: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Finds a program on the PATH. Otherwise, downloads the Debian or Ubuntu package of the same name with its
 * dependencies, and unpacks them into `e2e/.cache`; this needs no root and installs nothing. Returns undefined if there
 * is no such package.
 */
export const findProgram = (name: string): Program | undefined => {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = onPath.find((path) => existsSync(path));
  if (found) return { path: found, env: process.env };
  const root = join(cache, name);
  if (!existsSync(root) && !unpack(name, root)) return undefined;
  const lib = join(root, 'usr/lib');
  const libraries = existsSync(lib) ? readdirSync(lib).map((folder) => join(lib, folder)) : [];
  const path = ['usr/bin', 'usr/sbin'].map((folder) => join(root, folder, name)).find((path) => existsSync(path));
  return path === undefined ? undefined : { path, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(delimiter) } };
};

const unpack = (name: string, root: string): boolean => {
  const needed = whatInstallingWouldUnpack(name);
  if (needed.length === 0) return false;
  console.error(`${name}: not installed; fetching ${needed.join(', ')}`);
  const part = `${root}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  run('apt-get', ['download', ...needed], part);
  for (const file of readdirSync(part).filter((file) => file.endsWith('.deb'))) run('dpkg', ['-x', file, '.'], part);
  renameSync(part, root);
  return true;
};

const whatInstallingWouldUnpack = (name: string): string[] => {
  try {
    const plan = run('apt-get', ['install', '--simulate', '--no-install-recommends', name]);
    return Array.from(plan.matchAll(/^Inst (\S+)/gm), ([, name = '']) => name);
  } catch {
    return []; // apt is not installed, or has no such package
  }
};

const run = (command: string, words: string[], cwd?: string): string =>
  execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
