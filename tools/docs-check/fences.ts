import { documents, parse, read } from './markdown.ts';

/**
 * The languages that a fence can name. Other checks cover some of them; the rest are for code that does not run here,
 * or for other programs' files.
 */
const known = ['ts', 'js', 'py', 'sh', 'powershell', 'json', 'jsonc', 'toml', 'yaml', 'txt', ''];

/** Checks that every fenced block has a known language and, if it does not run, a reason. */
export const checkFences = (root: string): string[] =>
  documents(root)
    .flatMap((file) => parse(file, read(root, file)).blocks)
    .flatMap(({ file, line, language, noRun }) => [
      ...(known.includes(language)
        ? []
        : [`${file}:${line} is in ${language}; use one of ${known.filter(Boolean).join(', ')}.`]),
      ...(noRun === '' ? [`${file}:${line} has no reason: write "no-run: reason".`] : []),
    ]);
