import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const consumers = fileURLToPath(new URL('consumers/', import.meta.url));
const typeRoots = [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))];

/**
 * Compiles one of `consumers` in a folder with installed packages, as strictly as TypeScript can.
 * @returns the compiler's output
 */
export const compileConsumer = (name: string, folder: string): string => {
  const file = join(folder, name);
  copyFileSync(join(consumers, name), file);
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    typeRoots,
  });
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => folder, getNewLine: () => '\n' };
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
};
