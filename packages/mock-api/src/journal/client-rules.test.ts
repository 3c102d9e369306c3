import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientRules } from './client-rules.ts';

const docs = (name: string): string => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');
const rules = Object.entries(clientRules);

test('the statements have the same text as docs/statements.md', () => {
  const rows = docs('statements').matchAll(/^\| (S-\d\d) \|[^|]*\| ([^|]*?) *\|/gm);
  const statements = new Map(Array.from(rows, ([, number, sentence]) => [number, sentence]));
  for (const [number, sentence] of rules.filter(([number]) => number.startsWith('S'))) {
    expect(statements.get(number), number).toBe(sentence);
  }
});

test('the rules that are not statements are open questions in docs/assumptions.md', () => {
  const open = docs('assumptions');
  for (const [number] of rules.filter(([number]) => number.startsWith('U'))) expect(open).toContain(`| ${number} |`);
});
