import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installFolder } from '../install-folder.ts';

const here = import.meta.dirname;
const command = join(here, 'node_modules/n8n/bin/n8n');

/**
 * Installs n8n from this folder's lockfile, outside the workspace. It needs about 2 GB, and several minutes the first
 * time. If sqlite3 cannot be downloaded, it is compiled, which requires a C++ compiler, make and Python.
 * @returns the file to run with Node
 */
export const installN8n = (): string => {
  const env = { npm_config_nodedir: nodeWithHeaders(), ...process.env };
  installFolder(
    here,
    'Installing n8n into e2e/n8n/node_modules. The first time, this needs about 2 GB and several minutes.',
    env,
  );
  return command;
};

/**
 * Finds a folder with Node's headers, so that they need not be downloaded. Headers of any version work, because sqlite3
 * uses the stable Node-API.
 */
const nodeWithHeaders = (): string | undefined =>
  [dirname(dirname(process.execPath)), '/usr/local', '/usr'].find((folder) =>
    existsSync(join(folder, 'include/node/node_api.h')),
  );

/**
 * Loads a package that is installed next to n8n, such as smtp-server. Installs n8n and the package if they are missing.
 */
export const requireBesideN8n = (name: string): unknown => {
  installN8n();
  return createRequire(import.meta.url)(name);
};

/** Returns the path of a file in a package that n8n depends on. Installs n8n if it is missing. */
export const resolveFromN8n = (name: string): string => {
  installN8n();
  return createRequire(realpathSync(join(here, 'node_modules/n8n/package.json'))).resolve(name);
};
