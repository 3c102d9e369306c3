import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTree } from '../tree.fixture.ts';
import { checkHelp } from './help.ts';
import { checkMessages } from './messages.ts';

test('requires an entry in the troubleshooting page for every error code, and for every exit code and topic of doctor', () => {
  const files = {
    'packages/core/src/base/errors.ts': `export type ErrorCode =\n  | 'server'\n  | 'timeout';\n`,
  };
  const doctor = { exitCodes: [0, 4], topics: ['clock', 'API key'] };
  const readmes = {
    'packages/core/README.md': '`server`, `timeout`\n',
    'packages/mcp-server/README.md': '`server` or `internal`\n',
  };
  const page = '### `server`\n### `timeout`\n### `internal`\n| `0` | well |\n| `4` | rejected |\n`clock` `API key`\n';
  expect(checkMessages(makeTree(files), doctor)).toEqual(['docs/troubleshooting.md does not exist.']);
  const unlisted = 'packages/mcp-server/README.md does not name the error code `timeout`.';
  expect(checkMessages(makeTree({ ...files, ...readmes, 'docs/troubleshooting.md': page }), doctor)).toEqual([
    unlisted,
  ]);
  expect(
    checkMessages(makeTree({ ...files, ...readmes, 'docs/troubleshooting.md': '`server` `0` 4\n' }), doctor),
  ).toEqual([
    'docs/troubleshooting.md has no heading for the error code `server`.',
    'docs/troubleshooting.md has no heading for the error code `timeout`.',
    'docs/troubleshooting.md has no heading for the error code `internal`.',
    unlisted,
    "docs/troubleshooting.md has no row for doctor's exit code `0`.",
    "docs/troubleshooting.md has no row for doctor's exit code `4`.",
    "docs/troubleshooting.md does not name doctor's topic `clock`.",
    "docs/troubleshooting.md does not name doctor's topic `API key`.",
  ]);
});

test('requires a README to list every variable of the help, and no flag or variable that the help does not list', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../packages/${name}/README.md`, import.meta.url), 'utf8');
  const root = makeTree({
    'packages/mock-api/README.md': read('mock-api').replaceAll('--profile', '--manner'),
    'packages/mcp-server/README.md': read('mcp-server').replaceAll('`ORDER_LICENSE_STORE`', '`ORDER_LICENSE_BOOK`'),
  });
  expect(checkHelp(root)).toEqual([
    'packages/mock-api/README.md names --manner, but order-license-mock --help does not.',
    'packages/mcp-server/README.md does not name ORDER_LICENSE_STORE, but order-license-mcp --help does.',
    'packages/mcp-server/README.md names ORDER_LICENSE_BOOK, but order-license-mcp --help does not.',
  ]);
});
