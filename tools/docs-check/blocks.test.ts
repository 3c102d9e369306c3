import { expect, test } from 'vitest';
import { fence, makeTree } from '../tree.fixture.ts';
import { checkDataBlocks } from './data-blocks.ts';
import { checkFences } from './fences.ts';
import { checkShellBlocks } from './shell-blocks.ts';
import { checkTypeScriptBlocks } from './typescript-blocks.ts';

const repository = {
  'package.json': '{ "scripts": { "demo": "true", "hidden": "true" } }',
  dev: '#: ./dev demo  shows it\n#: ./dev e2e  runs parts\n',
};

test('requires each fence to name a known language, and a reason if its block does not run', () => {
  const root = makeTree({
    'a.md': [fence('python', 'x'), fence('sh no-run', 'x'), fence('sh no-run: why', 'x')].join(''),
  });
  expect(checkFences(root)).toEqual([
    'a.md:2 is in python; use one of ts, js, py, sh, powershell, json, jsonc, toml, yaml, txt.',
    'a.md:5 has no reason: write "no-run: reason".',
  ]);
});

test('reports data that cannot be parsed', () => {
  const good = [
    fence('json', '{}'),
    fence('jsonc', '{ "a": 1 } // why'),
    fence('toml', 'a = 1'),
    fence('yaml', 'a: 1'),
  ];
  expect(checkDataBlocks(makeTree({ 'a.md': good.join('') }))).toEqual([]);
  const bad = [fence('json', "{ 'a': 1 }"), fence('jsonc', '{ "a" 1 }'), fence('toml', 'a = '), fence('yaml', 'a: "')];
  const findings = checkDataBlocks(makeTree({ 'a.md': bad.join('') }));
  expect(findings.map((finding) => finding.split(':').slice(0, 2).join(':'))).toEqual([
    'a.md:2 is not valid json',
    'a.md:5 is not valid jsonc',
    'a.md:8 is not valid toml',
    'a.md:11 is not valid yaml',
  ]);
});

test("compiles TypeScript and runs it against the mock, with what its document's first block declares", async () => {
  const first = [
    `import { createClient } from '@order-license/core';`,
    `const service = { baseUrl: 'https://shop.example/api/v1', apiKey: process.env.ORDER_LICENSE_API_KEY ?? '' };`,
    `const client = createClient(service);`,
    `await client.getMe();`,
  ];
  const [check, own] = [
    [`const { company } = await client.getMe();`, `if (!company) throw new Error('another service');`],
    [`import { createClient } from '@order-license/core';`, `const client = createClient({ ...service });`],
  ];
  const wrongType = `const cents: number = (await client.getOrder(1)).gesamtpreis_brutto;`;
  const root = makeTree({
    'a.md': [
      fence('ts', ...first),
      fence('ts', ...check),
      fence('ts', ...own),
      fence('ts no-run: wrong type', wrongType),
      fence('ts no-run: needs luck', `throw new Error('not run');`),
      fence('ts', `await client.getOrder(1);`),
    ].join(''),
    'b.md': fence('ts', `await client.getMe();`),
  });
  expect(await checkTypeScriptBlocks(root)).toEqual([
    `a.md:16 does not compile: Type 'string' is not assignable to type 'number'.`,
    `b.md:2 does not compile: Cannot find name 'client'.`,
    expect.stringMatching(/^a\.md:22 does not run: it exited with code 1: OrderLicenseError: /),
    'b.md:2 does not run: it exited with code 1: ReferenceError: client is not defined',
  ]);
});

test('reports unknown commands', async () => {
  const root = makeTree({
    ...repository,
    'a.md': [
      fence('sh', './dev demo # shows', 'export A=1', 'A=1 ./dev gone', './dev hidden', 'pnpm gone', 'node gone.ts'),
      fence('sh', 'docker run x', 'order-license-mock --port 1 --gone', 'npx order-license-mock', 'npm install gone'),
      fence('sh no-run: needs a cluster', 'kubectl apply'),
      'Try `./dev nothing`, `./dev demo` and `./dev e2e gone`.',
    ].join(''),
  });
  const unknown = expect.stringContaining('unknown command');
  expect(await checkShellBlocks(root)).toEqual([
    'a.md there is no ./dev nothing.',
    'a.md there is no part gone in e2e.',
    'a.md:2 there is no ./dev gone.',
    'a.md:2 there is no ./dev hidden.',
    'a.md:2 package.json has no script gone.',
    'a.md:2 there is no file gone.ts.',
    unknown,
    'a.md:10 order-license-mock --help does not name --gone.',
    unknown,
    unknown,
  ]);
});

test('runs our commands exactly as documented', async () => {
  const lines = ['order-license-mock --seed 7 --port 8080', 'npx -y @order-license/mcp-server doctor'];
  expect(await checkShellBlocks(makeTree({ ...repository, 'a.md': fence('sh', ...lines) }))).toEqual([]);
  const wrong = makeTree({ ...repository, 'a.md': fence('sh', 'order-license-mock --port many') });
  expect(await checkShellBlocks(wrong)).toEqual([
    'a.md:2 order-license-mock --port many does not run: it exited with code 2: Try --help.',
  ]);
});
