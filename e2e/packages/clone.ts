import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const author = ['-c', 'user.name=Release', '-c', 'user.email=release@order-license.example'];

/**
 * Copies the repository in its current state to an empty folder, and commits it there. Nothing is installed or built.
 */
export const cloneRepository = (folder: string): void => {
  const run = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 2] });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0')) {
    if (file && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
  run('init', '--quiet', '--initial-branch', 'main');
  run('add', '--all');
  run(...author, 'commit', '--quiet', '--message', 'As it stands');
};
