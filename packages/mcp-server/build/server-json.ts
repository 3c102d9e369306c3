// Writes server.json, the entry in the MCP registry: node build/server-json.ts
import { writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { variables } from '../src/config/variables.ts';

/** Of no use to what the registry starts, which speaks stdio. */
const forHttp = ['ORDER_LICENSE_ACCESS_TOKEN', 'ORDER_LICENSE_OAUTH'];

/** server.json as package.json and the list of variables have it. */
export const freshServerJson = (): object => {
  const { name, version, mcpName, repository } = packageJson;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Order License',
    description: 'Read-only access to the orders and license keys of a business account.',
    repository: {
      url: repository.url.replace(/^git\+|\.git$/g, ''),
      source: 'github',
      subfolder: repository.directory,
    },
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        environmentVariables: variables
          .filter(({ name }) => !forHttp.includes(name))
          .map(({ name, about, isRequired, isSecret, default: standard, choices }) => ({
            name,
            description: about,
            isRequired: isRequired ?? false,
            isSecret: isSecret ?? false,
            ...(standard && { default: standard }),
            ...(choices && { choices }),
          })),
      },
    ],
  };
};

if (import.meta.main) {
  writeFileSync(new URL('../server.json', import.meta.url), `${JSON.stringify(freshServerJson(), null, 2)}\n`);
}
