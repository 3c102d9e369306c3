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
