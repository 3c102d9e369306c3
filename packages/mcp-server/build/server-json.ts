// Writes the registry entry of a release, with the packed MCP bundle and its hash:
// node build/server-json.ts BUNDLE TARGET
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { variables } from '../src/config/variables.ts';
import { serverInfo } from '../src/server/server.ts';
import { image, releaseFile, repositoryUrl } from './links.ts';

const environmentVariables = variables
  // Packages in the MCP registry use stdio.
  .filter(({ only }) => only !== 'http')
  .map(({ name, about, isRequired = false, isSecret = false, default: standard, choices }) => ({
    name,
    description: about,
    isRequired,
    isSecret,
    default: standard,
    choices,
  }));

const transport = { type: 'stdio' };

/**
 * Returns the entry for the MCP registry, from package.json and the list of variables.
 * @param bundle the packed MCP bundle, whose hash is known only at release
 */
export const serverJson = (bundle?: Uint8Array): object => {
  const { name, version, mcpName, repository } = packageJson;
  const { title, websiteUrl, icons } = serverInfo;
  const packages = [
    { registryType: 'npm', identifier: name, version, transport, environmentVariables },
    {
      registryType: 'oci',
      identifier: image,
      runtimeHint: 'docker',
      // Each chat application starts its own server. All of these servers count their requests together, in this
      // volume.
      runtimeArguments: [{ type: 'named', name: '--volume', value: 'order-license-state:/state' }],
      transport,
      environmentVariables,
    },
  ];
  const fileSha256 = bundle && createHash('sha256').update(bundle).digest('hex');
  const mcpb = { registryType: 'mcpb', identifier: releaseFile('order-license.mcpb'), fileSha256, transport };
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title,
    description: 'Read-only access to the orders and license keys of a business account.',
    websiteUrl,
    icons,
    repository: { url: repositoryUrl, source: 'github', subfolder: repository.directory },
    version,
    packages: bundle ? [...packages, mcpb] : packages,
  };
};

if (import.meta.main) {
  const [bundle = '', target = ''] = process.argv.slice(2);
  writeFileSync(target, `${JSON.stringify(serverJson(readFileSync(bundle)), null, 2)}\n`);
}
