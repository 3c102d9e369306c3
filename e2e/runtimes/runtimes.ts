import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installFolder } from '../install-folder.ts';

/** A step from `steps.js`, and the API that it reads. */
export interface Step {
  name: string;
  baseUrl: string;
  apiKey: string;
}

export interface Runtime {
  run(step: Step): Promise<unknown>;
  close(): void;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const bin = (name: string): string => join(here, 'node_modules/.bin', name);

/**
 * Returns the runtimes, by name.
 * @param folder a folder in which the packed core is installed
 */
export const startRuntimes = async (folder: string): Promise<Record<string, Runtime>> => {
  installFolder(here, 'Installing Bun, Deno and workerd (350 MB)');
  for (const file of ['steps.js', 'program.js', 'worker.js', 'workerd.capnp'])
    copyFileSync(join(here, file), join(folder, file));
  return {
    bun: program(bin('bun'), ['run'], folder),
    deno: program(bin('deno'), ['run', '--no-prompt', '--allow-net=127.0.0.1', '--node-modules-dir=manual'], folder),
    workerd: await worker(folder),
  };
};

/** Runs each step as a process. */
const program = (runtime: string, args: string[], cwd: string): Runtime => ({
  async run({ name, baseUrl, apiKey }) {
    const { stdout } = await promisify(execFile)(runtime, [...args, 'program.js', name, baseUrl, apiKey], { cwd });
    return JSON.parse(stdout);
  },
  close: () => undefined,
});

/** Bundles the Worker as wrangler does, and sends each step as a request. */
const worker = async (folder: string): Promise<Runtime> => {
  const conditions = ['--conditions=workerd', '--conditions=worker', '--target=browser'];
  const options = [...conditions, '--external=cloudflare:workers', '--outfile=bundle.js'];
  await promisify(execFile)(bin('bun'), ['build', 'worker.js', ...options], { cwd: folder });
  // Starts workerd directly. If the script that usually starts workerd were used, ending the script would not end
  // workerd.
  const { default: workerd } = createRequire(join(here, 'package.json'))('workerd') as { default: string };
  const child = spawn(workerd, ['serve', '--control-fd=1', join(folder, 'workerd.capnp')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { port } = JSON.parse(line) as { port: number };
  return {
    async run(step) {
      const response = await fetch(`http://127.0.0.1:${port}/?${encodeURIComponent(JSON.stringify(step))}`);
      const text = await response.text();
      if (!response.ok) throw new Error(`workerd returned ${response.status}: ${text}`);
      return JSON.parse(text);
    },
    close: () => child.kill('SIGKILL'), // after other signals, workerd waits for open requests
  };
};
