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

/** The part of a package.json that npm reads. */
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
  /** The paths in the tarball, in the format of `listFiles`. */
  files: string[];
  manifest: Manifest;
}

const folders: string[] = [];
// Each test file that imports this module registers this cleanup.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Creates a folder outside the repository, which is removed after the test file's last test. */
export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-packages-'));
  folders.push(folder);
  return folder;
};

/**
 * A chunk that the bundler named, such as `dist/listen-BB1OVQIF.js`. Users don't depend on the names or number of
 * chunks.
 */
const chunk = /[\w-]+-(?=[a-z-]*[A-Z\d_])[\w-]{8}(?=\.(js|d\.ts)$)/;

/** Sorts paths, and replaces all chunks of a folder with one line, such as `dist/*.js`. */
const listFiles = (paths: readonly string[]): string[] =>
  [...new Set(paths.map((path) => path.replace(chunk, '*')))].sort();

/** Packs a package of this repository or of a clone, as it would be published. */
export const pack = (name: string, repository = root): Tarball => {
  const folder = emptyFolder();
  const options = { cwd: join(repository, 'packages', name), encoding: 'utf8', shell } as const;
  const path = join(folder, `${name}.tgz`);
  execFileSync('pnpm', ['pack', '--out', path], options);
  // The path is relative, because some versions of tar read the colon of a Windows drive as the end of a host name.
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

/** Returns a package for `install`, in the version that `user`, a package of this repository, depends on. */
export const pinned = (name: string, user: string): string => {
  const manifest = join(root, 'packages', user, 'node_modules', name, 'package.json');
  return `${name}@${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
};

/** Installs packages with npm into a new folder, as a user does, and returns the folder. */
export const install = (packages: readonly string[], flags: readonly string[] = []): string => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  mkdirSync(join(folder, 'node_modules'));
  execFileSync('npm', [...npmInstall, ...flags, ...packages], { cwd: folder, shell, stdio: ['ignore', 'ignore', 2] });
  return folder;
};
