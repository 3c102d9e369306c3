import { SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { prompts, skillOf } from './prompts.ts';

/** The `SKILL.md` of each prompt, by its address. */
const texts = new Map(
  prompts.map((prompt) => [`skill://${prompt.name.replaceAll('_', '-')}/SKILL.md`, skillOf(prompt)]),
);

const entryOf = (uri: string) =>
  skillEntry(uri.replace(/^skill:\/\/|\/SKILL\.md$/g, ''), { 'SKILL.md': texts.get(uri) ?? '' });

/** The prompts for clients that load skills from MCP servers (SEP-2640). */
export const skills = new SkillsExtension({
  source: {
    list: async () => ({ skills: await Promise.all([...texts.keys()].map(entryOf)) }),
    get: async (uri) => (texts.has(uri) ? entryOf(uri) : undefined),
    async read(uri) {
      const text = texts.get(uri);
      return text === undefined ? undefined : { text, mimeType: 'text/markdown' };
    },
  },
});
