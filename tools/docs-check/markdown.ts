import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a document. */
export interface Block {
  /** Path of the document from the root, with slashes. */
  file: string;
  /** Line of the first line inside the fence, from 1. */
  line: number;
  language: string;
  /** Why the block does not run, from its fence: `no-run: reason`. Undefined if it runs. */
  noRun: string | undefined;
  text: string;
}

const outside = /(^|[\\/])(node_modules|dist|coverage|\.[^\\/]*)([\\/]|$)/;

/** The Markdown documents of the repository, as paths from the root. Includes `.github`, but no other dot folder. */
export const documents = (root: string): string[] =>
  [
    ...globSync('**/*.md', { cwd: root, exclude: (path) => outside.test(path) }),
    ...globSync('.github/**/*.md', { cwd: root }),
  ]
    .map((path) => path.replaceAll('\\', '/'))
    .sort();

export const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** A document without its fenced blocks, line for line, and the blocks. */
export const parse = (file: string, markdown: string): { prose: string; blocks: Block[] } => {
  const prose: string[] = [];
  const blocks: Block[] = [];
  let fence: { mark: string; block: Block; lines: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, mark = '', info = ''] = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
    if (fence) {
      prose.push('');
      if (mark.startsWith(fence.mark) && info === '') {
        blocks.push({ ...fence.block, text: fence.lines.join('\n') });
        fence = undefined;
      } else fence.lines.push(line);
    } else if (mark) {
      prose.push('');
      const [, language = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(info) ?? [];
      fence = { mark, lines: [], block: { file, line: index + 2, language, noRun: reason(rest), text: '' } };
    } else prose.push(line);
  }
  return { prose: prose.join('\n'), blocks };
};

const reason = (info: string): string | undefined => /^no-run:? *(.*)$/.exec(info)?.[1];

/** All fenced blocks of the repository in one of these languages. */
export const blocksIn = (root: string, languages: readonly string[]): Block[] =>
  documents(root)
    .flatMap((file) => parse(file, read(root, file)).blocks)
    .filter(({ language }) => languages.includes(language));

/** The anchors that GitHub generates for the headings of a document. */
export const anchors = (markdown: string): Set<string> => {
  const { prose } = parse('', markdown);
  const seen = new Map<string, number>();
  const found = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const slug = heading
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    found.add(times === 0 ? slug : `${slug}-${times}`);
  }
  for (const [, id = ''] of prose.matchAll(/<\w[^>]*\b(?:id|name)="([^"]+)"/g)) found.add(id);
  return found;
};
