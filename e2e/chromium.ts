import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from './redis/debian-package.ts';

/**
 * What playwright-core starts a Chromium without a window with.
 * @throws when there is no Chromium, neither on the path nor among the packages of this system
 */
export const chromiumOptions = () => {
  const program = findProgram('chromium');
  if (!program) throw new Error('Chromium is missing: install the package `chromium`, so that it is on the path.');
  // Debian's launcher reads files of an installed Chromium; the program itself needs none.
  const bare = join(dirname(program.path), '../lib/chromium/chromium');
  const libraries = program.env.LD_LIBRARY_PATH?.split(':').flatMap((folder) => [folder, join(folder, 'pulseaudio')]);
  return {
    executablePath: existsSync(bare) ? bare : program.path,
    env: { ...program.env, ...(libraries && { LD_LIBRARY_PATH: libraries.join(':') }) },
    args: ['--no-sandbox', '--disable-gpu'],
  };
};
