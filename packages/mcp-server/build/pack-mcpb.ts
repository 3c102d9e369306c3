// Packs the built server as an MCP bundle, which Claude Desktop installs with a double click:
//   pnpm run pack:mcpb   writes build/dist/order-license.mcpb
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { tools } from '../src/server/server.ts';
import bundle from './bundle-manifest.json' with { type: 'json' };
import { pageOf, repositoryUrl } from './links.ts';

const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version, description, license, engines, repository } = packageJson;

/**
 * The manifest of the bundle. Its checkboxes return true or false, which bundle-start.js converts to the variables'
 * values.
 */
const manifest = {
  ...bundle,
  version,
  description,
  license,
  repository: { type: repository.type, url: repository.url },
  homepage: repositoryUrl,
  documentation: pageOf('docs/assistants.md'),
  support: `${repositoryUrl}/issues`,
  privacy_policies: [pageOf('docs/privacy.md')],
  tools: tools.map(({ name, description }) => ({ name, description })),
  compatibility: { ...bundle.compatibility, runtimes: { node: engines.node } },
};

const folder = local('dist');
rmSync(folder, { recursive: true, force: true });
mkdirSync(`${folder}/bundle`, { recursive: true });
cpSync(local('../dist'), `${folder}/bundle/server`, { recursive: true });
cpSync(local('bundle-start.js'), `${folder}/bundle/server/start.js`);
cpSync(local('../icon.png'), `${folder}/bundle/icon.png`);
for (const file of ['../../../LICENSE', '../../../docs/privacy.md']) {
  cpSync(local(file), `${folder}/bundle/${file.split('/').at(-1)}`);
}
writeFileSync(`${folder}/bundle/server/package.json`, '{ "type": "module" }\n');
writeFileSync(`${folder}/bundle/manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
const { status } = spawnSync('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', 'pack', 'bundle', 'order-license.mcpb'], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32', // npx is a script on Windows
});
process.exitCode = status ?? 1;
