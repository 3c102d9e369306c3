import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a folder in e2e from the folder's own lockfile, outside the workspace, unless they are
 * already installed.
 * @param message printed before an installation
 */
export const installFolder = (folder: string, message: string, env: NodeJS.ProcessEnv = process.env): void => {
  // The file that holds the hash of the lockfile after a complete installation.
  const mark = join(folder, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'pnpm-lock.yaml')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.error(message);
  execFileSync('pnpm', ['install', '--frozen-lockfile'], {
    cwd: folder,
    env,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32', // pnpm can be a script on some systems
  });
  writeFileSync(mark, wanted);
};
