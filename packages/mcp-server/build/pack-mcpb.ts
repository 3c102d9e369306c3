// Packs the built server as an MCP bundle, which Claude Desktop installs with a double click:
//   pnpm run pack:mcpb   writes build/dist/order-license.mcpb
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of a manifest
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { tools } from '../src/server/server.ts';
import { pageOf, repositoryUrl } from './links.ts';

const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version, description, license, engines, repository } = packageJson;

const manifest = {
  manifest_version: '0.3',
  name: 'order-license',
  display_name: 'Order License',
  version,
  description,
  author: { name: 'Order License Kit' },
  license,
  repository: { type: repository.type, url: repository.url },
  homepage: repositoryUrl,
  documentation: pageOf('docs/assistants.md'),
  support: `${repositoryUrl}/issues`,
  icon: 'icon.png',
  privacy_policies: [pageOf('docs/privacy.md')],
  keywords: ['orders', 'license keys', 'read-only'],
  server: {
    type: 'node',
    entry_point: 'server/start.js',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/start.js'],
      env: {
        ORDER_LICENSE_BASE_URL: '${user_config.base_url}',
        ORDER_LICENSE_API_KEY: '${user_config.api_key}',
        // true or false, see bundle-start.js
        ORDER_LICENSE_LICENSE_KEYS: '${user_config.hide_license_keys}',
        ORDER_LICENSE_PERSONAL_DATA: '${user_config.hide_personal_data}',
        ORDER_LICENSE_EXPORT_FOLDER: '${user_config.export_folder}',
      },
    },
  },
  tools: tools.map(({ name, description }) => ({ name, description })),
  prompts_generated: true,
  user_config: {
    base_url: {
      type: 'string',
      title: 'Address of the service',
      description: 'Ends in /api/v1, such as https://shop.example/api/v1',
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description: 'From the customer account; create one for this server only',
      sensitive: true,
      required: true,
    },
    hide_license_keys: {
      type: 'boolean',
      title: 'Hide license keys',
      description: 'The assistant sees orders, but only masked license keys',
      default: false,
    },
    hide_personal_data: {
      type: 'boolean',
      title: 'Hide personal data',
      description: 'The assistant sees orders, but no e-mail addresses, names or addresses',
      default: false,
    },
    export_folder: {
      type: 'directory',
      title: 'Folder for exports',
      description: 'Where the assistant may write CSV files; without a folder it writes none',
      required: false,
      default: '',
    },
  },
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
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
  shell: process.platform === 'win32', // npx is a script there
});
process.exitCode = status ?? 1;
