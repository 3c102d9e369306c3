// Runs each command of ./dev in a fresh clone in which nothing is built; before the first one, nothing is installed
// either. Arguments keep each run short, and a stub replaces the 2 GB of n8n.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../packages/testing/src/free-port.ts';
import { stubN8n } from './n8n/stub.ts';
import { cloneRepository } from './packages/clone.ts';
import { emptyFolder } from './packages/tarball.ts';

interface Run {
  args: string[];
  /** Text that the command prints on success. */
  says: string;
  exitCode?: number;
  /** Whether the command runs until Ctrl-C. */
  serves?: boolean;
}

const runs: Record<string, Run> = {
  // The first one: ./dev installs the packages before any command.
  demo: { args: [], says: 'license' },
  mock: { args: ['--port', '0'], says: 'Press Ctrl-C to stop the mock', serves: true },
  test: { args: ['--project', 'tools', 'workflows'], says: '1 passed' },
  e2e: { args: ['types'], says: '1 passed' },
  n8n: { args: [], says: 'Press Ctrl-C to stop n8n', serves: true },
  fuzz: { args: ['100', '1'], says: '0 findings' },
  soak: { args: ['--minutes', '0', '--histories', '0'], says: 'Nothing was rejected' },
  docs: { args: ['--project', 'tools', 'workflows'], says: 'not all of its tests have run', exitCode: 1 },
  eval: { args: [], says: 'Set EVAL_URL and EVAL_MODEL', exitCode: 2 },
  build: { args: [], says: 'Tasks:' },
  bench: { args: ['pacing'], says: '|' },
  pnpm: { args: ['exec', 'vitest', 'run', '--project', 'tools', 'workflows'], says: '1 passed' },
  // The last one: by then, the build cache has the results of a check that runs beside this test.
  check: { args: ['fences'], says: 'ok   fences' },
};

const root = fileURLToPath(new URL('..', import.meta.url));
const clone = emptyFolder();
/**
 * The environment without the programs that this checkout has installed, and without the settings of the current run.
 */
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config)|PNPM_|VITEST|NODE_ENV|TEST|INIT_CWD)/.test(name)),
  ),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(root))
    .join(delimiter),
  // The commands share one build cache, because they build the same files.
  TURBO_CACHE_DIR: join(root, '.turbo/cache'),
};

beforeAll(() => cloneRepository(clone));

test('this file tests every command of ./dev', () => {
  const list = execFileSync(join(root, 'dev'), { cwd: root, encoding: 'utf8' });
  expect(Array.from(list.matchAll(/^\.\/dev (\S+)/gm), ([, name]) => name).sort()).toEqual(Object.keys(runs).sort());
});

test.each(Object.entries(runs))('./dev %s works in a fresh clone', { timeout: 300_000 }, async (name, run) => {
  for (const built of globSync('packages/*/{dist,.turbo}', { cwd: clone }))
    rmSync(join(clone, built), { recursive: true });
  const { PATH = '' } = env;
  const child = spawn(join(clone, 'dev'), [name, ...run.args], {
    cwd: clone,
    env: { ...env, PORT: String(await freePort()), PATH: name === 'n8n' ? stubN8n(emptyFolder(), PATH) : PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  let interrupted = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!run.serves || interrupted || !output.includes(run.says)) return;
      interrupted = true;
      process.kill(-Number(child.pid), 'SIGINT');
    });
  }
  const [exitCode] = await once(child, 'close');
  expect(output).toContain(run.says);
  expect(exitCode, output).toBe(run.exitCode ?? 0);
});
