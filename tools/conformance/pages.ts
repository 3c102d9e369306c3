import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The documents that a run of the tests produces. */
export const pages = ['docs/conformance.md', 'docs/reliability.md'] as const;
export type Page = (typeof pages)[number];

/** What the pages depend on: the code, and the documents that the page on conformance repeats. */
const sources = ['**/*.{ts,mts,js,mjs,json,yaml}', 'docs/{statements,assumptions}.md'];
const outside = /(^|[\\/])(node_modules|dist|coverage|\.[^\\/]*)([\\/]|$)/;

/** Keeps a page that a run has shown, in a folder that git ignores. */
export const keepPage = (root: string, page: Page, text: string): void => {
  const file = keptFile(root, page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ sources: digestSources(root), text }));
};

/** The page as a run has shown it; undefined when there was no such run since the sources changed. */
export const keptPage = (root: string, page: Page): string | undefined => {
  const file = keptFile(root, page);
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { sources: string; text: string };
  return kept.sources === digestSources(root) ? kept.text : undefined;
};

/** Compares the pages with what the last run of the tests has shown; says so where there is nothing to compare. */
export const checkPages = (root: string): string[] =>
  pages.flatMap((page) => {
    const kept = keptPage(root, page);
    if (kept === undefined) console.log(`${page} is not compared: ./dev test has not run on this state of the code.`);
    return kept === undefined || kept === readPage(root, page)
      ? []
      : [`${page} is not what the tests have shown; run ./dev docs and commit it.`];
  });

export const readPage = (root: string, page: Page): string =>
  existsSync(join(root, page)) ? readFileSync(join(root, page), 'utf8') : '';

const keptFile = (root: string, page: Page): string =>
  join(root, 'node_modules/.cache/order-license-kit', `${basename(page)}.json`);

const digestSources = (root: string): string => {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root, exclude: (path) => outside.test(path) }).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
};
