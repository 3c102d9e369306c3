import { globSync } from 'node:fs';
import { parse, read } from './markdown.ts';

const page = 'docs/troubleshooting.md';
/** The code that the MCP server adds. */
const own = 'internal';

/** READMEs that list the error codes, and whether the package has one of its own. */
const lists = [
  ['packages/core/README.md', false],
  ['packages/mcp-server/README.md', true],
] as const;

/**
 * Error codes, exit codes and findings of `doctor` have their entry in the page on troubleshooting, and error codes in
 * the READMEs of core and of the MCP server.
 */
export const checkMessages = (root: string): string[] => {
  if (globSync(page, { cwd: root }).length === 0) return [`${page} does not exist.`];
  const { prose } = parse(page, read(root, page));
  const hasHeading = (code: string): boolean => new RegExp(`^#+ .*\`${code}\``, 'm').test(prose);
  const isNamed = (text: string): boolean => prose.includes(`\`${text}\``);

  const codes = errorCodes(root);
  const errors = [...codes, own].filter((code) => !hasHeading(code));
  const unlisted = lists.flatMap(([file, hasOwn]) => {
    const readme = read(root, file);
    const missing = [...codes, ...(hasOwn ? [own] : [])].filter((code) => !readme.includes(`\`${code}\``));
    return missing.map((code) => `${file} does not name the error code \`${code}\`.`);
  });
  const exits = exitCodes(root).filter((code) => !new RegExp(`^\\| \`${code}\` \\|`, 'm').test(prose));
  const findings = doctorFindings(root).filter((about) => !isNamed(about));
  return [
    ...errors.map((code) => `${page} has no heading for the error code \`${code}\`.`),
    ...unlisted,
    ...exits.map((code) => `${page} has no row for the exit code \`${code}\` of doctor.`),
    ...findings.map((about) => `${page} does not name what a line of doctor can be about: \`${about}\`.`),
  ];
};

/** The codes of core's ErrorCode. */
const errorCodes = (root: string): string[] => {
  const union = /export type ErrorCode =([^;]+);/.exec(read(root, 'packages/core/src/portable/errors.ts'))?.[1] ?? '';
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
};

const exitCodes = (root: string): string[] => {
  const table = /export const exitCodes = \{([^}]+)\}/.exec(read(root, doctor))?.[1] ?? '';
  return [...table.matchAll(/: (\d+),/g)].map(([, code = '']) => code);
};

/** The second argument of each `say(…)`, and the first of each diagnosis of a failed request. */
const doctorFindings = (root: string): string[] => {
  const source = read(root, doctor);
  const said = source.matchAll(/\bsay\(\s*'(?:ok|warn|fail)',\s*'([^']+)'/g);
  const diagnosed = source.matchAll(/\['([^']+)', exitCodes\.\w+\]/g);
  return [...new Set([...said, ...diagnosed].map(([, about = '']) => about))];
};

const doctor = 'packages/mcp-server/src/doctor/doctor.ts';
