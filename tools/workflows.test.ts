import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { makeTree } from './tree.fixture.ts';
import { checkWorkflows } from './workflows.ts';

test('requires permissions, timeouts and valid syntax in a workflow', async () => {
  const root = makeTree({
    '.github/workflows/good.yml':
      'on: push\npermissions: {}\njobs:\n  a: { runs-on: ubuntu-latest, timeout-minutes: 1, steps: [{ run: "true" }] }\n',
    '.github/workflows/loose.yml':
      'on: push\njobs:\n  b: { runs-on: ubuntu-latest, steps: [{ run: "echo \u0024{{ matrix.gone }}" }] }\n',
    '.github/ISSUE_TEMPLATE/broken.yml': 'name: "x\n',
  });
  expect(await checkWorkflows(root)).toEqual([
    expect.stringMatching(/^\.github\/ISSUE_TEMPLATE\/broken\.yml is not valid YAML: /),
    expect.stringMatching(/^\.github\/workflows\/loose\.yml:3 property "gone" is not defined/),
    '.github/workflows/loose.yml declares no permissions, so its jobs get the default permissions; declare the permissions that they need.',
    '.github/workflows/loose.yml: the job b has no timeout-minutes.',
  ]);
});

/** Replaces each tag with a commit, and adds the version in a comment. */
const pin = (workflow: string): string =>
  workflow.replace(/@(v\d+)$/gm, (_, tag) => `@${'0'.repeat(39)}${tag[1]} # ${tag}.0.0`);

const releaseTree = (jobs: Record<string, object>): string =>
  makeTree({
    'package.json': '{ "devDependencies": { "@changesets/cli": "catalog:" } }',
    'pnpm-workspace.yaml': 'catalog:\n  "@changesets/cli": ^3.0.3\n',
    '.github/workflows/release.yml': pin(
      stringify({
        on: 'push',
        permissions: {},
        jobs: Object.fromEntries(
          Object.entries(jobs).map(([name, job]) => [
            name,
            { 'runs-on': 'ubuntu-latest', 'timeout-minutes': 1, ...job },
          ]),
        ),
      }),
    ),
  });
const step = (uses: string, ...inputs: string[]): object => ({
  uses,
  ...(inputs.length > 0 && { with: Object.fromEntries(inputs.map((input) => [input, 'x'])) }),
});

test('requires each action to be pinned by its commit, with its version in a comment', async () => {
  const commit = '0'.repeat(40);
  const root = makeTree({
    '.github/workflows/a.yml': `on: push
permissions: {}
jobs:
  a:
    runs-on: ubuntu-latest
    timeout-minutes: 1
    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-node@${commit}
      - uses: actions/cache@${commit} # v6.0.0
`,
  });
  expect(await checkWorkflows(root)).toEqual([
    expect.stringContaining('actions/checkout@v7 is not pinned'),
    expect.stringContaining(`actions/setup-node@${commit} is not pinned`),
  ]);
});

test('the one required check depends on every other job', () => {
  const { jobs } = parse(readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8'));
  const { needs, ...required } = jobs['all-checks'];
  expect(required.if).toBe('always()');
  expect(['all-checks', ...needs].sort()).toEqual(Object.keys(jobs).sort());
});

test("rejects steps and versions of the Changesets action that cannot read the CLI's report", async () => {
  const root = releaseTree({
    a: {
      steps: [
        step('changesets/action/select-mode@v2'),
        step('changesets/action/version@v2'),
        step('changesets/action/pack@v1', 'publish-plan-artifact-id'),
        step('changesets/action@v2', 'publish-script'),
      ],
    },
  });
  expect(await checkWorkflows(root)).toEqual([
    '.github/workflows/release.yml: changesets/action/version has no input script.',
    '.github/workflows/release.yml: changesets/action/pack v1 is not compatible with @changesets/cli ^3.0.3; use v2.',
    '.github/workflows/release.yml: changesets/action needs all permissions in one job; use select-mode, version, pack and publish.',
  ]);
});

test('requires the publishing job to have an environment of its own, and to build nothing', async () => {
  const publish = step('changesets/action/publish@v2', 'pack-dir-artifact-id');
  const permissions = { 'id-token': 'write' };
  const good = { environment: 'npm', permissions, steps: [publish] };
  expect(await checkWorkflows(releaseTree({ publish: good, other: { steps: [{ run: 'pnpm build' }] } }))).toEqual([]);
  const bad = { publish: { steps: [{ run: 'pnpm build' }, publish] } };
  expect(await checkWorkflows(releaseTree(bad))).toEqual([
    '.github/workflows/release.yml: the job publish publishes without an environment that npm can trust.',
    '.github/workflows/release.yml: the job publish publishes without id-token: write.',
    '.github/workflows/release.yml: the job publish builds with permission to publish; build in a different job.',
  ]);
  const shared = { publish: good, images: { environment: 'npm', steps: [{ run: 'true' }] } };
  expect(await checkWorkflows(releaseTree(shared))).toEqual([
    '.github/workflows/release.yml: the job images shares the environment of publish.',
  ]);
});

test('a release does not unpack an mcp-publisher archive with an unexpected checksum', () => {
  const { jobs } = parse(readFileSync(new URL('../.github/workflows/release.yml', import.meta.url), 'utf8'));
  const [download, publish] = jobs['mcp-registry'].steps.filter(({ run }: { run?: string }) => run);
  const folder = makeTree({
    'bin/curl': '#!/bin/sh\necho something else > mcp-publisher_linux_amd64.tar.gz\n',
    'bin/tar': '#!/bin/sh\ntouch unpacked\n',
  });
  for (const program of ['curl', 'tar']) chmodSync(`${folder}/bin/${program}`, 0o755);
  const env = { ...process.env, ...download.env, PATH: `${folder}/bin:${process.env.PATH}` };
  const { status, stderr } = spawnSync('bash', ['-ec', download.run], { cwd: folder, env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('did NOT match');
  expect(existsSync(`${folder}/unpacked`)).toBe(false);
  expect(publish.run).toMatch(/^\.\/mcp-publisher login/);
});

test("docs/releasing.md lists the workflow's jobs in order", () => {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  const rows = [...read('docs/releasing.md').matchAll(/^\| \*([\w-]+)\* \|/gm)].map(([, job]) => job);
  expect(rows).toEqual(Object.keys(parse(read('.github/workflows/release.yml')).jobs));
});
