import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const consumers = fileURLToPath(new URL('consumers/', import.meta.url));
const typeRoots = [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))];

/** Where a project's platform types come from: `@types/node`, or `lib: ['DOM']`. */
type World = 'node' | 'dom';

/**
 * Compiles one of the files in `consumers` in a folder with installed packages, as strictly as TypeScript can. Also
 * checks the packages' own types, and allows nothing newer than ES2022.
 * @returns the compiler's output
 */
export const compileConsumer = (name: string, folder: string, world: World[] = ['node']): string => {
  const file = join(folder, name);
  copyFileSync(join(consumers, name), file);
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', ...(world.includes('dom') ? ['lib.dom.d.ts'] : [])],
    module: ts.ModuleKind.NodeNext,
    types: world.includes('node') ? ['node'] : [],
    typeRoots: world.includes('node') ? typeRoots : [],
  });
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => folder, getNewLine: () => '\n' };
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
};
