import { parse, read } from './markdown.ts';
import { type OurCommand, ourCommands } from './our-commands.ts';

/** Checks that each command's README names every variable of the command's `--help`, and no other variable or flag. */
export const checkHelp = (root: string): string[] => ourCommands().flatMap((command) => compare(root, command));

const compare = (root: string, { name, folder, help, flags }: OurCommand): string[] => {
  const file = `${folder}/README.md`;
  const { prose, blocks } = parse(file, read(root, file));
  const code = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  // In prose, flags are at the start of inline code. In a block, they follow the command.
  const ownLines = blocks.flatMap(({ text }) => text.split('\n')).filter((line) => line.includes(name));
  const shown = [
    ...code.filter((text) => text.startsWith('--')),
    ...ownLines.map((line) => line.split(name)[1] ?? ''),
  ].flatMap((text) => text.match(/(?<!\S)--[a-z][\w-]*/g) ?? []);
  const variablesIn = (text: string): string[] => text.match(/\bORDER_LICENSE_[A-Z_]*[A-Z]\b/g) ?? [];

  const missing = variablesIn(help).filter((variable) => !code.includes(variable));
  const unknown = [
    ...shown.filter((flag) => !flags.includes(flag)),
    ...code.flatMap(variablesIn).filter((variable) => !help.includes(variable)),
  ];
  return [
    ...distinct(missing).map((word) => `${file} does not name ${word}, but ${name} --help does.`),
    ...distinct(unknown).map((word) => `${file} names ${word}, but ${name} --help does not.`),
  ];
};

const distinct = (words: string[]): string[] => [...new Set(words)];
