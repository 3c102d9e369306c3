import { expect, test } from 'vitest';
import { checkDependencies } from './dependencies.ts';
import { makeTree } from './tree.fixture.ts';

test('requires a reason in the docs for each dependency, and only for those', () => {
  const root = makeTree({
    'package.json': '{ "name": "kit", "devDependencies": { "turbo": "1" } }',
    'packages/a/package.json':
      '{ "name": "a", "dependencies": { "zod": "4" }, "peerDependencies": { "n8n-workflow": "*" } }',
    'bench/package.json': '{ "name": "bench", "dependencies": { "a": "workspace:*", "p-queue": "1" } }',
    'docs/decisions.md':
      '## Dependencies\n\n| package | where | why |\n| --- | --- | --- |\n| turbo, zod | a | b |\n| ky | a | b |\n',
  });
  expect(checkDependencies(root)).toEqual([
    'docs/decisions.md has no reason for n8n-workflow, a dependency of packages/a/package.json.',
    'docs/decisions.md has no reason for p-queue, a dependency of bench/package.json.',
    'docs/decisions.md names ky, which is not a dependency.',
  ]);
});
