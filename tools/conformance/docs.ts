// `./dev docs [vitest arguments]` runs the tests, unless they have run since the last change, and writes the pages that
// they generate.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptPage, pages, readPage } from './pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const args = process.argv.slice(2);

if (args.length > 0 || pages.some((page) => keptPage(root, page) === undefined)) {
  const { CI: _, ...env } = process.env; // if CI is set, a test run fails on outdated pages
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) {
    console.error('The tests failed, so no page was written.');
    process.exit(1);
  }
}
const shown = pages.flatMap((page) => {
  const text = keptPage(root, page);
  if (text === undefined) console.log(`${page} is unchanged, because not all of its tests have run.`);
  return text === undefined ? [] : [{ page, text }];
});
for (const { page, text } of shown) {
  const isSame = text === readPage(root, page);
  if (!isSame) writeFileSync(join(root, page), text);
  console.log(`${page} ${isSame ? 'is unchanged' : 'is written'}.`);
}
if (shown.length === 0) process.exitCode = 1;
