import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';

const dev = fileURLToPath(new URL('../dev', import.meta.url));
const scripts = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).scripts;

/** Creates a PATH with these stubs, and with the programs of most systems. */
const makePath = (stubs: Record<string, string> = {}, programs = ['sh', 'dirname', 'sed', 'grep']): string => {
  const folder = temporaryFolder();
  for (const name of programs) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(folder, name));
  }
  for (const [name, script] of Object.entries(stubs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
};

const run = (args: string[], env: NodeJS.ProcessEnv = {}, file = dev) => {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, stdout, stderr };
};

test('without arguments, lists its commands, each of which is in package.json', () => {
  const { status, stdout, stderr } = run([], { PATH: makePath() });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const names = [...stdout.matchAll(/^\.\/dev (\S+) +\S.*$/gm)].map(([, name]) => name);
  expect(names.length).toBe(stdout.trim().split('\n').length);
  expect(names).toEqual(expect.arrayContaining(['demo', 'test', 'check', 'e2e', 'n8n']));
  expect([...Object.keys(scripts), 'pnpm']).toEqual(expect.arrayContaining(names));
});

test('rejects an unknown command before anything is downloaded', () => {
  const rejection = './dev: unknown command "tset"; ./dev without arguments lists the commands.\n';
  expect(run(['tset'], { PATH: makePath() })).toEqual({ status: 2, stdout: '', stderr: rejection });
});

test('names a missing grep', () => {
  const stderr = './dev: grep is not on the PATH; install it.\n';
  expect(run(['test'], { PATH: makePath({}, ['sh', 'dirname', 'sed']) })).toEqual({ status: 1, stdout: '', stderr });
});

test('names a missing git where a command needs it', () => {
  const stderr = './dev: git is not on the PATH; install it, because parts of e2e clone the repository.\n';
  expect(run(['e2e'], { PATH: makePath() })).toEqual({ status: 1, stdout: '', stderr });
});

test('without npm, says what to install', () => {
  const rejection = './dev: npm is not on the PATH; install Node.js 20 or newer, which includes it.\n';
  expect(run(['test'], { PATH: makePath() })).toEqual({ status: 1, stdout: '', stderr: rejection });
});

test('rejects an old Node', () => {
  const node = '[ "$1" = -v ] && echo v18.20.8 || echo 18';
  const rejection = './dev: npm runs on Node.js v18.20.8 here; install Node.js 20 or newer.\n';
  const PATH = makePath({ node, npx: 'exit 99' });
  expect(run(['test'], { PATH })).toEqual({ status: 1, stdout: '', stderr: rejection });
});

test('names an unreachable registry as the cause', () => {
  const npm = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_cache: temporaryFolder(),
    npm_config_fetch_retries: '0',
  };
  const { status, stderr } = run(['test'], npm);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /\.\/dev: Node 24 and pnpm could not be downloaded; check the connection to the npm registry /,
  );
});

test('names a failed install as the cause', () => {
  const PATH = makePath({
    node: 'echo 24',
    pnpm: 'echo no such package; exit 1',
    npx: 'echo "$PATH"; echo /etc/npmrc',
  });
  const { status, stdout, stderr } = run(['test'], { PATH });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe('no such package\n./dev: the dependencies could not be installed; see the lines above.\n');
});

test('passes every argument to a script or to pnpm', () => {
  const PATH = makePath({ node: 'echo 24', pnpm: 'echo "pnpm $*"', npx: 'echo "$PATH"; echo /etc/npmrc' });
  const lines = (...args: string[]) => run(args, { PATH }).stdout.split('\n').slice(0, -1);
  expect(lines('test', '--project', 'core')).toEqual(['pnpm --silent run test --project core']);
  expect(lines('pnpm', 'exec', 'vitest', '-u')).toEqual(['pnpm exec vitest -u']);
});

test('prints nothing on stdout before the script does', () => {
  const PATH = makePath({
    node: 'echo 24',
    pnpm: 'case $* in *--silent*) ;; *) echo "$*";; esac; case $1 in install) ;; *) echo "{}";; esac',
    npx: 'echo "$PATH"; echo /etc/npmrc',
  });
  expect(run(['mock', '--json'], { PATH }).stdout).toBe('{}\n');
});

test('does not run if it was copied to another folder', () => {
  const copy = join(temporaryFolder(), 'dev');
  copyFileSync(dev, copy);
  expect(run(['test'], { PATH: makePath() }, copy)).toEqual({
    status: 1,
    stdout: '',
    stderr: './dev: run this script inside the repository, not as a copy or through a link.\n',
  });
});
