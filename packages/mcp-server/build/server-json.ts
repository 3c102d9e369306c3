// Writes the entry in the MCP registry.
//   node build/server-json.ts                  server.json, without the bundle, whose hash is known only at release
//   node build/server-json.ts BUNDLE TARGET    the entry of a release: with the packed bundle and its hash
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { httpVariables, variables } from '../src/config/variables.ts';
import { image, rawOf, releaseFile, repositoryUrl } from './links.ts';

const environmentVariables = variables
  // Packages in the registry use stdio.
  .filter(({ name }) => !httpVariables.some((one) => one === name))
  .map(({ name, about, isRequired, isSecret, default: standard, choices }) => ({
    name,
    description: about,
    isRequired: isRequired ?? false,
    isSecret: isSecret ?? false,
    ...(standard && { default: standard }),
    ...(choices && { choices }),
  }));

const transport = { type: 'stdio' };

/**
 * server.json, from package.json and the list of variables.
 * @param bundle the packed MCP bundle, which is listed with its hash
 */
export const freshServerJson = (bundle?: Uint8Array): object => {
  const { name, version, mcpName, repository } = packageJson;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Order License',
    description: 'Read-only access to the orders and license keys of a business account.',
    websiteUrl: `${repositoryUrl}/tree/main/${repository.directory}#readme`,
    icons: [{ src: rawOf(`${repository.directory}/icon.png`), mimeType: 'image/png', sizes: ['512x512'] }],
    repository: { url: repositoryUrl, source: 'github', subfolder: repository.directory },
    version,
    packages: [
      { registryType: 'npm', identifier: name, version, transport, environmentVariables },
      {
        registryType: 'oci',
        identifier: image,
        runtimeHint: 'docker',
        // Servers started by chat applications count their requests together there.
        runtimeArguments: [{ type: 'named', name: '--volume', value: 'order-license-state:/state' }],
        transport,
        environmentVariables,
      },
      ...(bundle
        ? [
            {
              registryType: 'mcpb',
              identifier: releaseFile('order-license.mcpb'),
              fileSha256: createHash('sha256').update(bundle).digest('hex'),
              transport,
            },
          ]
        : []),
    ],
  };
};

if (import.meta.main) {
  const [bundle, target = fileURLToPath(new URL('../server.json', import.meta.url))] = process.argv.slice(2);
  const entry = freshServerJson(bundle ? readFileSync(bundle) : undefined);
  writeFileSync(target, `${JSON.stringify(entry, null, 2)}\n`);
}
