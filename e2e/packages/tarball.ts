import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const npmInstall = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
/** npm is a script on Windows. */
const shell = process.platform === 'win32';

/** What npm reads of a package. */
export interface Manifest {
  name: string;
  version: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  publishConfig?: Record<string, unknown>;
  repository?: { url?: string; directory?: string };
  n8n?: { nodes: string[]; credentials: string[] };
}

export interface Tarball {
  path: string;
  bytes: number;
  /** Paths inside it, as `listFiles` writes them. */
  files: string[];
  manifest: Manifest;
}

const folders: string[] = [];
// The file of tests that imports this one registers it.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A new folder outside of the repository, until the tests of the file are over. */
export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-packages-'));
  folders.push(folder);
  return folder;
};

/** A chunk that the bundler named, such as `dist/listen-BB1OVQIF.js`: its name and number say nothing to a user. */
const chunk = /[\w-]+-(?=[a-z-]*[A-Z\d_])[\w-]{8}(?=\.(js|d\.ts)$)/;

/** Paths sorted, with one line `dist/*.js` for all chunks of a folder. */
export const listFiles = (paths: readonly string[]): string[] =>
  [...new Set(paths.map((path) => path.replace(chunk, '*')))].sort();

/** Packs one of the folders under `packages`, as it is published, here or in a clone. */
export const pack = (name: string, repository = root): Tarball => {
  const folder = emptyFolder();
  const options = { cwd: join(repository, 'packages', name), encoding: 'utf8', shell } as const;
  const path = join(folder, `${name}.tgz`);
  execFileSync('pnpm', ['pack', '--out', path], options);
  // Not by its whole path: some tar takes the colon of a Windows drive for the name of a host.
  execFileSync('tar', ['-xzf', `${name}.tgz`], { cwd: folder });
  const listed = execFileSync('tar', ['-tzf', `${name}.tgz`], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split(/\r?\n/);
  return {
    path,
    bytes: readFileSync(path).length,
    files: listFiles(listed.map((file) => file.replace(/^package\//, ''))),
    manifest: JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8')),
  };
};

/** Installs packages with npm into a folder of their own, as a user does, and returns it. */
export const install = (packages: readonly string[], flags: readonly string[] = []): string => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  mkdirSync(join(folder, 'node_modules'));
  execFileSync('npm', [...npmInstall, ...flags, ...packages], { cwd: folder, shell, stdio: ['ignore', 'ignore', 2] });
  return folder;
};
