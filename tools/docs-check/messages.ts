import { globSync } from 'node:fs';
import { topics } from '../../packages/mcp-server/src/doctor/findings.ts';
import { parse, read } from './markdown.ts';

const page = 'docs/troubleshooting.md';
/** The error code that the MCP server adds to core's codes. */
const own = 'internal';

/** The READMEs that list the error codes, and whether the package adds its own code. */
const lists = [
  ['packages/core/README.md', false],
  ['packages/mcp-server/README.md', true],
] as const;

/** The exit codes and topics of `doctor`. */
export interface Doctor {
  exitCodes: readonly number[];
  topics: readonly string[];
}

const ours: Doctor = { exitCodes: [0, 1], topics };

/**
 * Checks that the troubleshooting page has an entry for each error code, and for each exit code and topic of `doctor`.
 * Error codes must also be in the READMEs of core and the MCP server.
 */
export const checkMessages = (root: string, doctor = ours): string[] => {
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
  const exits = doctor.exitCodes.filter((code) => !new RegExp(`^\\| \`${code}\` \\|`, 'm').test(prose));
  const unnamed = doctor.topics.filter((topic) => !isNamed(topic));
  return [
    ...errors.map((code) => `${page} has no heading for the error code \`${code}\`.`),
    ...unlisted,
    ...exits.map((code) => `${page} has no row for doctor's exit code \`${code}\`.`),
    ...unnamed.map((topic) => `${page} does not name doctor's topic \`${topic}\`.`),
  ];
};

/** Returns the codes in core's `ErrorCode`. */
const errorCodes = (root: string): string[] => {
  const union = /export type ErrorCode =([^;]+);/.exec(read(root, 'packages/core/src/base/errors.ts'))?.[1] ?? '';
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
};
