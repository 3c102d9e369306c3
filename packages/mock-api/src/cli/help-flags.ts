import type { ParseArgsConfig } from 'node:util';

/**
 * Reads the flags from a help text, so that the text lists exactly what the command accepts. Each line starts with
 * `--name`, `-n, --name`, or, for a flag with a value, `--name VALUE`. A flag that "may be repeated" is a list.
 * @returns the options for `parseArgs`
 */
export const flagsIn = (help: string): NonNullable<ParseArgsConfig['options']> => {
  const lines = help.matchAll(/^ {2}(?:-(\w), )?--([\w-]+)( \S+)?.*(?:\n {6,}.*)*/gm);
  return Object.fromEntries(
    Array.from(lines, ([line, short, name, value]) => {
      const type = value === undefined ? 'boolean' : 'string';
      return [name, { type, multiple: line.includes('may be repeated'), ...(short && { short }) }];
    }),
  );
};
