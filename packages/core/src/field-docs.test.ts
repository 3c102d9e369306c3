import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const linesOf = (path: string): string[] => readFileSync(new URL(`${path}.ts`, import.meta.url), 'utf8').split('\n');

/** Fields whose names explain them. */
const selfExplaining = new Set(['id', 'product_name', 'items']);

test.each(['OrderSummary', 'Order', 'OrderItem', 'LicenseCode'])(
  'every field of %s whose name does not explain it has a doc comment',
  (name) => {
    const path = fileURLToPath(new URL('model/order.ts', import.meta.url));
    const program = ts.createProgram([path], { allowImportingTsExtensions: true, noLib: true });
    const checker = program.getTypeChecker();
    const module = program.getSourceFile(path);
    const symbols = module ? checker.getExportsOfModule(checker.getSymbolAtLocation(module) as ts.Symbol) : [];
    const type = checker.getDeclaredTypeOfSymbol(symbols.find((symbol) => symbol.name === name) as ts.Symbol);
    const fields = checker.getPropertiesOfType(type).filter((field) => !selfExplaining.has(field.name));
    expect(fields.length).toBeGreaterThan(1);
    const undocumented = fields.filter((field) => field.getDocumentationComment(checker).length === 0);
    expect(undocumented.map((field) => field.name)).toEqual([]);
  },
);

test('every field of an error has a doc comment', () => {
  const lines = linesOf('base/errors');
  const start = lines.indexOf('export class OrderLicenseError extends Error {');
  const fields = lines.slice(start, lines.indexOf('  constructor(code: ErrorCode, fields: ErrorFields) {'));
  const undocumented = fields.filter(
    (line, index) => /^ {2}(declare |readonly |\w+:|attempts)/.test(line) && !fields[index - 1]?.endsWith('*/'),
  );
  expect(fields.length).toBeGreaterThan(20);
  expect(undocumented).toEqual([]);
});
