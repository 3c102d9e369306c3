import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../src/config/variables.ts';
import { tools } from '../src/server/server.ts';
import { freshDockerCatalog } from './docker-catalog.ts';

const fresh = await freshDockerCatalog();

test.each(Object.entries(fresh))("%s for Docker's catalog is up to date", (name, text) => {
  expect(readFileSync(new URL(`../docker-catalog/${name}`, import.meta.url), 'utf8')).toBe(text);
});

test("Docker's catalog lists every tool with its arguments", () => {
  const listed: { name: string; arguments: { name: string; type: string }[] }[] = JSON.parse(fresh['tools.json'] ?? '');
  expect(listed.map(({ name, arguments: args }) => [name, args.map((one) => one.name)])).toEqual(
    tools.map(({ name, argumentNames }) => [name, argumentNames]),
  );
  const types = new Set(listed.flatMap(({ arguments: args }) => args.map(({ type }) => type)));
  expect([...types].sort()).toEqual(['array', 'boolean', 'integer', 'string']);
});

test("Docker's catalog sets only variables that the server reads, with the key as a secret", () => {
  const yaml = fresh['server.yaml'] ?? '';
  const named = [...yaml.matchAll(/ORDER_LICENSE_\w+/g)].map(([name]) => name);
  expect(named.filter((name) => !variables.some((variable) => variable.name === name))).toEqual([]);
  const secrets = [...yaml.matchAll(/^ {6}env: (\w+)$/gm)].map(([, name]) => name);
  expect(secrets).toEqual(['ORDER_LICENSE_API_KEY']);
});

test('server.yaml ends where the commit is appended', () => {
  expect(fresh['server.yaml']).toMatch(/\nsource:\n( {2}\S+: \S+\n)+$/);
});
