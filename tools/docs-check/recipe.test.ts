import { expect, test } from 'vitest';
import { makeTree } from '../tree.fixture.ts';
import { checkRecipe } from './recipe.ts';

test('requires the recipe for a new field to name the files that mention an existing one', () => {
  const root = makeTree({
    'packages/a/src/type.ts': 'waehrung: string',
    'packages/a/src/type.test.ts': 'waehrung: string',
    'packages/a/src/forgotten.ts': 'waehrung: string',
    'packages/a/src/data.ts': 'currency: string',
    'packages/a/src/other.ts': 'status: string',
    'packages/a/src/tools/get.ts': 'waehrung',
    'packages/a/dist/type.ts': 'waehrung: string',
    'docs/maintaining.md':
      '## A new field\n\n`packages/a/src/type.ts` `packages/a/src/data.ts` `packages/a/src/tools/` `packages/a/src/other.ts` `packages/a/src/gone.ts`\n\n## Else\n\n`packages/a/x.ts`\n',
  });
  expect(checkRecipe(root)).toEqual([
    'docs/maintaining.md names packages/a/src/other.ts, which does not mention waehrung.',
    'docs/maintaining.md names packages/a/src/gone.ts, which does not exist.',
    'docs/maintaining.md does not name packages/a/src/forgotten.ts under "A new field", but it mentions waehrung.',
  ]);
});

test('reports a page without the recipe', () => {
  const root = makeTree({ 'docs/maintaining.md': '## Else\n' });
  expect(checkRecipe(root)).toEqual(['docs/maintaining.md has no heading "A new field".']);
});
