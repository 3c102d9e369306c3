// Prepares npm for the release workflow. npm trusts a workflow only for packages that exist, so this script publishes
// a placeholder for each package that npm does not have. It then makes release.yml each package's trusted publisher.
//
// pnpm set-up-npm         prints what the script would do
// pnpm set-up-npm --run   does it; needs `npm login`, and npm asks for a second factor
//
// The script skips completed steps, so it can be run again.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

interface Package {
  name: string;
  license: string;
  private?: boolean;
  repository: { url: string };
}

/** The oldest npm version whose `npm trust` supports --allow-publish. */
const oldestNpm = [11, 15];
/** The pause between two packages, which npm recommends. */
const pauseMs = 2000;
const [workflow, environment] = ['release.yml', 'npm'];

const root = fileURLToPath(new URL('..', import.meta.url));
const reallyRun = process.argv.includes('--run');
const folder = mkdtempSync(join(tmpdir(), 'npm-placeholder-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const fail = (message: string): never => {
  console.error(`set-up-npm: ${message}`);
  process.exit(1);
};

/** Runs npm in its own folder, so that no package.json here affects it. */
const npm = (args: readonly string[], show = false) =>
  spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32', // npm is a script on Windows
    stdio: show ? 'inherit' : ['inherit', 'pipe', 'pipe'],
  });

/** Prints a command that changes something. With --run, also runs the command. */
const change = async (args: readonly string[]): Promise<void> => {
  console.log(`  npm ${args.join(' ')}`);
  if (!reallyRun) return;
  if (npm(args, true).status !== 0)
    fail('npm failed; the lines above say why. Completed steps are kept; run the script again.');
  await sleep(pauseMs);
};

const existsOnNpm = (name: string): boolean => {
  const { status, stdout, stderr } = npm(['view', name, 'name', '--json']);
  if (status === 0) return true;
  if (/"code": "E404"/.test(stdout)) return false;
  return fail(`npm did not say whether ${name} exists: ${stderr.trim()}`);
};

const writePlaceholder = ({ name, license, repository }: Package): void => {
  const description = 'Placeholder. The first release follows.';
  const manifest = { name, version: '0.0.0', description, license, repository };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), `# ${name}\n\n${description}\n`);
};

/** Reads the trusted publisher that npm has for a package. */
const readTrust = (name: string): Record<string, unknown> | undefined => {
  const { status, stdout, stderr } = npm(['trust', 'list', name, '--json']);
  if (status !== 0) fail(`npm did not name the trusted publisher of ${name}: ${stderr.trim()}`);
  return stdout.trim() ? JSON.parse(stdout) : undefined;
};

const version = npm(['--version']).stdout.trim().split('.').map(Number);
const [major = 0, minor = 0] = version;
if (major < Number(oldestNpm[0]) || (major === oldestNpm[0] && minor < Number(oldestNpm[1]))) {
  fail(
    `npm ${oldestNpm.join('.')} or newer is needed, but this is ${version.join('.')}; run npm install -g npm@latest`,
  );
}
if (reallyRun && npm(['whoami']).status !== 0) fail('you are not logged in to npm; run npm login first.');

const packages = globSync('packages/*/package.json', { cwd: root })
  .sort()
  .map((file): Package => JSON.parse(readFileSync(join(root, file), 'utf8')))
  .filter((manifest) => !manifest.private);

for (const manifest of packages) {
  const { name } = manifest;
  const repository = /github\.com\/(.+)\.git$/.exec(manifest.repository.url)?.[1] ?? fail(`${name} has no repository.`);
  const exists = existsOnNpm(name);
  console.log(`${name} ${exists ? 'is on npm' : 'is not on npm; its placeholder is 0.0.0'}`);
  if (!exists) {
    writePlaceholder(manifest);
    await change(['publish', '--access', 'public']);
    rmSync(join(folder, 'package.json'), { force: true });
  }
  const trust = reallyRun ? readTrust(name) : undefined;
  const wanted = { repository, file: workflow, environment };
  const different = Object.entries(wanted).filter(([key, value]) => trust && trust[key] !== value);
  if (different.length > 0) {
    fail(
      `npm trusts a different publisher for ${name}: ${JSON.stringify(trust)}. To revoke that trust: npm trust revoke --id ${trust?.id} ${name}`,
    );
  }
  if (trust) console.log(`  npm already trusts ${workflow} of ${repository}`);
  else {
    const where = ['--file', workflow, '--repo', repository, '--env', environment];
    await change(['trust', 'github', name, ...where, '--allow-publish', '--yes']);
  }
}
if (!reallyRun) console.log('Nothing was changed. To make these changes, run pnpm set-up-npm --run.');
