import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const german = /^ {2}(\w*(?:bestell|preis|waehrung|menge|status|typ)\w*)\??:/;

test.each(['order', 'order-list'])('editors explain every German field of %s.ts', (name) => {
  const lines = readFileSync(new URL(`portable/model/${name}.ts`, import.meta.url), 'utf8').split('\n');
  const fields = lines.flatMap((line, index) => (german.test(line) ? [{ line, before: lines[index - 1] }] : []));
  expect(fields.length).toBeGreaterThan(4);
  // The type of `status` has its own comment.
  const undocumented = fields.filter(({ line, before }) => !/^ {2}status:/.test(line) && !before?.endsWith('*/'));
  expect(undocumented.map(({ line }) => line.trim())).toEqual([]);
});
