import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from './redis/debian-package.ts';

/**
 * Returns playwright-core's launch options for a headless Chromium.
 * @throws if there is no Chromium on the PATH or among this system's packages
 */
export const chromiumOptions = () => {
  const program = findProgram('chromium');
  if (!program) throw new Error('Chromium was not found: install the package `chromium`, so that it is on the PATH.');
  // Debian's launcher requires files from an installed Chromium; the program itself does not.
  const bare = join(dirname(program.path), '../lib/chromium/chromium');
  const libraries = program.env.LD_LIBRARY_PATH?.split(':').flatMap((folder) => [folder, join(folder, 'pulseaudio')]);
  return {
    executablePath: existsSync(bare) ? bare : program.path,
    env: { ...program.env, ...(libraries && { LD_LIBRARY_PATH: libraries.join(':') }) },
    args: ['--no-sandbox', '--disable-gpu'],
  };
};
