import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cloneRepository } from './packages/clone.ts';
import { emptyFolder, listFiles, pack, type Tarball } from './packages/tarball.ts';

/** Nothing listens at this address, so nothing can be published. */
const nowhere = ['--registry', 'http://127.0.0.1:9/', '--fetch-retries', '0'];
const packages = ['core', 'mock-api', 'mcp-server', 'n8n-nodes'] as const;
const shell = process.platform === 'win32';
const clone = emptyFolder();

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: clone, shell, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
const versionOf = (path: string): string => JSON.parse(read(path)).version;

let before: string;
beforeAll(() => {
  cloneRepository(clone);
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline']);
  before = versionOf('packages/core/package.json');
  writeFileSync(join(clone, '.changeset/one-line.md'), '---\n"n8n-nodes-order-license": minor\n---\n\nOne line.\n');
  run('pnpm', ['run', 'version-packages']);
  run('pnpm', ['run', 'build']);
});

test('one changeset updates the four packages and every file that repeats their version', () => {
  const versions = packages.map((name) => versionOf(`packages/${name}/package.json`));
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).not.toBe(before);
  expect(versionOf('packages/mcp-server/server.json')).toBe(versions[0]);
  for (const name of packages) expect(read(`packages/${name}/CHANGELOG.md`)).toContain(`\n## ${versions[0]}\n`);
  expect(read('packages/n8n-nodes/CHANGELOG.md')).toContain('One line.');
  expect(run(process.execPath, ['packages/mcp-server/dist/cli.js', '--version']).trim()).toBe(versions[0]);
});

test('the release changes only versions, and passes the checks', () => {
  const changed = run('git', ['status', '--porcelain'])
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[1]);
  const meant =
    /^(\.changeset\/|packages\/[\w-]+\/(package\.json|CHANGELOG\.md|server\.json|plugin\/\.claude-plugin\/plugin\.json)$|pnpm-lock\.yaml$)/;
  expect(changed.filter((file) => !meant.test(file ?? ''))).toEqual([]);
  run('pnpm', ['exec', 'biome', 'check', '--error-on-warnings', 'packages/mcp-server']);
});

describe.each(packages)('%s', (name) => {
  let tarball: Tarball;
  beforeAll(() => {
    tarball = pack(name, clone);
  });

  test('would be published publicly, with provenance', () => {
    const { manifest } = tarball;
    expect(manifest).toMatchObject({
      publishConfig: { access: 'public', provenance: true },
      keywords: expect.arrayContaining([expect.any(String)]),
      repository: {
        url: expect.stringMatching(/^git\+https:\/\/github\.com\/.+\.git$/),
        directory: `packages/${name}`,
      },
    });
    expect(Object.values({ ...manifest.dependencies, ...manifest.peerDependencies }).join()).not.toMatch(
      /workspace|catalog/,
    );
  });

  test('would be published with exactly the listed files', async () => {
    const said = run('npm', ['publish', tarball.path, '--dry-run', '--json', ...nowhere]);
    const published = JSON.parse(said);
    const { id, files } = (published[tarball.manifest.name] ?? published) as { id: string; files: { path: string }[] };
    expect(id).toBe(`${tarball.manifest.name}@${versionOf(`packages/${name}/package.json`)}`);
    expect(listFiles(files.map((file) => file.path))).toEqual(tarball.files);
    await expect(`${tarball.files.join('\n')}\n`).toMatchFileSnapshot(`packages/contents/${name}.txt`);
  });
});
