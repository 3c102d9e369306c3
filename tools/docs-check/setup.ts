import ts from 'typescript';

/**
 * Finds the imports and constants from a document's first block that a later block uses without declaring them, so that
 * samples need not repeat a client.
 * @returns whole lines, or an empty string
 */
export const setupOf = (block: string, first: string): string => {
  const { declared, used: wanted } = namesIn(parse(block));
  let setup = '';
  for (const statement of parse(first).statements.toReversed()) {
    if (!ts.isImportDeclaration(statement) && !ts.isVariableStatement(statement)) continue;
    const names = namesIn(statement);
    if (![...names.declared].some((name) => wanted.has(name) && !declared.has(name))) continue;
    setup = `${statement.getText()}\n${setup}`;
    for (const name of names.used) wanted.add(name);
  }
  return setup;
};

const parse = (text: string): ts.SourceFile => ts.createSourceFile('block.ts', text, ts.ScriptTarget.Latest, true);

/** Returns the names that the code declares, at any depth, and those that it uses. */
const namesIn = (code: ts.Node): { declared: Set<string>; used: Set<string> } => {
  const names = { declared: new Set<string>(), used: new Set<string>() };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclared(node)) names.declared.add(node.text);
      else if (!isProperty(node)) names.used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(code);
  return names;
};

const isDeclared = (name: ts.Identifier): boolean =>
  [
    ts.isVariableDeclaration,
    ts.isBindingElement,
    ts.isParameter,
    ts.isFunctionDeclaration,
    ts.isImportClause,
    ts.isImportSpecifier,
    ts.isNamespaceImport,
  ].some((isKind) => isKind(name.parent) && name.parent.name === name);

const isProperty = (name: ts.Identifier): boolean =>
  (ts.isPropertyAssignment(name.parent) || ts.isPropertyAccessExpression(name.parent)) && name.parent.name === name;
