import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installFolder } from '../install-folder.ts';

const here = import.meta.dirname;
const command = join(here, 'node_modules/n8n/bin/n8n');

/**
 * Installs n8n from the lockfile of this folder, outside the workspace: about 2 GB, and some minutes the first time,
 * since sqlite3 is compiled if it cannot be downloaded (requires a C++ compiler, make and Python).
 * @returns the file to run with Node
 */
export const installN8n = (): string => {
  const env = { npm_config_nodedir: nodeWithHeaders(), ...process.env };
  installFolder(here, 'Installing n8n into e2e/n8n/node_modules: 2 GB, some minutes the first time.', env);
  return command;
};

/** Existing headers need not be downloaded; any version works, since sqlite3 builds on the stable Node-API. */
const nodeWithHeaders = (): string | undefined =>
  [dirname(dirname(process.execPath)), '/usr/local', '/usr'].find((folder) =>
    existsSync(join(folder, 'include/node/node_api.h')),
  );

/** A package installed with n8n: smtp-server. Installs both if missing. */
export const requireBesideN8n = (name: string): unknown => {
  installN8n();
  return createRequire(import.meta.url)(name);
};

const fromN8n = () => {
  installN8n();
  return createRequire(realpathSync(join(here, 'node_modules/n8n/package.json')));
};

/** A package that n8n depends on, such as playwright-core. Installs n8n if missing. */
export const requireFromN8n = (name: string): unknown => fromN8n()(name);

/** The path of a file of such a package. */
export const resolveFromN8n = (name: string): string => fromN8n().resolve(name);
