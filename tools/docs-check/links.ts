import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchors, documents, parse, read } from './markdown.ts';

const linkForms = [
  /!?\[(?:[^\]\\]|\\.|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/gm,
  /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g,
];

/**
 * Checks that every relative link, anchor and image in the documents has a target, and that every address is
 * well-formed.
 */
export const checkLinks = (root: string): string[] =>
  documents(root).flatMap((file) => {
    const prose = parse(file, read(root, file)).prose.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
    return linkForms
      .flatMap((form) => [...prose.matchAll(form)])
      .flatMap((match) => {
        const line = prose.slice(0, match.index).split('\n').length;
        return checkTarget(root, file, match[1] ?? '').map((problem) => `${file}:${line} ${problem}`);
      });
  });

const checkTarget = (root: string, file: string, target: string): string[] => {
  if (/^[a-z][a-z+.-]*:/i.test(target)) {
    return URL.canParse(target) ? [] : [`links to "${target}", which is not a valid URL.`];
  }
  const [path = '', anchor] = target.split('#');
  const decoded = decodeURIComponent(path);
  const found = decoded === '' ? file : normalize(join(dirname(file), decoded)).replaceAll('\\', '/');
  if (found.startsWith('..')) return [`links to "${target}", which is outside the repository.`];
  if (!existsSync(join(root, found))) return [`links to "${target}", which does not exist.`];
  if (anchor === undefined || !found.endsWith('.md')) return [];
  if (anchors(read(root, found)).has(anchor)) return [];
  return [`links to "${target}", but ${found} has no heading for #${anchor}.`];
};
