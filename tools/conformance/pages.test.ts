import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTree } from '../tree.fixture.ts';
import { checkPages, keepPage, keptPage } from './pages.ts';

const makeRepository = (): string =>
  makeTree({
    'docs/conformance.md': 'old\n',
    'docs/reliability.md': 'same\n',
    'docs/statements.md': '| S-01 |\n',
    'src/a.ts': 'export const a = 1;\n',
    'README.md': 'Read me.\n',
  });

test('compares a page with the test results without changing it', () => {
  const root = makeRepository();
  expect(checkPages(root)).toEqual([]);
  keepPage(root, 'docs/conformance.md', 'new\n');
  keepPage(root, 'docs/reliability.md', 'same\n');
  expect(checkPages(root)).toEqual([
    'docs/conformance.md does not match the test results; run ./dev docs and commit it.',
  ]);
});

test.each([
  ['src/a.ts', false],
  ['docs/statements.md', false],
  ['README.md', true],
])('after a change to %s, the stored page is still current: %s', (file, holds) => {
  const root = makeRepository();
  keepPage(root, 'docs/conformance.md', 'new\n');
  writeFileSync(join(root, file), 'changed\n');
  expect(keptPage(root, 'docs/conformance.md')).toBe(holds ? 'new\n' : undefined);
});
