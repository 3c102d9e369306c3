import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { parse } from '../tools/docs-check/markdown.ts';
import { findNode } from './packages/node-versions.ts';
import { install, pack, pinned, type Tarball } from './packages/tarball.ts';
import { compileConsumer } from './packages/type-check.ts';

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const tarballs: Record<'core' | 'mock-api' | 'mcp-server' | 'n8n-nodes', Tarball> = {
  core: pack('core'),
  'mock-api': pack('mock-api'),
  'mcp-server': pack('mcp-server'),
  'n8n-nodes': pack('n8n-nodes'),
};
const core = install([tarballs.core.path]);
const coreAndZod = install([tarballs.core.path, pinned('zod', 'core')]);
const mockApi = install([tarballs['mock-api'].path]);
const mcpServer = install([tarballs['mcp-server'].path]);
// Installs the pack as n8n installs a community node: n8n itself provides the peer dependency n8n-workflow.
const n8nNodes = install([tarballs['n8n-nodes'].path], ['--legacy-peer-deps']);
const nodes = [22, 24, 26].map((major) => [`Node ${major}`, findNode(major)] as const);

let service: MockServer;
let env: Record<string, string>;
beforeAll(async () => {
  service = await listen({ limit: 'off' });
  env = {
    ORDER_LICENSE_BASE_URL: service.baseUrl,
    ORDER_LICENSE_API_KEY: service.keys.business,
    ORDER_LICENSE_STORE: 'memory',
  };
});
afterAll(() => service?.close());

const run = async (node: string, args: readonly string[], more: Record<string, string> = {}, input = '') => {
  const child = spawn(node, args, { env: { ...process.env, ...env, ...more }, stdio: 'pipe' });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
};

/** The lines with which a client of the MCP server connects over stdio and calls a tool. */
const getMe = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'packages', version: '1.0.0' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'order_license_get_me', arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

describe.each(Object.entries(tarballs))('the tarball of %s', (name, { path, files, manifest }) => {
  // To update this list: pnpm exec vitest run packages --root e2e -u
  test('contains the intended files and nothing else', async () => {
    await expect(`${files.join('\n')}\n`).toMatchFileSnapshot(`packages/contents/${name}.txt`);
    expect(files.filter((entry) => /\.test\.|fixture|\.map$|tsbuildinfo|(^|\/)(src|test|bench)\//.test(entry))).toEqual(
      [],
    );
  });

  test('would be published publicly, with provenance', () => {
    expect(manifest).toMatchObject({
      publishConfig: { access: 'public', provenance: true },
      keywords: expect.arrayContaining([expect.any(String)]),
      repository: {
        url: expect.stringMatching(/^git\+https:\/\/github\.com\/.+\.git$/),
        directory: `packages/${name}`,
      },
    });
  });

  test('depends only on published versions, and runs no scripts on installation', () => {
    const { dependencies, peerDependencies, optionalDependencies, scripts = {} } = manifest;
    const ranges = Object.values({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    expect(ranges.filter((range) => !/^(\*|[~^]|>=)/.test(range) || range.includes(':'))).toEqual([]);
    expect(Object.keys(scripts).filter((script) => /^(pre|post)?(install|prepare)$/.test(script))).toEqual([]);
  });

  test('passes publint', async () => {
    const bytes = readFileSync(path);
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

describe.each(['core', 'mock-api'] as const)('the types of %s', (name) => {
  test('resolve with every supported resolution mode', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarballs[name].path)), {
      excludeEntrypoints: ['./openapi.yaml'],
    });
    expect(analysis.types).toBeTruthy();
    const problems = 'problems' in analysis ? analysis.problems : [];
    expect(problems.filter((problem) => !isMeant(problem))).toEqual([]);
  });
});

/** Whether a reported problem is expected: our packages contain only ES modules. */
const isMeant = (problem: Problem): boolean => problem.kind === 'CJSResolvesToESM';

test('every entry point compiles in a strict project', () => {
  expect(compileConsumer('core.ts', coreAndZod)).toBe('');
  expect(compileConsumer('mock-api.ts', mockApi)).toBe('');
});

test('core compiles without its optional packages, and without the types of Node or browsers', () => {
  expect(compileConsumer('core-anywhere.ts', core, [])).toBe('');
});

// Both packages need types of Node or of browsers: the mock's API uses `Request` and `Response`, and core's zod schemas
// need `URL`.
test.each([
  ['mock-api.ts', () => mockApi],
  ['core.ts', () => coreAndZod],
])('%s compiles with browser types instead of Node types', (name, folder) => {
  expect(compileConsumer(name, folder(), ['dom'])).toBe('');
});

test('the msw entry point compiles with its peer dependencies', () => {
  const peers = ['msw', '@mswjs/interceptors'].map((name) => pinned(name, 'mock-api'));
  const folder = install([tarballs['mock-api'].path, ...peers]);
  expect(compileConsumer('mock-api-msw.ts', folder, ['node', 'dom'])).toBe('');
});

test('installing mock-api, mcp-server or n8n-nodes installs no other packages', () => {
  for (const folder of [mockApi, mcpServer, n8nNodes]) {
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).toHaveLength(1);
  }
  expect(tarballs['mcp-server'].manifest).not.toHaveProperty('dependencies');
});

test('core installs only undici, so importing the schemas fails until zod is installed', async () => {
  const { packages } = JSON.parse(readFileSync(join(core, 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(packages).sort()).toEqual(['node_modules/@order-license/core', 'node_modules/undici']);
  const script = join(core, 'schema.js');
  writeFileSync(script, "import '@order-license/core/schema';");
  expect((await run(process.execPath, [script])).stderr).toContain("Cannot find package 'zod'");
});

test('the n8n pack stays under 90 kB', () => {
  expect(tarballs['n8n-nodes'].bytes).toBeLessThan(90_000);
});

describe.each(nodes)('on %s', (_name, node) => {
  test("the first example in core's README runs unchanged", async () => {
    const readme = readFileSync(file('packages/core/README.md'), 'utf8');
    const example = parse('README.md', readme).blocks.find(({ language }) => language === 'ts')?.text ?? '';
    const script = join(core, 'example.ts');
    writeFileSync(script, example.replace('https://shop.example/api/v1', service.baseUrl));
    const { status, stdout, stderr } = await run(node, ['--disable-warning=ExperimentalWarning', script]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  test('order-license-mock prints its help and version, and serves', async () => {
    const script = join(mockApi, 'node_modules/@order-license/mock-api/dist/cli.js');
    const { version } = tarballs['mock-api'].manifest;
    expect(await run(node, [script, '--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(await run(node, [script, '--help'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: /) });

    const child = spawn(node, [script, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const { baseUrl, keys } = JSON.parse(line);
    const headers = { authorization: `Bearer ${keys.business}`, accept: 'application/json' };
    expect(await (await fetch(`${baseUrl}/me`, { headers })).json()).toMatchObject({ data: { api_version: '1.0' } });
    child.kill('SIGTERM');
    if (process.platform !== 'win32') expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('order-license-mcp prints its help and version, and calls a tool', async () => {
    const script = join(mcpServer, 'node_modules/@order-license/mcp-server/dist/cli.js');
    const { version } = tarballs['mcp-server'].manifest;
    expect(await run(node, [script, '--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(await run(node, [script, '--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining(version) });
    expect(await run(node, [script, 'doctor'])).toMatchObject({
      status: 0,
      stdout: expect.not.stringContaining('fail'),
    });
    const { status, stdout, stderr } = await run(node, [script], {}, getMe);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const result = { structuredContent: { api_version: '1.0' } };
    expect(JSON.parse(stdout.trim().split('\n')[1] ?? '')).toMatchObject({ id: 2, result });
  });

  test('n8n-nodes-order-license loads the nodes and the credential that its package.json names', async () => {
    const folder = join(n8nNodes, 'node_modules/n8n-nodes-order-license');
    const { n8n } = tarballs['n8n-nodes'].manifest;
    const names = [...(n8n?.nodes ?? []), ...(n8n?.credentials ?? [])].map((path) => join(folder, path));
    // Resolves n8n-workflow as in n8n, where it is installed next to the pack.
    const workflow = createRequire(file('packages/n8n-nodes/package.json')).resolve('n8n-workflow/package.json');
    const script = `
      for (const name of ${JSON.stringify(names)}) {
        const [Type] = Object.values(require(name));
        const type = new Type();
        console.log(type.description?.name ?? type.name);
      }`;
    const NODE_PATH = join(workflow, '../..');
    const { stdout, stderr } = await run(node, ['-e', script], { NODE_PATH });
    expect({ names: stdout.trim().split('\n'), stderr }).toEqual({
      names: ['orderLicense', 'orderLicenseTrigger', 'orderLicenseApi'],
      stderr: '',
    });
  });
});
