// Writes the list of tools into README.md: node build/readme-tools.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { tools } from '../src/server/server.ts';

const [start, end] = ['<!-- tools: written by build/readme-tools.ts -->', '<!-- /tools -->'];
const path = new URL('../README.md', import.meta.url);

/** README.md with the current list. */
export const freshReadme = (): string => {
  const readme = readFileSync(path, 'utf8');
  const [before, rest = ''] = readme.split(start);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`README.md has to hold ${start} and ${end}.`);
  const list = tools.map(({ name, argumentNames, description }) => {
    const args = argumentNames.map((argument) => `\`${argument}\``).join(', ') || 'no arguments';
    return `- **\`${name}\`** (${args}): ${description}`;
  });
  return `${before}${start}\n\n${list.join('\n')}\n\n${end}${after}`;
};

if (import.meta.main) writeFileSync(path, freshReadme());
