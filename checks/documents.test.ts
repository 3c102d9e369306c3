import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkDependencies } from './dependencies.ts';
import { checkHelp } from './help.ts';
import { checkLicenses } from './licenses.ts';
import { checkMessages } from './messages.ts';
import { makeTree } from './tree.fixture.ts';

test('every error code, exit code and finding of doctor needs its entry in the page', () => {
  const files = {
    'packages/core/src/portable/errors.ts': `export type ErrorCode =\n  | 'server'\n  | 'timeout';\n`,
    'packages/mcp-server/src/doctor.ts': `export const exitCodes = {\n healthy: 0,\n keyRefused: 4,\n} as const;
      const diagnoses = { authentication: ['API key', exitCodes.keyRefused] }; say('ok', 'clock', text); say(verdict);`,
  };
  const readmes = {
    'packages/core/README.md': '`server`, `timeout`\n',
    'packages/mcp-server/README.md': '`server` or `internal`\n',
  };
  const page = '### `server`\n### `timeout`\n### `internal`\n| `0` | well |\n| `4` | refused |\n`clock` `API key`\n';
  expect(checkMessages(makeTree(files))).toEqual(['docs/troubleshooting.md does not exist.']);
  const unlisted = 'packages/mcp-server/README.md does not name the error code `timeout`.';
  expect(checkMessages(makeTree({ ...files, ...readmes, 'docs/troubleshooting.md': page }))).toEqual([unlisted]);
  expect(checkMessages(makeTree({ ...files, ...readmes, 'docs/troubleshooting.md': '`server` `0` 4\n' }))).toEqual([
    'docs/troubleshooting.md has no heading for the error code `server`.',
    'docs/troubleshooting.md has no heading for the error code `timeout`.',
    'docs/troubleshooting.md has no heading for the error code `internal`.',
    unlisted,
    'docs/troubleshooting.md has no row for the exit code `0` of doctor.',
    'docs/troubleshooting.md has no row for the exit code `4` of doctor.',
    'docs/troubleshooting.md does not name what a line of doctor can be about: `clock`.',
    'docs/troubleshooting.md does not name what a line of doctor can be about: `API key`.',
  ]);
});

test('a README names what the help does, and nothing else', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../packages/${name}/README.md`, import.meta.url), 'utf8');
  const root = makeTree({
    'packages/mock-api/README.md': read('mock-api').replaceAll('--tls', '--ssl'),
    'packages/mcp-server/README.md': read('mcp-server').replaceAll('`ORDER_LICENSE_LEDGER`', '`ORDER_LICENSE_BOOK`'),
  });
  expect(checkHelp(root)).toEqual([
    'packages/mock-api/README.md does not name --tls, which order-license-mock --help does.',
    'packages/mock-api/README.md names --ssl, which order-license-mock --help does not.',
    'packages/mcp-server/README.md does not name ORDER_LICENSE_LEDGER, which order-license-mcp --help does.',
    'packages/mcp-server/README.md names ORDER_LICENSE_BOOK, which order-license-mcp --help does not.',
  ]);
});

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

test('what is bundled is named, with a license that allows it', async () => {
  const config = (packages: string): string => `export default { deps: { onlyBundle: ${packages} } };`;
  const root = makeTree({
    'packages/a/tsdown.config.ts': config(`['zod', 'gone']`),
    'packages/a/dist/THIRD-PARTY-NOTICES.txt': 'zod 4.6.7 (MIT)\n\nText\n\n\ngpl-thing 1.0.0 (GPL-3.0)\n\nText\n',
    'packages/b/tsdown.config.mts': config('[]'),
    'packages/c/tsdown.config.ts': 'export default {};',
  });
  expect((await checkLicenses(root)).sort()).toEqual([
    'gpl-thing is bundled under GPL-3.0, which is not allowed.',
    'packages/a/dist/THIRD-PARTY-NOTICES.txt has no license of gone; build anew.',
    'packages/a/dist/THIRD-PARTY-NOTICES.txt names gpl-thing, but packages/a/tsdown.config.ts does not.',
    'packages/c/tsdown.config.ts has no deps.onlyBundle, so that anything could be bundled; set it, if only to [].',
  ]);
});
