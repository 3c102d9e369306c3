import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readCommandLine } from './cli/flags.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const dockerfile = read('packages/mock-api/Dockerfile');
const entryPoint: string[] = JSON.parse(/\nENTRYPOINT (\[.*\])\n$/.exec(dockerfile)?.[1] ?? '[]');

test("the Dockerfile uses the repository's pnpm version, and copies only existing files", () => {
  expect(dockerfile).toContain(`npm install --global ${JSON.parse(read('package.json')).packageManager}\n`);
  const ignored = read('packages/mock-api/Dockerfile.dockerignore');
  for (const [, path = ''] of ignored.matchAll(/^!(.+)$/gm)) expect(existsSync(new URL(path, root)), path).toBe(true);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  for (const path of copied) expect(existsSync(new URL(path, root)), path).toBe(true);
});

test('the image listens on its exposed port as an unprivileged user', () => {
  expect(entryPoint.slice(0, 2)).toEqual(['node', 'dist/cli.js']);
  const { host, port } = readCommandLine(entryPoint.slice(2)).listen;
  expect([host, port]).toEqual(['0.0.0.0', 8080]);
  expect(dockerfile).toMatch(/\nUSER node\nEXPOSE 8080\n/);
});

test.each([
  [[], 8080],
  [['--port', '9090'], 9090],
  [['--limit', 'off', '--port=9091'], 9091],
])('the health check of an image that is started with %j uses port %i', (args, port) => {
  const check = /\n {2}CMD ([\s\S]+?)\nENTRYPOINT/.exec(dockerfile)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'mock-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'cmdline'), `${[...entryPoint, ...args].join('\0')}\0`);
  const script = `wget() { echo "$4"; }\n${check.replace('/proc/1/cmdline', join(folder, 'cmdline'))}`;
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`http://127.0.0.1:${port}/__mock/health\n`);
});

test("the compose file connects the MCP server to the mock with the mock's key", () => {
  const { mcp, mock } = parse(read('examples/mcp/trial/compose.yaml')).services;
  const { listen } = readCommandLine([...entryPoint.slice(2), ...mock.command]);
  expect(new URL(mcp.environment.ORDER_LICENSE_BASE_URL).host).toBe(`mock:${listen.port}`);
  expect(mcp.environment.ORDER_LICENSE_ALLOW_HTTP_HOSTS).toBe('mock');
  expect(listen).toMatchObject({ keys: { business: mcp.environment.ORDER_LICENSE_API_KEY }, allowHosts: ['mock'] });
  expect(mock.ports).toEqual(['127.0.0.1:8080:8080']);
});
