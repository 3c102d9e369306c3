import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { table } from '../table.ts';

const rounds = 21;

/** Returns the time to import one module in a new process, ms. */
const importMs = (url: string): number => {
  const script = `const start = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
};

/** Measures the import time of the built package and of its dependencies. */
export const benchImportTime = (): string => {
  const core = fileURLToPath(new URL('../../packages/core/dist/', import.meta.url));
  const { resolve } = createRequire(`${core}index.js`);
  const modules: Record<string, string> = {
    undici: resolve('undici'),
    '@order-license/core': `${core}index.js`,
    '@order-license/core/portable': `${core}portable.js`,
    '@order-license/core/schema, with zod': `${core}schema.js`,
  };
  const figures = new Map(Object.keys(modules).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, path] of Object.entries(modules)) figures.get(name)?.push(importMs(pathToFileURL(path).href));
  }
  const base = Math.min(...(figures.get('undici') ?? []));
  return table(
    ['import', 'ms', 'beyond undici, ms'],
    [...figures].map(([name, values]) => [
      name,
      Math.min(...values).toFixed(0),
      (Math.min(...values) - base).toFixed(0),
    ]),
  );
};

if (import.meta.main) console.log(benchImportTime());
