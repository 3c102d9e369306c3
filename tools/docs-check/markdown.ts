import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block in a document. */
export interface Block {
  /** The document's path from the root, with forward slashes. */
  file: string;
  /** The number of the first line inside the fence, from 1. */
  line: number;
  language: string;
  /** The reason from the fence's `no-run: reason`; undefined if the block runs. */
  noRun: string | undefined;
  text: string;
}

const outside = /(^|[\\/])(node_modules|dist|coverage|\.[^\\/]*)([\\/]|$)/;

/** Returns the repository's Markdown documents, as paths from the root. Includes `.github`, but no other dot folder. */
export const documents = (root: string): string[] =>
  [
    ...globSync('**/*.md', { cwd: root, exclude: (path) => outside.test(path) }),
    ...globSync('.github/**/*.md', { cwd: root }),
  ]
    .map((path) => path.replaceAll('\\', '/'))
    .sort();

export const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** Splits a document into its text, line for line without the fenced blocks, and the blocks. */
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

/** Returns all fenced blocks in the repository that have one of these languages. */
export const blocksIn = (root: string, languages: readonly string[]): Block[] =>
  documents(root)
    .flatMap((file) => parse(file, read(root, file)).blocks)
    .filter(({ language }) => languages.includes(language));

/** Returns the anchors that GitHub generates for the document's headings. */
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
