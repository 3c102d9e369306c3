import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const versions = { '@stoplight/prism-cli': '5.16.0', 'json-server': '0.17.4' };

/**
 * The folder where the compared servers are installed. It is not covered by the workspace's lockfile, and is kept
 * between runs.
 */
export const cache = fileURLToPath(new URL('../node_modules/.cache/bench/', import.meta.url));

/** Installs the compared servers if needed, and returns the scripts that start them. */
export const installPeers = (): { prism: string; jsonServer: string } => {
  mkdirSync(cache, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies: versions });
  const done = join(cache, `installed-${Object.values(versions).join('-')}`);
  if (!existsSync(done)) {
    writeFileSync(join(cache, 'package.json'), manifest);
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeFileSync(done, manifest);
  }
  return {
    prism: join(cache, 'node_modules/@stoplight/prism-cli/dist/index.js'),
    jsonServer: join(cache, 'node_modules/json-server/lib/cli/bin.js'),
  };
};
