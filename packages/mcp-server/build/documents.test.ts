import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { parseSettings } from '../src/auth/settings.ts';
import { variables } from '../src/config/variables.ts';
import { tools } from '../src/server/server.ts';
import { cliPath, connect } from '../src/testing/mcp-session.fixture.ts';
import { documents } from './documents.ts';
import { repositoryUrl } from './links.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const root = new URL('../../../', import.meta.url);
const samples = new URL('examples/mcp/', root);
const files = readdirSync(samples).filter((name) => /\.(json|toml)$/.test(name));

interface Entry {
  command: string;
  args?: string[];
  env: Record<string, string>;
}

/** Reads the server's entry from a client configuration in any format. */
const readEntry = (file: string): Entry => {
  const text = readFileSync(new URL(file, samples), 'utf8');
  if (file.endsWith('.toml')) {
    // The TOML values used here are also valid JSON.
    const pairs = [...text.matchAll(/^(\w+) = (.*)$/gm)].map(([, key, value]) => [key, JSON.parse(value as string)]);
    const { command, args, env_vars, ...rest } = Object.fromEntries(pairs);
    const given = Object.entries(rest).filter(([name]) => name.startsWith('ORDER_LICENSE_'));
    const forwarded = env_vars.map((name: string) => [name, `$${name}`]);
    return { command, args, env: Object.fromEntries([...given, ...forwarded]) };
  }
  const { mcpServers, servers, context_servers } = JSON.parse(text);
  return (mcpServers ?? servers ?? context_servers)['order-license'];
};

test('the README lists every tool with its arguments', () => {
  const [, table = ''] = /^\| tool \|.*\n.*\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  // A tool's first row begins with its name; the first cell of its other rows is empty.
  const rowsByTool = table.split(/^(?=\| `)/m);
  for (const { name, input } of tools) {
    const rows = rowsByTool.find((text) => text.startsWith(`| \`${name}\` |`))?.split('\n') ?? [];
    const listed = rows.flatMap((row) => Array.from(row.split('|')[2]?.matchAll(/`(\w+)`/g) ?? [], ([, word]) => word));
    expect(listed.sort(), name).toEqual(Object.keys(input.shape).sort());
  }
});

test('the package has no dependencies and an executable command', () => {
  expect(packageJson).not.toHaveProperty('dependencies');
  expect(packageJson).not.toHaveProperty('peerDependencies');
  expect(readFileSync(cliPath, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  if (process.platform !== 'win32') expect(statSync(cliPath).mode & 0o111).toBe(0o111);
});

const dockerfile = readFileSync(new URL('packages/mcp-server/Dockerfile', root), 'utf8');

test('the image has the labels of package.json, and serves over stdio as an unprivileged user', () => {
  expect(dockerfile).toContain(`io.modelcontextprotocol.server.name="${packageJson.mcpName}"`);
  expect(dockerfile).toContain(`org.opencontainers.image.source="${repositoryUrl}"`);
  expect(dockerfile).toMatch(/\nUSER node\n.*\nENTRYPOINT \["node", "dist\/cli\.js"\]\n$/s);
});

test("the Dockerfile uses this repository's pnpm version, and copies only existing files", () => {
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
  expect(dockerfile).toContain(`npm install --global ${JSON.parse(read('package.json')).packageManager}\n`);
  const ignored = read('packages/mcp-server/Dockerfile.dockerignore');
  const kept = Array.from(ignored.matchAll(/^!(.+)$/gm), ([, path]) => path);
  for (const path of kept) expect(existsSync(new URL(path as string, root)), path).toBe(true);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  expect(copied).toEqual(['.', 'LICENSE', 'packages/mcp-server/package.json']);
  for (const path of copied.slice(1)) expect(kept).toContain(path.split('/')[0]);
});

test('the README lists every environment variable', () => {
  for (const { name } of variables) expect(readme).toContain(`\`${name}\``);
});

const assistants = readFileSync(new URL('docs/assistants.md', root), 'utf8');

test.each(files)('the sample configuration %s starts the server, and docs/assistants.md names it', async (file) => {
  expect(assistants).toContain(`examples/mcp/${file}`);
  const { command, args = [], env } = readEntry(file);
  expect([command, ...args].join(' ')).toMatch(/^(cmd \/c )?order-license-mcp$/);
  // Values that begin with $ or YOUR- are placeholders: a client asks for them, or reads them from its environment.
  const filled = Object.entries(env).map(([name, value]) => [name, /^\$|^YOUR-/.test(value) ? 'some-key' : value]);
  const client = await connect(Object.fromEntries(filled));
  expect((await client.listTools()).tools).toHaveLength(3);
});

test.each(readdirSync(new URL('remote/', samples)))(
  "the remote sample %s contains the sample server's URL, and docs/sign-in.md names the sample",
  (file) => {
    const text = readFileSync(new URL(`remote/${file}`, samples), 'utf8');
    const entries: { url?: string; args?: string[] }[] = file.endsWith('.toml')
      ? [{ url: JSON.parse(/^url = (.*)$/m.exec(text)?.[1] ?? '') }]
      : Object.values(JSON.parse(text).mcpServers ?? JSON.parse(text).servers);
    const addresses = entries.map(({ url, args }) => url ?? args?.at(-1));
    expect(addresses).toEqual(['https://mcp.example.com/mcp']);
    expect(readFileSync(new URL('docs/sign-in.md', root), 'utf8')).toContain(`examples/mcp/remote/${file}`);
  },
);

test('the compose file sets only variables that the server reads, and its sample sign-in file is valid', () => {
  const read = (path: string) => readFileSync(new URL(`compose/${path}`, samples), 'utf8');
  const known = variables.map(({ name }) => name);
  for (const file of ['compose.yaml', '../trial/compose.yaml']) {
    for (const [name] of read(file).matchAll(/ORDER_LICENSE_[A-Z_]+/g)) expect(known).toContain(name);
  }
  const fill = (text: string) => text.replaceAll('AN-API-KEY-FOR-THIS-PERSON', 'some-key');
  expect(parseSettings(fill(read('sign-in/oauth.json')), true)).toMatchObject({
    publicUrl: 'https://mcp.example.com',
  });
  const block = [...readme.matchAll(/```json\n(\{[^`]*"issuer"[^`]*)```/g)][0]?.[1] ?? '';
  expect(parseSettings(fill(block), true).subjects.size).toBe(2);
});

test.each(Object.entries(documents))('%s is up to date with package.json and the code', (path, text) => {
  const written = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  if (path.endsWith('.json')) expect(JSON.parse(written)).toEqual(JSON.parse(text));
  else expect(written).toBe(text);
});

test('the plugin and the install buttons start the installed command, and set only variables that the server reads', () => {
  const links = [...assistants.matchAll(/\]\((https:[^)]+[?&]config=[^)]+)\)/g)].map(([, url = '']) => new URL(url));
  expect(links.map(({ host }) => host)).toEqual(['cursor.com', 'insiders.vscode.dev']);
  const [cursor, code] = links.map(({ searchParams }) => searchParams.get('config') ?? '');
  const plugin = JSON.parse(readFileSync(new URL('../plugin/.mcp.json', import.meta.url), 'utf8'));
  const entries: Entry[] = [JSON.parse(atob(cursor ?? '')), JSON.parse(code ?? ''), plugin.mcpServers['order-license']];
  for (const { command, env } of entries) {
    expect(Object.keys(packageJson.bin)).toContain(command);
    expect(Object.keys(env)).toEqual(['ORDER_LICENSE_BASE_URL', 'ORDER_LICENSE_API_KEY']);
  }
});
