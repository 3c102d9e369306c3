import { documents, parse, read } from './markdown.ts';

/** Languages that another check reads, and that of drawings and of other programs' files. */
const known = ['ts', 'sh', 'powershell', 'json', 'jsonc', 'toml', 'yaml', 'txt', ''];

/** Every fenced block says a language that is checked, and, where it is not run, why. */
export const checkFences = (root: string): string[] =>
  documents(root)
    .flatMap((file) => parse(file, read(root, file)).blocks)
    .flatMap(({ file, line, language, noRun }) => [
      ...(known.includes(language)
        ? []
        : [`${file}:${line} is in ${language}; say one of ${known.filter(Boolean).join(', ')}.`]),
      ...(noRun === '' ? [`${file}:${line} gives no reason: write "no-run: reason".`] : []),
    ]);
