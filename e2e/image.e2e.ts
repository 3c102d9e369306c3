// Runs the Dockerfiles' steps without a container engine: puts each image's files into an empty root folder, with only
// Node next to them. CI builds and runs the images themselves.
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listen } from '../packages/mock-api/src/index.ts';
import { cloneRepository } from './packages/clone.ts';
import { emptyFolder } from './packages/tarball.ts';

/** Returns the instructions of a Dockerfile with their arguments. Joins continued lines. */
const readInstructions = (text: string): [name: string, value: string][] =>
  [...text.replace(/\\\n/g, ' ').matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, name = '', value = '']) => [name, value]);

interface Image {
  root: string;
  /** Runs the entry point with `root` as its root folder. Rejects if it fails. */
  run(args: string[], env?: Record<string, string>): Promise<{ stdout: string; stderr: string }>;
}

/** Copies the build context: only the top-level names that follow a `!` in `.dockerignore`. */
const copyContext = (name: string): string => {
  const context = emptyFolder();
  cloneRepository(context);
  const ignore = readFileSync(join(context, 'packages', name, 'Dockerfile.dockerignore'), 'utf8');
  const kept = [...ignore.matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  for (const path of readdirSync(context)) if (!kept.includes(path)) rmSync(join(context, path), { recursive: true });
  return context;
};

const buildImage = (name: string): Image => {
  const context = copyContext(name);
  const instructions = readInstructions(readFileSync(join(context, 'packages', name, 'Dockerfile'), 'utf8'));
  const last = instructions.findLastIndex(([instruction]) => instruction === 'FROM');
  for (const [instruction, value] of instructions.slice(0, last)) {
    // Skips the commands that install pnpm, which is already installed here, and that create `/state`, which is created
    // below.
    const commands = value.split('&&').filter((command) => !/npm install --global|\/writable/.test(command));
    if (instruction === 'RUN' && commands.length > 0) {
      execFileSync('sh', ['-ec', commands.join('&&')], { cwd: context, stdio: ['ignore', 'ignore', 2] });
    }
  }
  const root = emptyFolder();
  const env: Record<string, string> = {};
  let entry: string[] = [];
  let workdir = '/';
  for (const [instruction, value] of instructions.slice(last)) {
    if (instruction === 'ENV') Object.assign(env, Object.fromEntries(value.split(/ +/).map((pair) => pair.split('='))));
    if (instruction === 'WORKDIR') workdir = value;
    if (instruction === 'ENTRYPOINT') entry = JSON.parse(value);
    if (instruction !== 'COPY') continue;
    const paths = value.split(/ +/).filter((word) => !word.startsWith('--'));
    const target = join(root, workdir, paths.pop() ?? '');
    for (const path of paths) copyInto(context, path, target, value.endsWith('./'));
  }
  copyNode(root);
  const [node = '', ...args] = entry;
  return {
    root,
    run: (more, given = {}) =>
      promisify(execFile)(
        'unshare',
        ['--map-root-user', `--root=${root}`, `--wd=${workdir}`, `/bin/${node}`, ...args, ...more],
        { env: { HOME: '/', ...env, ...given }, timeout: 60_000 }, // a container engine always sets HOME
      ),
  };
};

const copyInto = (context: string, path: string, target: string, isFolder: boolean): void => {
  if (path === '/writable') mkdirSync(join(target, 'state'), { recursive: true });
  else
    cpSync(join(context, path.replace(/^\/kit\//, '')), isFolder ? join(target, basename(path)) : target, {
      recursive: true,
    });
};

/** Copies Node, and the libraries that it has loaded, into the root folder. */
const copyNode = (root: string): void => {
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
  for (const library of sharedObjects.filter((path) => path.startsWith('/'))) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  mkdirSync(join(root, 'bin'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'bin/node'));
};

describe('the image of the MCP server', () => {
  const image = buildImage('mcp-server');

  test('needs nothing but Node and its own files', async () => {
    const { version } = JSON.parse(readFileSync(join(image.root, 'app/package.json'), 'utf8'));
    expect(await image.run(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '' });
  });

  test('reads the account, and stores its request count in /state', async () => {
    const mock = await listen({ limit: 'off' });
    const settings = { ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_API_KEY: mock.keys.business };
    const { stdout } = await image.run(['doctor'], settings);
    await mock.close();
    expect(stdout).not.toContain('fail');
    expect(readdirSync(join(image.root, 'state'), { recursive: true }).join()).toMatch(/\.sqlite|\.db/);
  });
});

test('the image of the mock needs nothing but Node and its own files', async () => {
  const image = buildImage('mock-api');
  const { version } = JSON.parse(readFileSync(join(image.root, 'app/package.json'), 'utf8'));
  expect(await image.run(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '' });
});
