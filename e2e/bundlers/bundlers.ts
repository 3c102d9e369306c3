import { execFile, spawn } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installFolder } from '../install-folder.ts';
import { emptyFolder, install } from '../packages/tarball.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const bin = (name: string): string => join(here, 'node_modules/.bin', name);
const run = promisify(execFile);

/** esbuild's usual banner for CommonJS packages, such as undici, in a bundle that is an ES module. */
const esbuildBanner =
  "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

interface Bundler {
  /** The command that bundles a file, such as `main.js`, into the folder `out`. */
  command(file: string): string;
  /** The name of the bundle in the folder `out`. @default the file's own */
  bundle?: (file: string) => string;
  /** A last argument, which can contain spaces. */
  last?: string;
  /** Whether the bundle imports packages from `node_modules`, as Vite's do. */
  needsPackages?: boolean;
}

const toCjs = (file: string): string => file.replace(/js$/, 'cjs');

/** How each bundler is told to write a program for Node; no other setting. */
export const bundlers: Record<string, Bundler> = {
  esbuild: {
    command: (file) => `esbuild ${file} --bundle --platform=node --outfile=out/${toCjs(file)}`,
    bundle: toCjs,
  },
  'esbuild, as an ES module': {
    command: (file) => `esbuild ${file} --bundle --platform=node --format=esm --outdir=out`,
    last: esbuildBanner,
  },
  webpack: {
    command: (file) => `webpack -t node --mode production --entry ./${file} -o out --output-filename ${toCjs(file)}`,
    bundle: toCjs,
  },
  rolldown: { command: (file) => `rolldown ${file} --platform node --dir out` },
  // Without these plugins, rollup bundles no packages.
  rollup: { command: (file) => `rollup ${file} -p node-resolve -p commonjs -p json --dir out` },
  'Vite SSR': { command: (file) => `vite build --ssr ${file} --outDir out`, needsPackages: true },
  'Vite SSR, with all packages': {
    command: (file) => `vite build --ssr ${file} --outDir out --config all-packages.vite.config.js`,
  },
  'bun build': { command: (file) => `bun build ${file} --target=node --outdir=out` },
};

/** Returns a new folder with the programs and these packages, installed from the registry or from a tarball. */
export const preparePrograms = (packages: string[]): string => {
  installFolder(here, 'Installing bundlers (550 MB)');
  const folder = join(here, 'dist', basename(emptyFolder()));
  cpSync(install(packages), folder, { recursive: true });
  cpSync(join(here, 'program'), folder, { recursive: true });
  return folder;
};

/** Removes what `preparePrograms` has prepared. */
export const removePrograms = (): void => rmSync(join(here, 'dist'), { recursive: true, force: true, maxRetries: 3 });

/**
 * Bundles a program and runs the bundle, where it finds no package that the bundler left out.
 * @param folder the program's folder
 * @returns what the program printed
 */
export const bundleAndRun = async (name: string, folder: string, file: string, args: string[]): Promise<string> => {
  const { command, bundle = (file) => file, last, needsPackages } = bundlers[name] as Bundler;
  const [program = '', ...words] = command(file).split(' ');
  await run(bin(program), last === undefined ? words : [...words, last], { cwd: folder });
  const place = needsPackages ? folder : emptyFolder();
  cpSync(join(folder, 'out'), join(place, 'bundle'), { recursive: true });
  writeFileSync(join(place, 'bundle/package.json'), '{ "type": "module" }');
  const { stdout } = await run(process.execPath, [join(place, 'bundle', bundle(file)), ...args]);
  return stdout;
};

/** Builds the programs' folder with Next.js, which uses Turbopack, and serves it. */
export const startNext = async (folder: string): Promise<{ url: string; close(): void }> => {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  await run(bin('next'), ['build'], { cwd: folder, env });
  const server = spawn(bin('next'), ['start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const text of server.stdout.setEncoding('utf8')) {
    printed += text;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (url && printed.includes('Ready')) return { url, close: () => void server.kill() };
  }
  throw new Error(`Next.js did not start: ${printed}`);
};
