import { expect, test } from 'vitest';
import { checkLicenses } from './licenses.ts';
import { makeTree } from './tree.fixture.ts';

test('requires bundled packages to be listed, with a license that allows bundling', async () => {
  const config = (packages: string): string => `export default { deps: { onlyBundle: ${packages} } };`;
  const root = makeTree({
    'packages/a/tsdown.config.ts': config(`['zod', 'gone']`),
    'packages/a/dist/THIRD-PARTY-NOTICES.txt': 'zod 4.6.7 (MIT)\n\nText\n\n\ngpl-thing 1.0.0 (GPL-3.0)\n\nText\n',
    'packages/b/tsdown.config.mts': config('[]'),
    'packages/c/tsdown.config.ts': 'export default {};',
  });
  expect((await checkLicenses(root)).sort()).toEqual([
    'gpl-thing is bundled under GPL-3.0, which is not allowed.',
    'packages/a/dist/THIRD-PARTY-NOTICES.txt lacks the license of gone; rebuild it.',
    'packages/a/dist/THIRD-PARTY-NOTICES.txt names gpl-thing, but packages/a/tsdown.config.ts does not.',
    'packages/c/tsdown.config.ts has no deps.onlyBundle, so any package could be bundled; set it, to [] if nothing is bundled.',
  ]);
});
