import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from './redis/debian-package.ts';

/**
 * Launch options for a headless Chromium in playwright-core.
 * @throws if there is no Chromium on the path or among the packages of this system
 */
export const chromiumOptions = () => {
  const program = findProgram('chromium');
  if (!program) throw new Error('Chromium is missing: install the package `chromium`, so that it is on the path.');
  // Debian's launcher requires files of an installed Chromium; the program itself does not.
  const bare = join(dirname(program.path), '../lib/chromium/chromium');
  const libraries = program.env.LD_LIBRARY_PATH?.split(':').flatMap((folder) => [folder, join(folder, 'pulseaudio')]);
  return {
    executablePath: existsSync(bare) ? bare : program.path,
    env: { ...program.env, ...(libraries && { LD_LIBRARY_PATH: libraries.join(':') }) },
    args: ['--no-sandbox', '--disable-gpu'],
  };
};
