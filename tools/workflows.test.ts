import { expect, test } from 'vitest';
import { makeTree } from './tree.fixture.ts';
import { checkWorkflows } from './workflows.ts';

test('a workflow names its rights and times, and does what GitHub understands', async () => {
  const root = makeTree({
    '.github/workflows/good.yml':
      'on: push\npermissions: {}\njobs:\n  a: { runs-on: ubuntu-latest, timeout-minutes: 1, steps: [{ run: "true" }] }\n',
    '.github/workflows/loose.yml':
      'on: push\njobs:\n  b: { runs-on: ubuntu-latest, steps: [{ run: "echo \u0024{{ matrix.gone }}" }] }\n',
    '.github/ISSUE_TEMPLATE/broken.yml': 'name: "x\n',
  });
  expect(await checkWorkflows(root)).toEqual([
    expect.stringMatching(/^\.github\/ISSUE_TEMPLATE\/broken\.yml is no YAML: /),
    expect.stringMatching(/^\.github\/workflows\/loose\.yml:3 property "gone" is not defined/),
    '.github/workflows/loose.yml grants rights by default; name them in permissions.',
    '.github/workflows/loose.yml: the job b has no timeout-minutes.',
  ]);
});

test('a release uses the action that reads the report of its Changesets CLI', async () => {
  const step = (uses: string, ...inputs: string[]): string =>
    `- { uses: ${uses}, with: { ${inputs.map((input) => `${input}: pnpm x`).join(', ')} } }`;
  const release = (...steps: string[]): string =>
    `on: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    timeout-minutes: 1\n    steps:\n${steps.map((line) => `      ${line}\n`).join('')}`;
  const root = makeTree({
    'package.json': '{ "devDependencies": { "@changesets/cli": "catalog:" } }',
    'pnpm-workspace.yaml': 'catalog:\n  "@changesets/cli": ^3.0.3\n',
    '.github/workflows/release.yml': release(
      step('changesets/action@v2', 'version-script', 'publish-script'),
      step('changesets/action@v2', 'version-script'),
      step('changesets/action@v1', 'version', 'publish'),
    ),
  });
  expect(await checkWorkflows(root)).toEqual([
    '.github/workflows/release.yml: changesets/action@v2 has no input publish-script.',
    '.github/workflows/release.yml: changesets/action@v1 does not fit @changesets/cli ^3.0.3; use changesets/action@v2.',
  ]);
});
