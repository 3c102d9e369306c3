import { expect, test } from 'vitest';
import { checkDependencies } from './dependencies.ts';
import { makeTree } from './tree.fixture.ts';

test('each dependency has its reason, and no other has', () => {
  const root = makeTree({
    'package.json': '{ "name": "kit", "devDependencies": { "turbo": "1" } }',
    'packages/a/package.json':
      '{ "name": "a", "dependencies": { "zod": "4" }, "peerDependencies": { "n8n-workflow": "*" } }',
    'bench/package.json': '{ "name": "bench", "dependencies": { "a": "workspace:*", "p-queue": "1" } }',
    'docs/decisions.md':
      '## Dependencies\n\n| package | where | why |\n| --- | --- | --- |\n| turbo, zod | a | b |\n| ky | a | b |\n',
  });
  expect(checkDependencies(root)).toEqual([
    'docs/decisions.md gives no reason for n8n-workflow, which packages/a/package.json asks for.',
    'docs/decisions.md gives no reason for p-queue, which bench/package.json asks for.',
    'docs/decisions.md names ky, which no package asks for.',
  ]);
});
