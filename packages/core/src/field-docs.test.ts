import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Fields whose names explain them. */
const selfExplaining = new Set(['id', 'product_name', 'items', 'name', 'message']);

test.each([
  ['OrderSummary', 'model/order.ts'],
  ['Order', 'model/order.ts'],
  ['OrderItem', 'model/order.ts'],
  ['LicenseCode', 'model/order.ts'],
  ['OrderLicenseError', 'base/errors.ts'],
])('every field of %s whose name does not explain it has a doc comment', (name, file) => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const program = ts.createProgram([path], { allowImportingTsExtensions: true, noLib: true });
  const checker = program.getTypeChecker();
  const module = program.getSourceFile(path);
  const symbols = module ? checker.getExportsOfModule(checker.getSymbolAtLocation(module) as ts.Symbol) : [];
  const type = checker.getDeclaredTypeOfSymbol(symbols.find((symbol) => symbol.name === name) as ts.Symbol);
  const fields = checker.getPropertiesOfType(type).filter((field) => !selfExplaining.has(field.name));
  expect(fields.length).toBeGreaterThan(1);
  const undocumented = fields.filter((field) => field.getDocumentationComment(checker).length === 0);
  expect(undocumented.map((field) => field.name)).toEqual([]);
});
