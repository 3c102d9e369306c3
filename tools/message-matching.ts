import { globSync } from 'node:fs';
import ts from 'typescript';
import { read } from './docs-check/markdown.ts';

const sources = ['packages/**/*.{ts,mts}', 'tests/**/*.ts'];
const leftOut = /(^|\/)(node_modules|dist|coverage)(\/|$)/;

/** The names of fields that hold error messages. */
const texts: ReadonlySet<string> = new Set(['message', 'description', 'detail', 'advice']);
const textMethods = [
  'match',
  'matchAll',
  'includes',
  'split',
  'startsWith',
  'endsWith',
  'search',
  'indexOf',
  'replace',
];
const matching: ReadonlySet<string> = new Set([...textMethods, 'replaceAll', 'slice', 'substring']);

/** Files that are allowed to match messages, and the reasons. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/mock-api/src/orders/read-file.ts': 'JSON.parse reports the position of an error only in its message',
  'packages/core/src/pace/store-problem.ts': 'Redis says what is wrong only in the text of a reply',
};

/**
 * Checks that no code branches on the text of an error message. What a program needs to know about an error must be in
 * a field.
 */
export const checkMessageMatching = (root: string): string[] =>
  globSync(sources, { cwd: root, exclude: (path) => leftOut.test(path) })
    .filter((file) => !leftOut.test(file) && !(file in exceptions))
    .sort()
    .flatMap((file) => {
      const source = ts.createSourceFile(file, read(root, file), ts.ScriptTarget.Latest);
      return findMatches(source).map((node) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        return `${file}:${line + 1} matches against a message; read a field of the error instead.`;
      });
    });

const findMatches = (source: ts.SourceFile): ts.Node[] => {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isMatch(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** Whether a call is `message.split(…)`, `/…/.test(message)` or similar, however the code accesses the message. */
const isMatch = ({ expression, arguments: args }: ts.CallExpression): boolean => {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const method = expression.name.text;
  if (method === 'test' || method === 'exec') return args.some(isText);
  return matching.has(method) && isText(expression.expression);
};

const isText = (node: ts.Expression): boolean => {
  if (ts.isIdentifier(node)) return texts.has(node.text);
  if (ts.isPropertyAccessExpression(node)) return texts.has(node.name.text);
  if (ts.isBinaryExpression(node)) return isText(node.left);
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) {
    return isText(node.expression);
  }
  // Covers a chain such as `message.trim().split(…)`, and `String(error.message)`.
  if (!ts.isCallExpression(node)) return false;
  if (ts.isPropertyAccessExpression(node.expression)) return isText(node.expression.expression);
  return node.arguments.some(isText);
};
