import { type ParseArgsConfig, parseArgs } from 'node:util';

type Flags = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the flags from a help text, so that the text lists exactly what the command accepts. Each line starts with
 * `--name`, `-n, --name`, or, for a flag with a value, `--name VALUE`. A flag that "may be repeated" is a list.
 * @returns the options for `parseArgs`
 */
export const flagsIn = (help: string): Flags => {
  const lines = help.matchAll(/^ {2}(?:-(\w), )?--([\w-]+)( \S+)?.*(?:\n {6,}.*)*/gm);
  return Object.fromEntries(
    Array.from(lines, ([line, short, name, value]) => {
      const type = value === undefined ? 'boolean' : 'string';
      return [name, { type, multiple: line.includes('may be repeated'), ...(short && { short }) }];
    }),
  );
};

/**
 * Parses a command line.
 * @throws Error that names an unknown flag, but does not quote an argument without a flag, which can be an API key
 */
export const readFlags = (args: string[], options: Flags): Record<string, unknown> => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') throw error;
    throw new Error('Unexpected argument. Each value must follow its flag.');
  }
};
