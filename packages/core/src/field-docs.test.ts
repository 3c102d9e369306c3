import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const linesOf = (path: string): string[] => readFileSync(new URL(`${path}.ts`, import.meta.url), 'utf8').split('\n');

const german = /^ {2}(\w*(?:bestell|preis|waehrung|menge|status|typ)\w*)\??:/;

test.each(['order', 'order-list'])('editors explain every German field of %s.ts', (name) => {
  const lines = linesOf(`model/${name}`);
  const fields = lines.flatMap((line, index) => (german.test(line) ? [{ line, before: lines[index - 1] }] : []));
  expect(fields.length).toBeGreaterThan(4);
  // The type of `status` has its own comment.
  const undocumented = fields.filter(({ line, before }) => !/^ {2}status:/.test(line) && !before?.endsWith('*/'));
  expect(undocumented.map(({ line }) => line.trim())).toEqual([]);
});

test('editors explain every field of an error', () => {
  const lines = linesOf('base/errors');
  const start = lines.indexOf('export class OrderLicenseError extends Error {');
  const fields = lines.slice(start, lines.indexOf('  constructor(code: ErrorCode, fields: ErrorFields) {'));
  const undocumented = fields.filter(
    (line, index) => /^ {2}(declare |readonly |\w+:|attempts)/.test(line) && !fields[index - 1]?.endsWith('*/'),
  );
  expect(fields.length).toBeGreaterThan(20);
  expect(undocumented).toEqual([]);
});
