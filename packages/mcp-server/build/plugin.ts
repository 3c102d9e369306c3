// Writes the plugin for Claude Code, whose skills are the prompts of the server: node build/plugin.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { prompts } from '../src/prompts/prompts.ts';
import { pageOf, repositoryUrl } from './links.ts';

const folder = new URL('../plugin/', import.meta.url);
const { version, description, license } = packageJson;

const manifest = {
  name: 'order-license',
  version,
  description,
  author: { name: 'Order License Kit' },
  homepage: pageOf('docs/assistants.md'),
  repository: repositoryUrl,
  license,
};

/** The plugin's files: the path of each, and its text. */
export const pluginFiles = (): [path: string, text: string][] => [
  ['.claude-plugin/plugin.json', `${JSON.stringify(manifest, null, 2)}\n`],
  ...prompts.map(({ name, skill }): [string, string] => [`skills/${name.replaceAll('_', '-')}/SKILL.md`, skill()]),
];

if (import.meta.main) {
  for (const [path, text] of pluginFiles()) {
    const file = new URL(path, folder);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
}
