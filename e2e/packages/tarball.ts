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

/** What npm reads from a package. */
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
  /** Paths inside it, in the format of `listFiles`. */
  files: string[];
  manifest: Manifest;
}

const folders: string[] = [];
// The importing test file registers it.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A new folder outside the repository, until the file's tests end. */
export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-packages-'));
  folders.push(folder);
  return folder;
};

/** A chunk named by the bundler, such as `dist/listen-BB1OVQIF.js`: users don't depend on its name or number. */
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
  // Not by its full path: some versions of tar interpret the colon of a Windows drive as the end of a host name.
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

/** Installs packages with npm into their own folder, as a user does, and returns it. */
export const install = (packages: readonly string[], flags: readonly string[] = []): string => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  mkdirSync(join(folder, 'node_modules'));
  execFileSync('npm', [...npmInstall, ...flags, ...packages], { cwd: folder, shell, stdio: ['ignore', 'ignore', 2] });
  return folder;
};
