import { parse as parseToml } from 'smol-toml';
import ts from 'typescript';
import { parseDocument } from 'yaml';
import { blocksIn } from './markdown.ts';

const parsers: Record<string, (text: string) => unknown> = {
  json: JSON.parse,
  jsonc: (text) => {
    const { error } = ts.parseConfigFileTextToJson('', text);
    if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, ' '));
  },
  toml: parseToml,
  yaml: (text) => {
    const [error] = parseDocument(text).errors;
    if (error) throw error;
  },
};

/** Checks that every data block in the documents can be parsed in its language. */
export const checkDataBlocks = (root: string): string[] =>
  blocksIn(root, Object.keys(parsers)).flatMap(({ file, line, language, text }) => {
    try {
      parsers[language]?.(text);
      return [];
    } catch (error) {
      return [`${file}:${line} is not valid ${language}: ${String(error).split('\n')[0]}`];
    }
  });
