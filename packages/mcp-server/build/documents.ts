// Writes the files that registries and other programs read about this package: node build/documents.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { prompts, skillOf } from '../src/prompts/prompts.ts';
import { tools } from '../src/server/server.ts';
import { listedTool } from '../src/tools/tool.ts';
import { pageOf, repositoryUrl } from './links.ts';
import { serverJson } from './server-json.ts';

const { version, description, license } = packageJson;

/** The plugin for Claude Code. Its skills are the server's prompts. */
const plugin = {
  name: 'order-license',
  version,
  description,
  author: { name: 'Order License Kit' },
  homepage: pageOf('docs/assistants.md'),
  repository: repositoryUrl,
  license,
};

interface Argument {
  type?: string;
  description?: string;
  anyOf?: Argument[];
}

/** Lets Docker's catalog list the tools without starting the server, which would need a key. */
const toolList = tools.map((tool) => ({
  name: tool.name,
  description: tool.description,
  // The catalog has one type per argument: the first if an argument accepts several.
  arguments: Object.entries(listedTool(tool).inputSchema.properties as Record<string, Argument>).map(
    ([name, argument]) => {
      const { type = 'string', description = '' } = argument.anyOf?.[0] ?? argument;
      return { name, type, desc: description };
    },
  ),
}));

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The contents of each generated file, by path. */
export const documents: Readonly<Record<string, string>> = {
  'server.json': json(serverJson()),
  'docker-catalog/tools.json': json(toolList),
  'plugin/.claude-plugin/plugin.json': json(plugin),
  ...Object.fromEntries(
    prompts.map((prompt) => [`plugin/skills/${prompt.name.replaceAll('_', '-')}/SKILL.md`, skillOf(prompt)]),
  ),
};

if (import.meta.main) {
  for (const [path, text] of Object.entries(documents)) {
    const file = new URL(`../${path}`, import.meta.url);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
}
