import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCommandLine } from './cli/flags.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const dockerfile = read('packages/mock-api/Dockerfile');
const entryPoint: string[] = JSON.parse(/\nENTRYPOINT (\[.*\])\n$/.exec(dockerfile)?.[1] ?? '[]');

test("the image uses the repository's pnpm version and only existing files", () => {
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
  expect(dockerfile).toContain('http://127.0.0.1:8080/__mock/health');
});

test('the compose file connects the MCP server to the mock with its key', () => {
  const { mcp, mock } = parse(read('examples/mcp/trial/compose.yaml')).services;
  const { listen } = readCommandLine([...entryPoint.slice(2), ...mock.command]);
  expect(new URL(mcp.environment.ORDER_LICENSE_BASE_URL).host).toBe(`mock:${listen.port}`);
  expect(mcp.environment.ORDER_LICENSE_ALLOW_HTTP_HOSTS).toBe('mock');
  expect(listen).toMatchObject({ keys: { business: mcp.environment.ORDER_LICENSE_API_KEY }, allowHosts: ['mock'] });
  expect(mock.ports).toEqual(['127.0.0.1:8080:8080']);
});
