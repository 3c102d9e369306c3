import { expect, test } from 'vitest';
import { checkMessageMatching } from './message-matching.ts';
import { makeTree } from './tree.fixture.ts';

test.each([
  "error.message.includes('429')",
  "(error as Error).message.split('; ')",
  "message.trim().startsWith('The')",
  '/429/.test(error.message)',
  "/\\((\\w+)\\)/.exec(error?.message ?? '')",
  "String(error.description).match('x')",
])('reports %s', (code) => {
  expect(checkMessageMatching(makeTree({ 'packages/core/src/a.ts': `\n${code};\n` }))).toEqual([
    'packages/core/src/a.ts:2 matches against a message; read a field of the error instead.',
  ]);
});

test('ignores other strings, and assertions in tests', () => {
  const code = "expect(error.message).toMatch(/x/); url.split('/'); if (error.code === 'server') log(error.message);";
  expect(checkMessageMatching(makeTree({ 'tests/a.ts': code }))).toEqual([]);
});
