import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import { checkPages, keepPage } from './pages.ts';

/** A statement or an assumption, and the packages that must have a test for it. */
interface Statement {
  id: string;
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
  const statements = rowsOf('statements.md', 'S').map(([id = '', , , , owed = '']): Statement => {
    return { id, owners: owners.filter((owner) => owed.includes(`\`${owner}\``)) };
  });
  const assumptions = rowsOf('assumptions.md', 'U').map(([id = '']): Statement => ({ id, owners: [] }));
  const missing = statements.flatMap(({ id, owners }) =>
    owners.filter((owner) => !proven.get(id)?.has(owner)).map((owner) => `- **missing**: ${id} in ${owner}`),
  );
  const owed = statements.flatMap(({ owners }) => owners).length;

  /** A row for each set of packages that have tests, with the numbers that these tests name. */
  const table = (rows: Statement[]): string[] => {
    const shown = ({ id }: Statement) => owners.filter((owner) => proven.get(id)?.has(owner)).join(', ') || 'none';
    const byOwners = Map.groupBy(rows, shown);
    const ids = (same: Statement[]) => same.map(({ id }) => id).sort();
    return [
      '| tests in | numbers |',
      '|---|---|',
      ...Array.from(byOwners, ([names, same]) => `| ${names} | ${ids(same).join(' ')} |`),
    ];
  };
  return [
    '# Conformance',
    '',
    '`./dev docs` writes this page from a run of all tests: a package has a test for a number if the title of a test that passed names it.',
    '',
    `${owed - missing.length} of the ${owed} proofs that the [${statements.length} statements](statements.md) ask for exist.`,
    ...(missing.length > 0 ? ['', ...missing] : []),
    '',
    ...table(statements),
    '',
    'For the [assumptions](assumptions.md), the mock offers the variants, and the other packages handle them:',
    '',
    ...table(assumptions),
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
