import { globSync } from 'node:fs';
import { read } from './docs-check/markdown.ts';

const page = 'docs/decisions.md';
const manifests = ['package.json', '*/package.json', 'packages/*/package.json', 'e2e/*/package.json'];

/**
 * Checks that docs/decisions.md has a reason for every dependency of every package in the repository, and for nothing
 * else.
 */
export const checkDependencies = (root: string): string[] => {
  const users = new Map<string, string>();
  const own = new Set<string>();
  for (const file of globSync(manifests, { cwd: root, exclude: (path) => path.includes('node_modules') })) {
    const manifest = JSON.parse(read(root, file));
    own.add(manifest.name);
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
      for (const name of Object.keys(manifest[kind] ?? {})) users.set(name, file);
    }
  }
  const [, section = ''] = read(root, page).split(/^## Dependencies.*$/m);
  const cells = [...section.matchAll(/^\| ([^|]+)\|/gm)].slice(2).flatMap(([, cell = '']) => cell.split(','));
  const named = cells.map((name) => name.replaceAll('`', '').trim());
  return [
    ...[...users]
      .filter(([name]) => !own.has(name) && !named.includes(name))
      .map(([name, file]) => `${page} has no reason for ${name}, a dependency of ${file}.`),
    ...named.filter((name) => !users.has(name)).map((name) => `${page} names ${name}, which is not a dependency.`),
  ].sort();
};
