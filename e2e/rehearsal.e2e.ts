// Rehearses a release, from the clean repository to the user, on a separate registry. Omits what needs GitHub and npm:
// provenance, the pull request, images, and other registries.
import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { cloneRepository } from './packages/clone.ts';
import { emptyFolder } from './packages/tarball.ts';
import { type Registry, startRegistry } from './registry/registry.ts';

const shell = process.platform === 'win32';
const folders: Record<string, string> = {
  '@order-license/core': 'core',
  '@order-license/mcp-server': 'mcp-server',
  '@order-license/mock-api': 'mock-api',
  'n8n-nodes-order-license': 'n8n-nodes',
};
const names = Object.keys(folders);

/** There are two checkouts, as in the release workflow: one job builds and packs, and another publishes the result. */
const packing = emptyFolder();
const publishing = emptyFolder();
const packed = join(emptyFolder(), 'packed');

let registry: Registry;
let version: string;
/** The lines of `git status` after the versions were raised. */
let changed: string[];
let notes: Record<string, string>;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command asynchronously, because the registry runs in this process. */
const run = async (cwd: string, command: string, args: readonly string[], env = registry.env): Promise<Outcome> => {
  try {
    return { code: 0, ...(await promisify(execFile)(command, args, { cwd, shell, env, timeout: 240_000 })) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as ExecFileException;
    return { code: Number(code), stdout, stderr };
  }
};

const succeed = async (...[cwd, command, args, env]: Parameters<typeof run>): Promise<string> => {
  const { code, stdout, stderr } = await run(cwd, command, args, env);
  expect(code, `${command} ${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
  return stdout;
};

/** Publishes as changesets/action/publish does, and returns the tags that it would create. */
const publish = async (): Promise<{ code: number; tags: string[] }> => {
  const report = join(emptyFolder(), 'report.ndjson');
  const env = { ...registry.env, CHANGESETS_OUTPUT: report };
  const { code } = await run(publishing, 'pnpm', ['exec', 'changeset', 'publish', '--from-pack-dir', packed], env);
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : [];
  return { code, tags: lines.map((line) => JSON.parse(line).tag).sort() };
};

const readPlan = async (): Promise<{ name: string; version: string }[]> => {
  const plan = join(emptyFolder(), 'plan.json');
  await succeed(packing, 'pnpm', ['exec', 'changeset', 'publish-plan', '--output', plan]);
  return JSON.parse(readFileSync(plan, 'utf8')).plan.flat();
};

const versionsOf = async (name: string): Promise<string[]> =>
  [JSON.parse(await succeed(packing, 'npm', ['view', name, 'versions', '--json']))].flat();

beforeAll(async () => {
  registry = await startRegistry(emptyFolder());
  cloneRepository(packing);
  const install = ['install', '--frozen-lockfile', '--prefer-offline'];
  await succeed(packing, 'pnpm', install, process.env);
  writeFileSync(join(packing, '.changeset/one-line.md'), '---\n"@order-license/core": minor\n---\n\nOne line.\n');
  await succeed(packing, 'pnpm', ['run', 'version-packages'], process.env);
  changed = (await succeed(packing, 'git', ['status', '--porcelain'])).trim().split('\n');
  const author = ['-c', 'user.name=Release', '-c', 'user.email=release@order-license.example'];
  await succeed(packing, 'git', ['add', '--all']);
  await succeed(packing, 'git', [...author, 'commit', '--quiet', '--message', 'Version Packages']);
  await succeed(publishing, 'git', ['clone', '--quiet', packing, '.']);
  await succeed(publishing, 'git', ['config', 'user.name', 'Release']);
  await succeed(publishing, 'git', ['config', 'user.email', 'release@order-license.example']);
  await succeed(publishing, 'pnpm', [...install, '--filter', 'order-license-kit'], process.env);
  version = JSON.parse(readFileSync(join(packing, 'packages/core/package.json'), 'utf8')).version;
  notes = Object.fromEntries(
    names.map((name) => [name, readFileSync(join(packing, 'packages', folders[name] ?? '', 'CHANGELOG.md'), 'utf8')]),
  );
}, 300_000);
afterAll(() => registry?.close());

test('one changeset raises the four packages and every file that repeats their version, and changes nothing else', async () => {
  for (const name of Object.values(folders)) {
    const { version: own } = JSON.parse(readFileSync(join(packing, 'packages', name, 'package.json'), 'utf8'));
    expect(own).toBe(version);
  }
  expect(JSON.parse(readFileSync(join(packing, 'packages/mcp-server/server.json'), 'utf8')).version).toBe(version);
  const meant =
    /^(\.changeset\/|packages\/[\w-]+\/(package\.json|CHANGELOG\.md|server\.json|plugin\/\.claude-plugin\/plugin\.json)$|pnpm-lock\.yaml$)/;
  expect(changed.filter((line) => !meant.test(line.trim().split(/\s+/)[1] ?? ''))).toEqual([]);
  await succeed(packing, 'pnpm', ['exec', 'biome', 'check', '--error-on-warnings', 'packages/mcp-server'], process.env);
});

test('the commands in the docs publish placeholders, and register the release workflow as a trusted publisher', {
  timeout: 240_000,
}, async () => {
  const docs = readFileSync(new URL('../docs/releasing.md', import.meta.url), 'utf8');
  const [, commands = ''] = /```sh no-run: publishes packages\n(.*?)```/s.exec(docs) ?? [];
  await succeed(emptyFolder(), 'sh', ['-ec', commands]);
  expect([...registry.published].sort()).toEqual(names);
  const repository = 'order-license/order-license-kit';
  for (const name of names) {
    expect(await versionsOf(name)).toEqual(['0.0.0']);
    const claims = { repository, workflow_ref: { file: 'release.yml' }, environment: 'npm' };
    expect(registry.trusted.get(name)).toEqual([{ type: 'github', claims, permissions: ['createPackage'] }]);
  }
});

test('plans and packs the versions that npm does not have', { timeout: 300_000 }, async () => {
  expect((await readPlan()).map((release) => `${release.name}@${release.version}`).sort()).toEqual(
    names.map((name) => `${name}@${version}`),
  );
  await succeed(packing, 'pnpm', ['run', 'build'], process.env);
  await succeed(packing, 'pnpm', ['exec', 'changeset', 'pack', '--out-dir', packed]);
});

test('if npm rejects a package, the release reports it, and tags the packages that were published', async () => {
  registry.rejected.add('@order-license/mcp-server');
  const { code, tags } = await publish();
  registry.rejected.clear();
  expect(code).toBe(1);
  expect(tags).toEqual(names.filter((name) => !name.endsWith('mcp-server')).map((name) => `${name}@${version}`));
  expect(await versionsOf('@order-license/mcp-server')).toEqual(['0.0.0']);
});

test('a second attempt publishes the remaining packages', async () => {
  expect(await publish()).toEqual({ code: 0, tags: [`@order-license/mcp-server@${version}`] });
  for (const name of names) expect(await versionsOf(name)).toEqual(['0.0.0', version]);
});

test('a run after a complete release plans, publishes and tags nothing', async () => {
  const before = [...registry.published];
  expect(await readPlan()).toEqual([]);
  expect(await publish()).toEqual({ code: 0, tags: [] });
  expect(registry.published).toEqual(before);
});

test('every tag has release notes', () => {
  for (const name of names) expect(notes[name]).toMatch(new RegExp(`\\n## ${version}\\n\\n### `));
  expect(notes['@order-license/core']).toContain('One line.');
});

test('npx runs the doctor of the MCP server', { timeout: 240_000 }, async () => {
  const mock = await listen({ limit: 'off' });
  const settings = { ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_API_KEY: mock.keys.business };
  const env = { ...registry.env, ...settings, ORDER_LICENSE_STORE: 'memory' };
  const args = ['-y', '@order-license/mcp-server'];
  expect(await succeed(emptyFolder(), 'npx', [...args, 'doctor'], env)).not.toContain('fail');
  expect(await succeed(emptyFolder(), 'npx', [...args, '--version'], env)).toBe(`${version}\n`);
  await mock.close();
});
