import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { variables } from '../src/config/variables.ts';
import { serverInfo, tools } from '../src/server/server.ts';
import { documents } from './documents.ts';
import { repositoryUrl } from './links.ts';

const text = readFileSync(new URL('../docker-catalog/server.yaml', import.meta.url), 'utf8');
const { about, config, source } = parse(text);

test("Docker's catalog lists every tool with its arguments", () => {
  const listed: { name: string; arguments: { name: string; type: string }[] }[] = JSON.parse(
    documents['docker-catalog/tools.json'] ?? '',
  );
  expect(listed.map(({ name, arguments: args }) => [name, args.map((one) => one.name)])).toEqual(
    tools.map(({ name, input }) => [name, Object.keys(input.shape)]),
  );
  const types = new Set(listed.flatMap(({ arguments: args }) => args.map(({ type }) => type)));
  expect([...types].sort()).toEqual(['array', 'boolean', 'integer', 'string']);
});

test("Docker's catalog declares the key as a secret, and describes variables as the server does", () => {
  expect(config.secrets.map(({ env }: { env: string }) => env)).toEqual(['ORDER_LICENSE_API_KEY']);
  const { properties, required } = config.parameters;
  // Every parameter is required, because the server rejects empty variables.
  expect(required).toEqual(Object.keys(properties));
  const described = config.env.map(({ name, value }: { name: string; value: string }) => {
    const parameter = /^\{\{order-license\.(\w+)\}\}$/.exec(value)?.[1] ?? '';
    return { name, about: properties[parameter].description, default: properties[parameter].default };
  });
  const names = ['ORDER_LICENSE_BASE_URL', 'ORDER_LICENSE_LICENSE_KEYS', 'ORDER_LICENSE_PERSONAL_DATA'];
  const known = variables.filter(({ name }) => names.includes(name));
  expect(described).toEqual(known.map(({ name, about, default: standard }) => ({ name, about, default: standard })));
});

test("Docker's catalog entry names this repository, and ends with `source`, to which the commit is appended", () => {
  const { directory } = packageJson.repository;
  expect(source).toEqual({ project: repositoryUrl, dockerfile: `${directory}/Dockerfile` });
  expect(about.icon).toBe(serverInfo.icons[0]?.src);
  expect(text).toMatch(/\nsource:\n( {2}\S+: \S+\n)+$/);
});
