// Writes the files for Docker's catalog of MCP servers to docker-catalog/: node build/docker-catalog.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { createMcpHandler } from '@modelcontextprotocol/server';
import packageJson from '../package.json' with { type: 'json' };
import { variables } from '../src/config/variables.ts';
import { createMcpServer } from '../src/server/server.ts';
import { rawOf, repositoryUrl } from './links.ts';

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

interface ListedTool {
  name: string;
  description: string;
  inputSchema: Schema;
}

const { directory } = packageJson.repository;

/** The tools as the server lists them. */
const listTools = async (): Promise<ListedTool[]> => {
  const openClient = () => Promise.reject(new Error('No tool is called here.'));
  const masking = { licenseKeys: false, personalData: false };
  const answer = await createMcpHandler(() => createMcpServer({ openClient, masking })).fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }),
  );
  const [, message = ''] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
  return JSON.parse(message).result.tools;
};

/** One type per argument: the first if it accepts several. */
const typeOf = ({ type, anyOf }: Schema): string => type ?? anyOf?.[0]?.type ?? 'string';

/** tools.json lets the catalog list the tools without starting the server, which needs a key. */
const toolsJson = async (): Promise<string> => {
  const tools = (await listTools()).map(({ name, description, inputSchema }) => ({
    name,
    description,
    arguments: Object.entries(inputSchema.properties ?? {}).map(([name, schema]) => ({
      name,
      type: typeOf(schema),
      desc: schema.description ?? '',
    })),
  }));
  return `${JSON.stringify(tools, null, 2)}\n`;
};

/** Settings in Docker Desktop, besides the key. All are required: the server refuses empty variables. */
const parameters = {
  base_url: 'ORDER_LICENSE_BASE_URL',
  license_keys: 'ORDER_LICENSE_LICENSE_KEYS',
  personal_data: 'ORDER_LICENSE_PERSONAL_DATA',
};

const parameterLines = Object.entries(parameters).flatMap(([parameter, variable]) => {
  const { about = '', default: standard } = variables.find(({ name }) => name === variable) ?? {};
  return [
    `      ${parameter}:`,
    '        type: string',
    `        description: ${JSON.stringify(about)}`,
    ...(standard ? [`        default: ${standard}`] : []),
  ];
});

const environmentLines = Object.entries(parameters).flatMap(([parameter, variable]) => [
  `    - name: ${variable}`,
  `      value: "{{order-license.${parameter}}}"`,
]);

/** server.yaml. The submitter appends the last line: the commit that Docker builds from. */
const serverYaml = `name: order-license
image: mcp/order-license
type: server
meta:
  category: productivity
  tags:
    - orders
    - licenses
    - productivity
about:
  title: Order License
  description: Reads the orders and license keys of a business account. Changes nothing.
  icon: ${rawOf(`${directory}/icon.png`)}
run:
  volumes:
    - order-license-state:/state
config:
  description: Which shop to read, and what the assistant may see
  secrets:
    - name: order-license.api_key
      env: ORDER_LICENSE_API_KEY
      example: YOUR_API_KEY
  env:
${environmentLines.join('\n')}
  parameters:
    type: object
    properties:
${parameterLines.join('\n')}
    required:
${Object.keys(parameters)
  .map((name) => `      - ${name}`)
  .join('\n')}
source:
  project: ${repositoryUrl}
  dockerfile: ${directory}/Dockerfile
`;

/** The files of the catalog, by name. */
export const freshDockerCatalog = async (): Promise<Record<string, string>> => ({
  'server.yaml': serverYaml,
  'tools.json': await toolsJson(),
});

if (import.meta.main) {
  const folder = new URL('../docker-catalog/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await freshDockerCatalog())) writeFileSync(new URL(name, folder), text);
}
