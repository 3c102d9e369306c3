import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import { checkPages, keepPage } from './pages.ts';

interface Statement {
  id: string;
  text: string;
  owners: Owner[];
}
type Owner = (typeof owners)[number];

const owners = ['core', 'mock', 'n8n', 'mcp'] as const;
const ownerOf: Record<string, Owner> = { core: 'core', 'mock-api': 'mock', 'n8n-nodes': 'n8n', 'mcp-server': 'mcp' };
/**
 * The packages that read the API. A test file in tests/consistency counts for the package that its name starts with;
 * consistency.test.ts counts for all of them.
 */
const readers: Owner[] = ['core', 'n8n', 'mcp'];
const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Writes the conformance page from a complete test run. The page says for each number in docs/statements.md and
 * docs/assumptions.md which packages have a test for it. Stores the page for `./dev check` and `./dev docs`. On CI,
 * fails the run if a page is out of date.
 */
export default class ConformanceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = globSync([`packages/{${Object.keys(ownerOf)}}/**/*.test.{ts,mts}`, 'tests/consistency/*.test.ts'], {
      exclude: ['**/node_modules/**', '**/dist/**'],
    });
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const isWholeRun =
      modules.filter((module) => ownersOf(module).length > 0).length === files.length &&
      tests.every((test) => test.result().state === 'passed');
    if (!isWholeRun) return;

    const proven = new Map<string, Set<Owner>>();
    for (const test of tests) {
      for (const [id] of test.fullName.matchAll(/\b[SU]-\d\d\b/g)) {
        const shown = proven.get(id) ?? new Set();
        for (const owner of ownersOf(test.module)) shown.add(owner);
        proven.set(id, shown);
      }
    }
    keepPage(root, 'docs/conformance.md', write(proven));
    const findings = process.env.CI ? checkPages(root) : [];
    for (const finding of findings) console.error(finding);
    if (findings.length > 0) process.exitCode = 1;
  }
}

const ownersOf = ({ project, moduleId }: TestModule): readonly Owner[] => {
  const owner = ownerOf[project.name];
  if (owner) return [owner];
  const [, name] = /[\\/]tests[\\/]consistency[\\/]([a-z0-9]+)[\w.-]*$/.exec(moduleId) ?? [];
  const named = readers.filter((reader) => reader === name);
  return name === 'consistency' ? readers : named;
};

const write = (proven: ReadonlyMap<string, ReadonlySet<Owner>>): string => {
  const statements = rowsOf('statements.md', 'S').map(([id = '', , text = '', , owed = '']): Statement => {
    return { id, text, owners: owners.filter((owner) => owed.includes(`\`${owner}\``)) };
  });
  const points = rowsOf('assumptions.md', 'U').map(([id = '', text = '']): Statement => ({ id, text, owners: [] }));
  const owed = statements.flatMap(({ id, owners }) => owners.map((owner) => proven.get(id)?.has(owner) ?? false));
  const whole = statements.filter(({ id, owners }) => owners.every((owner) => proven.get(id)?.has(owner)));

  const cell = ({ id, owners }: Statement, owner: Owner): string => {
    if (proven.get(id)?.has(owner)) return '✓';
    return owners.includes(owner) ? '**missing**' : '';
  };
  const table = (rows: Statement[]): string[] => [
    `| id | ${owners.join(' | ')} | |`,
    `|---|${':-:|'.repeat(owners.length)}---|`,
    ...rows.map((row) => `| ${row.id} | ${owners.map((owner) => cell(row, owner)).join(' | ')} | ${row.text} |`),
  ];
  return [
    '# Conformance',
    '',
    '`./dev docs` writes this page from a run of all tests. A ✓ means that a test of that package names the number in its title, and passed.',
    '',
    `${whole.length} of ${statements.length} statements are proven by every package that must prove them; ${owed.filter(Boolean).length} of ${owed.length} proofs exist.`,
    '',
    '## Statements',
    '',
    ...table(statements),
    '',
    '## Assumptions',
    '',
    'A ✓ means that the package has a test for the assumption: the mock offers the variants, and the other packages handle them.',
    '',
    ...table(points),
    '',
  ].join('\n');
};

const rowsOf = (file: string, letter: string): string[][] =>
  (
    read(new URL(`../../docs/${file}`, import.meta.url)).match(new RegExp(`^\\| ${letter}-\\d\\d .*\\|$`, 'gm')) ?? []
  ).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((text) => text.trim()),
  );

const read = (file: URL): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
